"""Cameras: from components to views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import Frame
from rish_frame.frame import Fit
from rish_scene3d.scene.cameras import canvas_part, view_matrix, views_of
from rish_scene3d.scene.drawlist import DrawList
from rish_space3d import SpaceView, ToolView3D, quaternions


def views(app: Any) -> Any:
    """Return the views of a game."""
    return views_of(app.world, app.world[DrawList].layers)


def test_a_camera_looks_along_minus_z(stage: Any):
    """A point before the camera is in the middle of its picture; near and far are -1 and 1 deep."""
    app = stage("{Transform3D: {position: [1, 2, 3], rotation: [0, 90, 0]}, Camera3D: {near: 1, far: 9}}")
    (view,) = views(app)
    clip = view.projection @ view.view @ np.array([[0, 2, 3, 1], [-8, 2, 3, 1]], np.float32).T
    np.testing.assert_allclose(clip[:3] / clip[3], [[0, 0], [0, 0], [-1, 1]], atol=1e-5)
    np.testing.assert_allclose(view.eye, [1, 2, 3])
    assert (view.name, view.target, view.size) == ("scene3d.view", "scene3d.view", (320, 180))


def test_the_scale_of_a_camera_does_not_matter():
    """View matrices are rigid, even of a camera that is stretched or mirrored, or has no size."""
    turn = quaternions.to_matrix(quaternions.normalized(np.array([0.1, 0.5, -0.3, 0.8])))
    plain = np.concatenate([turn, [[1], [2], [3]]], axis=1)
    stretched = plain.copy()
    stretched[:, :3] *= [2, 0.5, 3]
    np.testing.assert_allclose(view_matrix(stretched), view_matrix(plain), atol=1e-6)
    for scale in ([-1, 1, 1], [0, 1, 1]):
        odd = plain.copy()
        odd[:, :3] *= scale
        rotation = view_matrix(odd)[:3, :3]
        np.testing.assert_allclose(rotation @ rotation.T, np.eye(3), atol=1e-6)
        assert np.linalg.det(rotation) > 0


def test_viewports_set_the_aspect(stage: Any):
    """Two cameras share the screen; each is as wide as its viewport, and the greater order is drawn later."""
    app = stage(
        "{Transform3D: {}, Camera3D: {order: 1, viewport: [0.5, 0, 0.5, 1]}}",
        "{Transform3D: {}, Camera3D: {lens: orthographic, height: 4, viewport: [0, 0, 0.5, 0.5]}}",
        "{Transform3D: {}, Camera3D: {enabled: false}}",
    )
    first, second = views(app)
    assert [first.name, second.name] == ["scene3d.view", "scene3d.view.2"]
    assert first.orthographic
    assert 1 / first.projection[1, 1] == pytest.approx(2)
    assert first.projection[1, 1] / first.projection[0, 0] == pytest.approx(160 / 90)
    assert second.projection[1, 1] / second.projection[0, 0] == pytest.approx(160 / 180)


def test_bars_move_the_viewport():
    """With bars beside the game's view, a viewport covers a part of the view and not of the screen."""
    frame = Frame((200, 100))
    assert canvas_part(frame, (0, 0, 1, 1)) == (0, 0, 1, 1)
    frame.fit = Fit((100, 100), (50, 0, 100, 100))
    assert canvas_part(frame, (0, 0, 1, 1)) == (0.25, 0, 0.5, 1)
    assert canvas_part(frame, (0.5, 0.5, 0.5, 0.5)) == (0.5, 0.5, 0.25, 0.5)
    frame.canvas = "picture"
    assert canvas_part(frame, (0, 0, 1, 1)) == (0, 0, 1, 1)


def test_the_view_of_a_tool_replaces_those_of_the_screen(stage: Any):
    """While a tool looks, only its view and cameras with pictures are drawn; or nothing, if it hides space."""
    app = stage("{Transform3D: {}, Camera3D: {}}", "{Transform3D: {}, Camera3D: {target: tv}}")
    tool = app.world[ToolView3D]
    tool.view = SpaceView(position=(0, 5, 0), height=10)
    picture, view = views(app)
    assert picture.name == "scene3d.camera.tv"
    assert view.bits == -1
    assert view.orthographic
    assert view.eye.tolist() == [0, 5, 0]
    tool.view, tool.hidden = None, True
    assert [each.name for each in views(app)] == ["scene3d.camera.tv"]
