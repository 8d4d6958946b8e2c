"""Billboards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_scene3d import layout as at

EYE = "{Transform3D: {position: [0, 3, 4], rotation: [-36.87, 0, 0]}, Camera3D: {}}"


def shown(app: Any) -> Any:
    """Return the batch of what blends."""
    return next(each for each in app.host.backend.drawn("scene3d.surfaces") if each.z == 2)


def test_a_billboard_is_parallel_to_the_picture(stage: Any):
    """A facing billboard has the camera's axes, its size times its scale, and stands with its anchor at its place."""
    board = "{Transform3D: {scale: [2, 2, 2]}, Billboard3D: {size: [1, 0.5], anchor: [0.5, 0], strength: 3}}"
    app = stage(EYE, board)
    arrays = shown(app).arrays
    matrix = arrays["instances"]["matrix"][0]
    np.testing.assert_allclose(matrix[:, 0], [2, 0, 0], atol=1e-5)
    np.testing.assert_allclose(matrix[:, 1], [0, 0.8, -0.6], atol=1e-4)
    np.testing.assert_allclose(matrix @ [0, -0.5, 0, 1], [0, 0, 0], atol=1e-5)
    row = arrays["materials"][arrays["instances"]["material"][0]]
    assert row[at.BASE : at.BASE + 4].tolist() == [3, 3, 3, 1]
    assert row[at.MODEL] == at.UNLIT


def test_an_upright_billboard_only_turns_around_y(stage: Any):
    """An upright billboard stands, and its front is turned to the camera."""
    app = stage(EYE, "{Transform3D: {position: [1, 0, 1]}, Billboard3D: {turning: upright}}")
    matrix = shown(app).arrays["instances"]["matrix"][0]
    np.testing.assert_allclose(matrix[:, 1], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(matrix[:, 2], np.array([-1, 0, 3]) / np.sqrt(10), atol=1e-5)
    np.testing.assert_allclose(np.linalg.det(matrix[:, :3]), 1, atol=1e-5)


def test_billboards_are_sorted_among_what_blends(stage: Any):
    """Billboards and blended models are drawn back to front together."""
    glass = '{Transform3D: {position: [0, 0, 0.5]}, Model3D: {tint: "#ffffff80"}}'
    eye = "{Transform3D: {position: [0, 0, 5]}, Camera3D: {}}"
    app = stage(eye, *(f"{{Transform3D: {{position: [0, 0, {z}]}}, Billboard3D: {{}}}}" for z in (1, 0)), glass)
    batch = shown(app)
    assert batch.arrays["instances"]["matrix"][:, 2, 3].tolist() == [0, 0.5, 1]
    assert batch.arrays["runs"][:, at.RUN_COUNT].tolist() == [1, 1, 1]


@pytest.mark.parametrize("look", ["visible: false", "layers: [far]"])
def test_hidden_billboards_are_not_drawn(stage: Any, look: str):
    """A billboard that is invisible, or on a layer that the camera does not see, is left out."""
    app = stage(EYE, f"{{Transform3D: {{}}, Billboard3D: {{{look}}}}}")
    assert not app.host.backend.drawn("scene3d.surfaces")
