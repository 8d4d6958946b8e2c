"""Shadows of whole games on OpenGL: no acne on what is lit, no gap under what casts, no seams."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_frame import BackendError
from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d import Lamp3D, Sun3D
from rish_space3d import Transform3D

pytestmark = pytest.mark.gl

HEAD = "rish: 1\ngame: {size: [160, 90]}\nplugins: [scene3d]\nscenes:\n  main:\n"
CAMERA = "Camera3D: {fov: 50}, Transform3D: {position: [0, 3, 6], rotation: [-24, 0, 0]}"
FLOOR = "Model3D: {asset: plane}, Material3D: {roughness: 1}, Transform3D: {scale: [60, 1, 60]}"
Game = Callable[..., Any]


class Stage:
    """A game on OpenGL whose lights can be turned."""

    def __init__(self, root: Path, *entries: str) -> None:
        text = HEAD + "".join(f"    - {{{entry}}}\n" for entry in (CAMERA, FLOOR, *entries))
        backend = ArcadeBackend()
        self.app = App(parse_manifest(text, root=root), backend=backend, headless=True, policy="raise")

    def picture(self, kind: type, shadows: bool, **fields: Any) -> Any:
        """Return the light of the view (h, w, 3) with or without the shadows of a kind of lights."""
        world = self.app.world
        table = world.table(kind)
        table.shadows = shadows  # marks all rows
        for entity in table.entities:
            for name, value in fields.items():
                setattr(world.get(int(entity), Transform3D), name, value)
        self.app.run(frames=2)
        return self.app.host.backend.pixels("scene3d.view")[..., :3].copy()


@pytest.fixture
def game(tmp_path: Path) -> Iterator[Game]:
    """A function that starts a stage with further entries."""
    stages: list[Stage] = []

    def start(*entries: str) -> Stage:
        try:
            stages.append(Stage(tmp_path, *entries))
        except BackendError as error:
            pytest.skip(str(error))
        return stages[-1]

    yield start
    for stage in stages:
        stage.app.close()


def turned(x: float, y: float) -> tuple[float, ...]:
    """Return a rotation by degrees around x, then around y."""
    a, b = np.radians([x, y]) / 2
    return (np.sin(a) * np.cos(b), np.cos(a) * np.sin(b), -np.sin(a) * np.sin(b), np.cos(a) * np.cos(b))


@pytest.mark.slow
def test_a_lit_plane_has_no_acne(game: Game) -> None:
    """At twenty angles of a sun, no pixel of a plane without anything on it is darker for the shadows."""
    stage = game("Sun3D: {cascades: 3, reach: 40, map_size: 512}, Transform3D: {}")
    for number in range(20):
        rotation = turned(-8 - 4 * number, 37 * number)
        lit = stage.picture(Sun3D, False, rotation=rotation)
        assert np.abs(stage.picture(Sun3D, True, rotation=rotation) - lit).max() < 2e-3, number


def test_a_lamp_over_a_plane_has_no_seams(game: Game) -> None:
    """With shadows a lamp near a plane lights it as without: nothing is seen of the faces of its map."""
    stage = game("Lamp3D: {map_size: 128, range: 20}, Transform3D: {position: [0.3, 0.8, 1.2]}")
    lit = stage.picture(Lamp3D, False)
    assert np.abs(stage.picture(Lamp3D, True) - lit).max() < 2e-3
    assert lit.max() > 1


def test_shadows_begin_at_what_casts_them(game: Game) -> None:
    """The shadow of a box on the floor begins at its foot, and ends where the light says, within two pixels."""
    box = "Model3D: {asset: box}, Material3D: {shading: unlit, color: '#ff0000'}, Transform3D: {position: [0, 0.5, 0]}"
    stage = game(box, "Sun3D: {cascades: 3, reach: 20, map_size: 1024}, Transform3D: {}", "Sky3D: {intensity: 0.1}")
    lit, dark = (stage.picture(Sun3D, shadows, rotation=turned(-45, -90)) for shadows in (False, True))
    red = dark[..., 0] > dark[..., 1] + 0.5
    row = int(np.nonzero(red.any(axis=1))[0].max()) - 3
    edge = int(np.nonzero(red[row])[0].max())
    shadow = dark[row, :, 1] < 0.5 * lit[row, :, 1]
    shadow[: edge + 1] = False
    begins, ends = np.nonzero(shadow)[0][[0, -1]]
    assert begins - edge <= 2
    width = edge + 1 - int(np.nonzero(red[row])[0].min())
    assert abs((ends - edge) - width) <= 0.12 * width + 2
