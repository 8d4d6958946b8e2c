"""The camera of a scene view: zooming keeps a point, framing shows a box."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_editor.views.plane.camera import MAX_DENSITY, MIN_DENSITY, SceneCamera

length = st.floats(-1e4, 1e4)


@given(length, length, st.floats(0.01, 100), st.floats(-20, 20), length, length)
def test_zooming_keeps_the_point_below_the_pointer(
    x: float, y: float, density: float, notches: float, px: float, py: float
) -> None:
    """Whatever the zoom, a point has the same distance in pixels from the middle before and after."""
    camera = SceneCamera(x, y, density)
    before = (px - camera.x) * camera.density, (py - camera.y) * camera.density
    camera.zoom(notches, (px, py))
    after = (px - camera.x) * camera.density, (py - camera.y) * camera.density
    assert MIN_DENSITY <= camera.density <= MAX_DENSITY
    assert math.dist(before, after) < 1e-3 * (1 + math.hypot(*before))


@given(length, length, st.floats(0, 1e5), st.floats(0, 1e5))
def test_framing_shows_the_box(x: float, y: float, wide: float, tall: float) -> None:
    """After framing, both corners of the box are in the view, and tiny boxes do not fill it."""
    camera = SceneCamera()
    camera.frame((x, y), (x + wide, y + tall), (800, 600))
    for corner in ((x, y), (x + wide, y + tall)):
        assert abs(corner[0] - camera.x) * camera.density <= 401
        assert abs(corner[1] - camera.y) * camera.density <= 301
    assert camera.density <= 64.0


def test_panning_moves_the_picture_with_the_pointer() -> None:
    """Pixels of the window become units, with y up."""
    camera = SceneCamera(0.0, 0.0, 2.0)
    camera.pan(10.0, 6.0)
    assert camera.center == pytest.approx((-5.0, 3.0))
