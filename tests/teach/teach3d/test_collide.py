"""Contacts of polyhedra and balls."""

from __future__ import annotations

import numpy as np
import pytest

from rish_physics3d.geometry import box_hull, hull_of
from rish_space3d import quaternions
from rish_teach.teach3d import Ball, Polyhedron, clip, collide, near_pairs, place_hull


def random_hull(rng: np.random.Generator, center: list[float] | np.ndarray) -> Polyhedron:
    """Return a random box or hull with a random rotation."""
    hull = box_hull(rng.uniform(0.3, 1, 3)) if rng.random() < 0.5 else hull_of(rng.normal(size=(9, 3)) * 0.6)
    return place_hull(hull, np.array(center), quaternions.normalized(rng.normal(size=4)))


def moved(form: Polyhedron, way: np.ndarray) -> Polyhedron:
    """Return a polyhedron at another place."""
    faces = [[tuple((np.array(p) + way).tolist()) for p in face] for face in form.faces]
    return Polyhedron(form.points + way, form.normals, faces, form.edges)  # pyright: ignore[reportArgumentType]


def test_the_normal_and_the_depth_take_polyhedra_apart() -> None:
    """A polyhedron that is moved out along the normal by the depth just touches, and by less still overlaps."""
    rng, edges = np.random.default_rng(1), 0
    for _ in range(40):
        a, b = random_hull(rng, [0, 0, 0]), random_hull(rng, rng.normal(size=3) * 0.7)
        touch = collide(a, b, 0.0)
        if touch is None:
            continue
        normal, points = np.array(touch[0]), touch[1]
        depth = -min(gap for _, gap in points)
        edges += len(points) == 1
        assert collide(a, moved(b, normal * (depth + 0.003)), 0.0) is None
        assert collide(a, moved(b, normal * (depth - 0.01)), 0.0) is not None
        swapped = collide(b, a, 0.0)
        assert swapped is not None
        assert -min(gap for _, gap in swapped[1]) == pytest.approx(depth, abs=0.003)
    assert edges > 5


def test_a_face_on_a_face_gives_the_common_area() -> None:
    """A cube that stands half beyond the edge of another touches it in the four corners of the common rectangle."""
    cube, still = box_hull([0.5] * 3), np.array([0.0, 0, 0, 1])
    touch = collide(place_hull(cube, np.zeros(3), still), place_hull(cube, np.array([0.5, 0.99, 0.2]), still), 0.02)
    assert touch is not None
    assert touch[0] == pytest.approx((0, 1, 0))
    corners = sorted((round(p[0], 6), round(p[2], 6)) for p, _ in touch[1])
    assert corners == [(0, -0.3), (0, 0.5), (0.5, -0.3), (0.5, 0.5)]
    assert [gap for _, gap in touch[1]] == pytest.approx([-0.01] * 4)


@pytest.mark.parametrize(
    ("center", "normal", "gap"),
    [
        ((0, 0.9, 0), (0, 1, 0), 0.0),
        ((0.8, 0.8, 0), (0.5**0.5, 0.5**0.5, 0), 0.3 * 2**0.5 - 0.4),
        ((0.8, 0.8, -0.8), (3**-0.5, 3**-0.5, -(3**-0.5)), 0.3 * 3**0.5 - 0.4),
        ((0.1, 0.3, 0), (0, 1, 0), -0.6),
    ],
    ids=["face", "edge", "corner", "inside"],
)
def test_a_ball_touches_the_nearest_point_of_a_box(
    center: tuple[float, float, float], normal: tuple[float, float, float], gap: float
) -> None:
    """A ball of radius 0.4 at a cube touches its face, edge or corner; one inside leaves by the nearest face."""
    cube = place_hull(box_hull([0.5] * 3), np.zeros(3), np.array([0.0, 0, 0, 1]))
    touch = collide(cube, Ball(center, 0.4), 0.2)
    assert touch is not None
    assert touch[0] == pytest.approx(normal, abs=1e-9)
    assert touch[1][0][1] == pytest.approx(gap)


def test_clipping_keeps_what_is_over_the_face() -> None:
    """A large triangle cut by a square gives the square, and one beside it nothing."""
    square = [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (0.0, 1.0, 0.0)]
    large = [(-5.0, -5.0, 1.0), (9.0, -5.0, 1.0), (-5.0, 9.0, 1.0)]
    assert {(x, y) for x, y, _ in clip(large, square, (0, 0, 1))} == {(0, 0), (1, 0), (1, 1), (0, 1)}
    assert clip([(5.0, 5.0, 1.0), (6.0, 5.0, 1.0), (5.0, 6.0, 1.0)], square, (0, 0, 1)) == []


def test_all_pairs_of_near_boxes_are_found_once() -> None:
    """Boxes that overlap or are at most the margin apart are pairs, the lower number first."""
    boxes = np.array([[[x, 0, 0], [x + 1, 1, 1]] for x in (0, 1.05, 3, 0.5)])
    assert near_pairs(boxes, 0.1) == [(0, 1), (0, 3), (1, 3)]
