"""Shapes given by points: the pool of points grows without losing any of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Each, Transform
from rish_physics import Body, Collider
from rish_physics.components.tables import CHAIN, PIECE, SHAPE_USED, Shapes


def _polygon(corners: int, size: float) -> list[tuple[float, float]]:
    angles = 2 * np.pi * np.arange(corners) / corners
    return [(size * float(x), size * float(y)) for x, y in zip(np.cos(angles), np.sin(angles), strict=True)]


@pytest.mark.slow
def test_the_pool_of_points_grows_as_long_as_there_are_more(yard: Callable[..., Any]) -> None:
    """Two thousand polygons, added in three groups, keep their points, and each becomes a shape."""
    scene, made = yard(gravity=(0, 0)), 0
    expected: dict[int, int] = {}
    for lot in (10, 190, 1_800):
        forms = [_polygon(3 + k % 6, 0.3 + 0.01 * (k % 7)) for k in range(made, made + lot)]
        places = [(2.0 * ((made + k) % 100), 2.0 * ((made + k) // 100)) for k in range(lot)]
        handles = scene.world.spawn_many(
            lot, Transform(position=np.array(places)), Body(), Collider(shape="polygon", points=Each(forms))
        )
        expected |= {int(handle): len(form) for handle, form in zip(handles, forms, strict=True)}
        made += lot
        scene.run()
        table = scene.world[Collider]
        assert table.pool_of("points").used >= sum(expected.values())
        for k in (0, made // 2, made - 1):
            np.testing.assert_allclose(table.points[k], _polygon(3 + k % 6, 0.3 + 0.01 * (k % 7)), rtol=1e-6)
        shapes = scene.world[Shapes]
        known = (shapes.flags & SHAPE_USED) != 0
        counts = dict(zip(shapes.entity[known].tolist(), (shapes.flags[known] & 15).tolist(), strict=True))
        assert counts == expected


def test_one_outline_may_have_tens_of_thousands_of_points(yard: Callable[..., Any]) -> None:
    """A chain has a segment between each two of its points, and the next points in the pool are unharmed."""
    scene, count = yard(gravity=(0, -10)), 20_000
    x = np.linspace(1000, -1000, count)
    line = np.column_stack([x, 0.2 * np.sin(x)])
    scene.put(0, 0, Collider(shape="chain", points=line))
    scene.put(0, 50, Collider(shape="polygon", points=[(0, 0), (1, 0), (0, 1)]))
    ball = scene.ball(0, 1)
    scene.run(40)
    flags = scene.world[Shapes].flags
    assert np.count_nonzero(flags & CHAIN) == count - 1
    assert scene.world[Collider].points[1].tolist() == [[0, 0], [1, 0], [0, 1]]
    assert -0.3 < scene.place(ball)[1] < 1


def test_the_shapes_of_a_cut_collider_know_that_they_are_pieces(yard: Callable[..., Any]) -> None:
    """All shapes of a concave outline or a chain have the flag PIECE, also in copies; single shapes do not."""
    scene = yard(gravity=(0, 0))
    arrow = [(-2, -2), (2, -2), (2, 2), (0, 0), (-2, 2)]
    cut: set[int] = set()
    for x in (0, 10, 20):
        cut.add(scene.put(x, 0, Body(), Collider(shape="outline", points=arrow)))
        scene.run()
    cut.add(scene.put(0, 20, Collider(shape="chain", points=[(2, 0), (0, 1), (-2, 0)])))
    scene.put(0, 30, Collider(shape="chain", points=[(2, 0), (0, 1)]))
    scene.put(0, 40, Collider(shape="outline", points=arrow[:3]))
    scene.box(0, 50)
    scene.run()
    shapes = scene.world[Shapes]
    assert np.count_nonzero(shapes.flags & SHAPE_USED) == 3 * 2 + 2 + 3
    assert set(shapes.entity[(shapes.flags & PIECE) != 0].tolist()) == cut
    assert np.count_nonzero(shapes.flags & PIECE) == 3 * 2 + 2
