"""3D scenes among 2D layers, on both backends: what lies above, below, and pictures both ways."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from rish_core import App, parse_manifest
from rish_frame import BackendError

BACKENDS = [pytest.param("arcade", marks=pytest.mark.gl), pytest.param("software", marks=pytest.mark.slow)]
EYE = "{Transform3D: {position: [0, 0, 5]}, Camera3D: {fov: 60}}"
BOX = '{Transform3D: {scale: [4, 4, 4]}, Model3D: {}, Material3D: {shading: unlit, color: "#00ff00"}}'


@pytest.fixture
def picture() -> Iterator[Callable[..., Any]]:
    """A function that draws a scene and returns its picture, 160 by 96, the top row first."""
    apps: list[App] = []

    def draw(
        backend: str, *entries: str, plugins: str = "scene3d, render", settings: str = "{}",
        layers: str = "world, hud: {space: screen}",
    ) -> np.ndarray:  # fmt: skip
        head = f"rish: 1\ngame: {{size: [160, 96]}}\nplugins: [{plugins}]\nsettings: {settings}\n"
        text = f"{head}layers: [{layers}]\nscenes:\n  main:\n"
        text += "".join(f"    - {entry}\n" for entry in entries)
        try:
            apps.append(App(parse_manifest(text), backend=backend, headless=True, policy="raise"))
        except (BackendError, ImportError) as error:
            pytest.skip(f"'{backend}' does not open here: {error}")
        apps[-1].run(frames=3)
        pixels: np.ndarray = apps[-1].host.backend.pixels()[..., :3].astype(int)
        return pixels

    yield draw
    for app in apps:
        app.close()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("plugins", ["scene3d, render", "scene3d, render, lighting"])
def test_layers_lie_over_the_scene(picture: Any, backend: str, plugins: str):
    """Layers of the world and of the screen cover the scene; where it is empty, the background is seen."""
    square = "{{Transform: {{position: [{x}, 48]}}, Shape: {{size: [20, 20], color: '{color}', layer: {layer}}}}}"
    seen = picture(
        backend, EYE, BOX, square.format(x=60, color="#ff0000", layer="world"),
        square.format(x=100, color="#0000ff80", layer="hud"), plugins=plugins,
        settings='{scene3d: {tone: none}, render: {background: "#101010"}}',
    )  # fmt: skip
    assert seen[48, 60].tolist() == [255, 0, 0]
    assert seen[48, 80].tolist() == [0, 255, 0]
    np.testing.assert_allclose(seen[48, 100], [0, 127, 128], atol=2)
    np.testing.assert_allclose(seen[4, 4], [16, 16, 16], atol=1)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("plugins", ["scene3d, render", "scene3d, render, lighting"])
@pytest.mark.parametrize("space", ["world", "screen"])
@pytest.mark.parametrize("pipeline", ["forward", "deferred"])
def test_the_scene_lies_over_layers_that_are_behind(
    picture: Any, backend: str, plugins: str, space: str, pipeline: str
):
    """Models hide layers that are behind, glass tints them, and where the scene is empty they are seen as they are."""
    flat = "{{Transform: {{position: [{x}, 48]}}, Shape: {{size: [{w}, 96], color: '{color}', layer: {layer}}}}}"
    glass = (
        "{Transform3D: {position: [-1, 0, 0], scale: [6, 1, 1]}, Model3D: {},"
        ' Material3D: {shading: unlit, color: "#00ff0080", alpha: blend}}'
    )
    cube = '{Transform3D: {position: [1, 0, 0]}, Model3D: {}, Material3D: {shading: unlit, color: "#00ff00"}}'
    seen = picture(
        backend, EYE, cube, glass, flat.format(x=80, w=160, color="#800000", layer="sky"),
        flat.format(x=130, w=20, color="#0000ff", layer="world"), plugins=plugins,
        layers=f"far, sky: {{behind: true, space: {space}}}, world, hud: {{space: screen}}",
        settings=f"{{scene3d: {{tone: none, pipeline: {pipeline}}}, render: {{background: white}}}}",
    )  # fmt: skip
    np.testing.assert_allclose(seen[4, 4], [128, 0, 0], atol=1)
    assert seen[48, 96].tolist() == [0, 255, 0]
    assert seen[48, 130].tolist() == [0, 0, 255]
    assert 40 < seen[48, 60, 0] < 100
    assert 100 < seen[48, 60, 1] < 200


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_sprite_shows_the_picture_of_a_camera_of_space(picture: Any, backend: str):
    """The image camera:NAME of a sprite is the picture of the Camera3D with this target."""
    inside = "{Transform3D: {position: [0, 0, 5]}, Camera3D: {target: tv, target_size: [40, 40], fov: 90}}"
    sprite = "{Transform: {position: [120, 48]}, Sprite: {image: 'camera:tv', size: [40, 40], layer: hud}}"
    seen = picture(backend, inside, BOX, sprite, settings="{scene3d: {tone: none}, render: {background: black}}")
    assert seen[48, 120].tolist() == [0, 255, 0]
    assert seen[32, 104].tolist() == [0, 0, 0]
    assert not seen[:, :98].any()


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("pipeline", ["forward", "deferred"])
def test_a_surface_shows_the_picture_of_a_flat_camera(picture: Any, backend: str, pipeline: str):
    """A material whose map is camera:NAME shows what the 2D camera with this target sees, upright."""
    camera = "{target: map, target_size: [64, 64], height: 64, background: blue}"
    flat = f"{{Transform: {{position: [900, 900]}}, Camera: {camera}}}"
    mark = "{Transform: {position: [900, 924]}, Shape: {size: [64, 16], color: red}}"
    screen = BOX.replace('color: "#00ff00"', "map: 'camera:map'")
    seen = picture(backend, EYE, flat, mark, screen, settings=f"{{scene3d: {{tone: none, pipeline: {pipeline}}}}}")
    assert seen[60, 80].tolist() == [0, 0, 255]
    column = seen[:, 80, 0]
    rows = np.flatnonzero(column > 200)
    assert len(rows)
    assert rows.max() < 48


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_camera_over_another_one_is_not_hidden_by_its_depth(picture: Any, backend: str):
    """A camera drawn over another one shows its models even where those of the first one are nearer."""
    near = (
        '{Transform3D: {position: [0, 0, 4]}, Model3D: {layers: [a]}, Material3D: {shading: unlit, color: "#ff0000"}}'
    )
    one = "{Transform3D: {position: [0, 0, 5]}, Camera3D: {layers: [a]}}"
    small = "{Transform3D: {position: [0, 0, 20]}, Camera3D: {order: 1, viewport: [0.25, 0.25, 0.5, 0.5], layers: [b]}}"
    far = BOX.replace("Model3D: {}", "Model3D: {layers: [b]}")
    seen = picture(backend, one, small, near, far, settings="{scene3d: {tone: none}}")
    assert seen[10, 80].tolist() == [255, 0, 0]
    assert seen[48, 80].tolist() == [0, 255, 0]
    assert seen[48, 45].tolist() == [0, 0, 0]
