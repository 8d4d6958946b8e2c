"""Particles in space among models, on both backends: depth, light, blending, cells."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from rish_core import App, parse_manifest
from rish_frame import BackendError, Billboards, NullBackend
from rish_scene3d.scene.drawlist import DrawList

BACKENDS = [pytest.param("arcade", marks=pytest.mark.gl), pytest.param("software", marks=pytest.mark.slow)]
SCENE = """
    - {Transform3D: {position: [0, 0, 5]}, Camera3D: {fov: 60deg}}
    - {Transform3D: {rotation: [0, 0, 0]}, Sun3D: {intensity: 0.8}}
    - {Transform3D: {position: [0, 0, -2], scale: [20, 20, 1]}, Model3D: {casts: false},
       Material3D: {shading: unlit, color: "#000080"}}
    - {Transform3D: {position: [1.5, 0, 2], scale: [0.6, 0.6, 0.1]}, Model3D: {},
       Material3D: {shading: unlit, color: "#00ff00"}}
    - {Transform3D: {position: [0, 1.2, 3.5], scale: [0.2, 0.2, 0.1]}, Model3D: {},
       Material3D: {shading: unlit, color: "#404040"}}
"""
PRESET = "picture: square.png\nlife: 9\nsize: {size}\nemit: {{burst: 1}}\n{more}\n"
MANY = """
    - {Transform3D: {position: [-2, -1, 0]}, Emitter: {preset: plain.particles.yaml}}
    - {Transform3D: {position: [0, -1, 0]}, Emitter: {preset: added.particles.yaml}}
    - {Transform3D: {position: [1.5, 0, 0]}, Emitter: {preset: plain.particles.yaml}}
    - {Transform3D: {position: [0, 1.2, 0]}, Emitter: {preset: lit.particles.yaml}}
    - {Transform3D: {position: [-2, 1.2, 0]}, Emitter: {preset: cell.particles.yaml}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with presets, each of one square particle, and their pictures."""
    Image.fromarray(np.full((8, 8, 4), 255, np.uint8)).save(tmp_path / "square.png")
    sheet = np.zeros((8, 16, 4), np.uint8)
    sheet[:, :8], sheet[:, 8:] = (255, 255, 0, 255), (255, 255, 255, 255)
    Image.fromarray(sheet).save(tmp_path / "sheet.png")
    presets = {
        "plain": 'color: "#ff000080"', "added": 'color: "#ff0000"\nblend: add', "lit": "lit: true",
        "cell": "cells: [2, 1]\nplay: once", "arrow": "aligned: true\nstretch: 1\nspeed: 0.5\ndirection: 90",
    }  # fmt: skip
    for name, more in presets.items():
        text = PRESET.format(size=0.8, more=more)
        text = text.replace("square.png", "sheet.png") if name == "cell" else text
        (tmp_path / f"{name}.particles.yaml").write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture
def game(folder: Path) -> Iterator[Callable[..., App]]:
    """A function that runs some frames of a scene."""
    apps: list[App] = []

    def start(scene: str, backend: Any) -> App:
        text = "rish: 1\ngame: {size: [160, 120]}\nplugins: [scene3d, render, particles]\n"
        text += f"settings: {{scene3d: {{tone: none, shadows: medium}}}}\nscenes:\n  main:{scene}"
        try:
            apps.append(
                App(parse_manifest(text, root=folder), backend=backend, headless=True, policy="raise", more=["strict"])
            )
        except (BackendError, ImportError) as error:
            pytest.skip(f"{backend} does not open here: {error}")
        apps[-1].run(frames=3)
        return apps[-1]

    yield start
    for app in apps:
        app.close()


@pytest.mark.parametrize("backend", BACKENDS)
def test_particles_among_models(game: Callable[..., App], backend: str) -> None:
    """Nearer models hide particles; the others are blended or added, lit with shadows, and show a cell of a sheet."""
    host: Any = game(SCENE + MANY, backend).host
    seen = host.backend.pixels()[..., :3].astype(int)

    def at(x: float, y: float, z: float = 0.0) -> list[int]:
        """Return the color where a place in space is seen."""
        scale = 60 / np.tan(np.radians(30)) / (5 - z)
        color: list[int] = seen[round(60 - y * scale - 0.5), round(80 + x * scale - 0.5)].tolist()
        return color

    assert at(-1, 0, -1.5) == [0, 0, 128]
    np.testing.assert_allclose(at(-2, -1), [188, 0, 92], atol=3)  # half of linear red over blue
    np.testing.assert_allclose(at(0, -1), [255, 0, 128], atol=2)
    assert at(1.5, 0, 2.05) == [0, 255, 0]
    np.testing.assert_allclose(at(-2, 1.2), [255, 255, 0], atol=2)
    bright, shaded = at(0.33, 1.5), at(0, 1.2)
    assert min(bright) > 200
    assert max(shaded) < min(bright) - 60


def test_squares_turn_to_the_camera_and_along_their_way(game: Callable[..., App]) -> None:
    """A set is turned to the camera; aligned particles point along their way and are longer by their speed."""
    app = game(
        SCENE + "    - {Transform3D: {position: [0, 0, 1]}, Emitter: {preset: arrow.particles.yaml}}\n", NullBackend()
    )
    scene = app.world[DrawList]
    (shown,) = app.world[Billboards].sets
    assert shown.stretch == 1
    view = next(iter(scene._blended))
    instances = scene._blended[view][1].instances
    np.testing.assert_allclose(instances[0]["matrix"][:, :3], [[0, -0.8, 0], [1.3, 0, 0], [0, 0, 1]], atol=1e-5)
    np.testing.assert_allclose(instances[0]["matrix"][:, 3], [0, 0.5 * shown.places[0, 1] * 2, 1], atol=1e-5)
