"""The camera of views of space, as plain numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_editor.look import DARK
from rish_editor.views.space.camera import MAX_DISTANCE, MIN_DISTANCE, SIDES, OrbitCamera
from rish_editor.views.space.grid import grid_lines
from rish_space3d import SpaceView, quaternions

angles = st.floats(-3, 3)
places = st.tuples(*[st.floats(-100, 100)] * 3)
cameras = st.builds(
    OrbitCamera, pivot=places, distance=st.floats(0.1, 1000), yaw=angles, pitch=st.floats(-1.5, 1.5), flat=st.booleans()
)


def shown(camera: OrbitCamera, point: np.ndarray, size: tuple[int, int] = (300, 200)) -> np.ndarray:
    """Return where a point is in the picture, pixels from the bottom left."""
    x, y, _, w = camera.view.pixels(size) @ [*point, 1.0]
    return np.array([x / w, y / w])


@given(cameras)
def test_the_pivot_is_in_the_middle(camera: OrbitCamera) -> None:
    """What the camera turns around is in the middle of the picture, and stays there while it turns and comes nearer."""
    for each in (camera, camera.orbit(40, -30), camera.zoom(2.0), camera.side("left")):
        assert shown(each, np.array(each.pivot)) == pytest.approx([150, 100], abs=0.05)
        assert each.pivot == camera.pivot


@given(cameras, st.floats(-200, 200), st.floats(-200, 200))
def test_looking_around_stays_on_the_spot(camera: OrbitCamera, dx: float, dy: float) -> None:
    """Looking around turns the view, and flying moves it, along its own axes."""
    assert camera.look(dx, dy).eye == pytest.approx(camera.eye, abs=1e-6 * (1 + camera.distance))
    flown = camera.fly((1, 2, -3))
    assert flown.eye - camera.eye == pytest.approx(np.array([1, 2, -3]) @ camera.axes, abs=1e-6)


@given(cameras, st.floats(-100, 100), st.floats(-100, 100))
def test_moving_sideways_follows_the_pointer(camera: OrbitCamera, dx: float, dy: float) -> None:
    """The former pivot is where the pointer took it, in perspective and without."""
    moved = camera.pan(dx, dy, 200)
    assert shown(moved, np.array(camera.pivot)) == pytest.approx([150 + dx, 100 - dy], abs=0.05)


@given(cameras, places, places, st.sampled_from([(300, 200), (100, 300)]))
def test_framed_boxes_are_in_the_picture(
    camera: OrbitCamera, low: tuple[float, ...], high: tuple[float, ...], size: tuple[int, int]
) -> None:
    """All corners of a framed box are in the picture, whatever its shape and the direction of the view."""
    lowest, highest = np.minimum(low, high), np.maximum(low, high)
    framed = camera.frame(lowest, highest, size[0] / size[1])
    for corner in np.array(np.meshgrid(*zip(lowest, highest, strict=True))).reshape(3, 8).T:
        x, y = shown(framed, corner, size)
        assert -1 <= x <= size[0] + 1
        assert -1 <= y <= size[1] + 1


def test_views_along_axes() -> None:
    """The sides look along the axes of the world, upright."""
    backs = {"front": (0, 0, 1), "back": (0, 0, -1), "right": (1, 0, 0), "left": (-1, 0, 0), "top": (0, 1, 0),
             "bottom": (0, -1, 0)}  # fmt: skip
    assert backs.keys() == SIDES.keys()
    for name, back in backs.items():
        assert OrbitCamera().side(name).axes[2] == pytest.approx(back, abs=1e-9)
    assert OrbitCamera().side("top").axes[0] == pytest.approx([1, 0, 0], abs=1e-9)


def test_distances_have_limits() -> None:
    """The camera comes no nearer and goes no farther than numbers can bear."""
    assert OrbitCamera().zoom(1000).distance == MIN_DISTANCE
    assert OrbitCamera().zoom(-1000).distance == MAX_DISTANCE
    assert OrbitCamera().frame((0, 0, 0), (0, 0, 0)).distance >= MIN_DISTANCE


@given(places, angles, st.floats(-1.5, 1.5), st.sampled_from([0.0, 4.0]))
def test_it_takes_the_place_of_another_view(place: tuple[float, ...], yaw: float, pitch: float, height: float) -> None:
    """Looking through an upright view shows the same: its axis is in the middle, and up is up."""
    turn = quaternions.product(quaternions.from_axis((0, 1, 0), yaw), quaternions.from_axis((1, 0, 0), pitch))
    view = SpaceView((place[0], place[1], place[2]), tuple(turn), 0.7, height)
    camera = OrbitCamera().through(view)
    assert camera.axes == pytest.approx(view.axes, abs=1e-5)
    assert shown(camera, np.array(place) - view.axes[2] * 3) == pytest.approx([150, 100], abs=0.1)
    assert camera.view.height == pytest.approx(height)


@given(cameras, st.sampled_from([0.1, 0.5, 2.0]))
def test_the_grid_lies_on_its_multiples(camera: OrbitCamera, unit: float) -> None:
    """Lines are on the ground at multiples of the unit, times a power of ten where they would be dense; none for 0."""
    lines, colors = grid_lines(camera, unit, DARK)
    assert len(lines) == len(colors)
    assert not lines[:, :, 1].any()
    across = lines[: len(lines) // 2, 0, 0].astype(np.float64)
    step = unit * 10.0 ** max(0, math.ceil(math.log10(camera.distance / 30 / unit)))
    assert np.abs(across / step - np.round(across / step)).max() < 1e-3
    assert len(grid_lines(camera, 0.0, DARK)[0]) == 0
