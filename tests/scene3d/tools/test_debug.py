"""The debug view: which lines its parts draw, and how it is switched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import App, WindowEvent, find
from rish_frame import NullBackend
from rish_scene3d import Debug3D, Lines3D
from rish_space3d import SpaceView, ToolView3D

Stage = Callable[..., App]
THINGS = (
    "{name: eye, Transform3D: {position: [0, 0, 10]}, Camera3D: {near: 1, far: 5}}",
    "{name: box, Transform3D: {position: [1, 0, 0], scale: [2, 1, 1]}, Model3D: {asset: box}}",
    "{name: lamp, Transform3D: {position: [0, 3, 0]}, Lamp3D: {range: 2}}",
    "{name: spot, Transform3D: {position: [0, 3, 0]}, Lamp3D: {range: 2, angle: 60}}",
    "{name: sun, Transform3D: {}, Sun3D: {}}",
)


def _ends(app: App, *parts: str, **options: Any) -> np.ndarray:
    """Return the lines of one frame with some parts switched on."""
    debug = app.world[Debug3D]
    debug.show(*parts)
    debug.entities = options.get("entities", ())
    app.frame()
    batch = app.world[Lines3D].batch()
    return np.zeros((0, 2, 3)) if batch is None else batch.arrays["ends"]


def test_nothing_is_drawn_until_it_is_switched_on(stage: Stage) -> None:
    """Without a part there are no lines."""
    app = stage(*THINGS)
    assert len(_ends(app)) == 0


def test_boxes_axes_and_normals(stage: Stage) -> None:
    """Boxes are where models are, axes at every entity, and normals stand on the surfaces."""
    app = stage(*THINGS)
    boxes = _ends(app, "boxes")
    assert len(boxes) == 12
    assert boxes.min(axis=(0, 1)) == pytest.approx([0, -0.5, -0.5])
    assert boxes.max(axis=(0, 1)) == pytest.approx([2, 0.5, 0.5])
    assert len(_ends(app, "axes")) == 3 * len(THINGS)
    normals = _ends(app, "normals")
    way = normals[:, 1] - normals[:, 0]
    assert len(normals) == 24
    assert np.linalg.norm(way, axis=1) == pytest.approx(0.15)
    assert np.abs(way).max(axis=1) == pytest.approx(0.15)


def test_volumes_of_lights_and_cameras(stage: Stage) -> None:
    """A lamp is a ball of its range, a spot a cone; a camera shows its planes near and far."""
    app = stage(*THINGS)
    find_ = {name: find(app.world, name) for name in ("lamp", "spot", "eye")}
    ball = _ends(app, "lights", entities=(find_["lamp"],)).reshape(-1, 3) - [0, 3, 0]
    assert np.linalg.norm(ball, axis=1) == pytest.approx(2, abs=1e-5)
    cone = _ends(app, "lights", entities=(find_["spot"],)).reshape(-1, 3) - [0, 3, 0]
    assert cone[:, 2].min() == pytest.approx(-2, abs=1e-5)
    assert cone[:, 2].max() <= 1e-6
    eye = _ends(app, "cameras", entities=(find_["eye"],))
    assert sorted({round(float(z), 4) for z in eye[:, :, 2].ravel()}) == [5.0, 9.0]


def test_the_setting_shows_parts(stage: Stage) -> None:
    """`settings: scene3d: {debug: [...]}` switches parts on."""
    app = stage(*THINGS, settings="{scene3d: {debug: [boxes, lights]}}")
    assert app.world[Debug3D].parts == ("boxes", "lights")


def test_an_action_switches_everything(tmp_path: Any) -> None:
    """The action `debug3d` of the manifest shows all parts, and hides them again; the state stays the same."""
    from rish_core import parse_manifest

    text = "rish: 1\ngame: {size: [320, 180]}\nplugins: [scene3d]\ninput: {debug3d: [F4]}\nscenes:\n  main:\n"
    text += "".join(f"    - {entry}\n" for entry in THINGS)
    backend = NullBackend(keep=0)
    with App(parse_manifest(text), headless=True, backend=backend, policy="raise") as app:
        app.frame()
        for expected in (6, 0):
            backend.send(WindowEvent("key", "F4", True))
            app.frame()
            backend.send(WindowEvent("key", "F4", False))
            app.frame()
            assert len(app.world[Debug3D].parts) == expected


def test_lines_of_a_tool_are_drawn(stage: Stage) -> None:
    """The lines that a tool wants in space are drawn through its view."""
    app = stage(*THINGS)
    tool = app.world[ToolView3D]
    tool.view, tool.lines, tool.rgba = SpaceView(), np.ones((4, 2, 3), np.float32), np.full((4, 4), 9, np.uint8)
    assert len(_ends(app)) == 4
    batch = app.world[Lines3D].batch()
    assert batch is not None
    assert batch.arrays["rgba"][0].tolist() == [9, 9, 9, 9]
