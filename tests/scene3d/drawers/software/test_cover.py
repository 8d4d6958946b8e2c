"""Which triangle is seen in each pixel, against a plain form that tests every pixel of every triangle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_scene3d import layout as at
from rish_scene3d.drawers.software.kernels.cover import cover, scratch_of, targets_of
from scene3d import Scene, mesh, placed, quad, sphere

WIDE, HIGH = 32, 24
_NO_LOOKS = (
    np.zeros((1, at.MATERIAL), np.float32), np.zeros((1, 5, 8), np.int64), np.zeros((0, 16), np.int64),
    np.zeros(257, np.float32), np.ones(16, np.float32),
)  # fmt: skip


def covered(places: Any, corners: Any, box: Any = (0, 0, WIDE, HIGH), blended: bool = False) -> tuple[Any, Any, int]:
    """Return depth, numbers and the result of the kernel for triangles at places (V, 4)."""
    targets = targets_of(np.ones((HIGH, WIDE), np.float32), np.full((HIGH, WIDE), -1, np.int32))
    count, none = len(corners), np.zeros(0, np.float32)
    rows = np.full(count, HIGH << 16, np.int32)
    four = np.concatenate([corners, np.zeros((count, 1), np.int32)], axis=1).astype(np.int32)
    geometry = places.reshape(-1), none, none, four, np.zeros(count, np.int32), np.zeros((1, 16), np.int32)
    end = cover(blended, np.array(box), 0, count, rows, targets, geometry, _NO_LOOKS, scratch_of())
    return targets[0], np.roll(targets[1], box[1], axis=0), end


def plain(places: Any, corners: Any, box: Any) -> tuple[Any, Any]:
    """Return depth and numbers by whole numbers of Python, pixel by pixel."""
    depth, ids = np.ones((HIGH, WIDE)), np.full((HIGH, WIDE), -1)
    grid = np.rint(places[:, :2].astype(float) * 256).astype(int)
    for number, three in enumerate(corners):
        ends = [tuple(int(value) for value in grid[k]) for k in three]
        area = _side(*ends)
        for y in range(box[1], box[3]):
            for x in range(box[0], box[2]):
                point = 256 * x + 128, 256 * y + 128
                edges = [(ends[1], ends[2]), (ends[2], ends[0]), (ends[0], ends[1])]
                sides = [_side(a, b, point) for a, b in edges]
                owns = [a[1] > b[1] or (a[1] == b[1] and a[0] < b[0]) for a, b in edges]
                if all(side > 0 or (side == 0 and own) for side, own in zip(sides, owns, strict=True)):
                    z = sum(side / area * places[k, 2] for side, k in zip(sides, three, strict=True))
                    if z < depth[y, x]:
                        depth[y, x], ids[y, x] = z, number
    return depth, ids


def _side(a: tuple[int, int], b: tuple[int, int], p: tuple[int, int]) -> int:
    return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0])


_places = st.lists(
    st.tuples(st.integers(-2000, 10000), st.integers(-2000, 8000), st.integers(0, 6)), min_size=3, max_size=9
)
_narrow = st.lists(
    st.tuples(st.integers(6000, 8400), st.integers(-2000, 8000), st.integers(0, 6)), min_size=3, max_size=9
)
"""Triangles of which many are at most eight pixels wide, also at the right edge."""


@settings(max_examples=long(30, 10), deadline=None)
@given(st.one_of(_places, _narrow), st.integers(0, 8), st.integers(0, 8))
def test_pixels_are_those_of_the_plain_form(given_places: Any, left: int, top: int) -> None:
    """Each pixel of a box shows the triangle that a test of all pixels in whole numbers finds, at the same depth."""
    places = np.array([(x / 256, y / 256, z / 8 - 0.4, 1) for x, y, z in given_places], np.float32)
    fans = [(0, k, k + 1) for k in range(1, len(places) - 1)]
    grid = np.rint(places[:, :2].astype(float) * 256).astype(int)
    fans = [(a, b, c) if _side(*(tuple(grid[k]) for k in (a, b, c))) > 0 else (a, c, b) for a, b, c in fans]
    fans = [three for three in fans if _side(*(tuple(grid[k]) for k in three)) != 0]
    box = left, top, WIDE - left, HIGH - top
    depth, ids, _ = covered(places, np.array(fans, np.int32).reshape(-1, 3), box)
    wanted, numbers = plain(places, fans, box)
    close = np.abs(depth - wanted) < 1e-4
    assert close.all()
    ties = ids != numbers  # two triangles at one depth
    assert all(abs(plain(places, [fans[ids[y, x]]], box)[0][y, x] - wanted[y, x]) < 1e-4 for y, x in np.argwhere(ties))


def test_shared_edges_are_drawn_once() -> None:
    """Two triangles that share an edge through pixel centers cover each of these pixels exactly once."""
    places = np.array([(2, 2, 0, 1), (10, 2, 0, 1), (10, 10, 0, 1), (2, 10, 0, 1)], np.float32)
    places[:, :2] += 0.5
    *_, end = covered(places, np.array([(0, 1, 2), (0, 2, 3)], np.int32), blended=True)
    assert end == 2
    ids = covered(places, np.array([(0, 1, 2), (0, 2, 3)], np.int32))[1]
    assert (ids >= 0).sum() == 64
    assert (ids[2:10, 2:10] >= 0).all()


def test_blended_triangles_stop_at_a_pixel_that_is_taken() -> None:
    """A blended triangle over another one is not drawn, and its number is returned; the depth stays as it was."""
    places = np.array(
        [(1, 1, 0, 1), (20, 1, 0, 1), (1, 20, 0, 1), (9, 9, 0, 1), (25, 9, 0, 1), (9, 22, 0, 1)], np.float32
    )
    corners = np.array([(0, 1, 2), (3, 4, 5)], np.int32)
    apart, near = places.copy(), places.copy()
    apart[3:, :2] += (2, 2)
    near[3:, :2] -= (5, 5)
    assert covered(apart, corners, blended=True)[2] == 2
    depth, ids, end = covered(near, corners, blended=True)
    assert end == 1
    assert set(np.unique(ids)) == {-1, 0}
    assert (depth == 1).all()


def _seen(show: Any, scene: Scene) -> Any:
    return show(scene.frame())[..., 3], show(scene.frame(deferred=True), "gbuffer:4")[..., 0]


def test_what_crosses_the_near_plane_is_cut(show: Any) -> None:
    """A floor that reaches behind the camera fills the lower half of the picture, with the right distances."""
    scene = Scene(eye=(0, 1, 0), aim=(0, 1, -1), near=0.5)
    scene.show(scene.mesh(quad(200)), scene.material(), placed())
    meters = _seen(show, scene)[1]
    assert (meters[:88] == 0).all() or (meters[:60] == 0).all()
    up = 1 - (np.arange(180) + 0.5) / 90
    wanted = 1 / -(up * np.tan(0.4))
    for row in (110, 140, 179):
        assert meters[row] == pytest.approx(wanted[row], rel=1e-3)


_BACKS = [
    (0, 1, True),
    (0, -1, False),
    (at.MIRRORED, -1, True),
    (at.MIRRORED, 1, False),
    (at.DOUBLE_SIDED, -1, True),
]


@pytest.mark.parametrize(("flags", "scale", "seen"), _BACKS)
def test_backs_are_left_out(show: Any, flags: int, scale: float, seen: bool) -> None:
    """Triangles are seen from their fronts only, which mirroring turns round, or from both sides if they are so."""
    scene = Scene(eye=(0, 0, 3), aim=(0, 0, 0))
    plane = mesh("plane", [[-1, -1, 0], [1, -1, 0], [0, 1, 0]], [[0, 0, 1]] * 3, [[0, 1, 2]])
    scene.show(scene.mesh(plane), scene.material(), placed(scale=(scale, 1, 1)), flags=flags)
    assert (_seen(show, scene)[1].max() > 0) == seen


def test_many_instances_need_no_more_tables_than_there_is_room_for(show: Any) -> None:
    """When more triangles cross the near plane than the tables have room for, the tables grow."""
    scene = Scene(eye=(0, 0, 0), aim=(0, 0, -1), near=0.2)
    ball = scene.mesh(sphere(48, 96))
    scene.show(ball, scene.material(), *[placed(0, 0, 0, 0.7)] * 12, flags=at.DOUBLE_SIDED)
    meters = _seen(show, scene)[1]
    assert (meters > 0.2).all()
