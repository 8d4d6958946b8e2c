"""The answers of all pickers are one list in drawing order, and regions measure distances as they should."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rish_core import Transform
from rish_frame import Hits, Region, pick
from rish_frame.frame import MARK, distance_to

POINT = Region(np.zeros((1, 2)), np.zeros((1, 2)))
coordinates = st.floats(-100, 100, width=32)


class Vane:
    """The kind of a drawn thing."""


class Flag:
    """Another kind."""


def hits(kind: type, *rows: tuple[float, ...]) -> Hits:
    """Return hits of a kind: entity, layer, z, low, within."""
    entity, layer, z, low, within = (np.array(column) for column in zip(*rows, strict=True))
    return Hits(kind, entity, layer, z, low, within)


def test_hits_are_sorted_by_layer_then_z_then_height(rish_app: Any) -> None:
    """Layer counts before z, z before height, height before the picker's own order; the last one is on top."""
    vanes = hits(Vane, (1, 0, 5, 0, 0), (2, 1, 0, -3, 0), (3, 1, 0, -2, 0), (4, 1, 0, -2, 0))
    flags = hits(Flag, (5, 1, 0, -2, 0), (2, 0, 9, 0, 0))
    plugin = SimpleNamespace(rish_pickers=lambda: {"vanes": lambda world, region: [vanes, flags]})
    app = rish_app({}, plugins={"weather": plugin}, installed=["frame"])
    found = pick(app, POINT)
    assert found.entities.tolist() == [5, 4, 3, 2, 2, 1]
    assert found.kinds == (Flag, Vane, Vane, Vane, Flag, Vane)
    assert found.distinct == [5, 4, 3, 2, 1]
    assert found.first == 5


def test_marks_are_above_everything(rish_app: Any) -> None:
    """Things without an image, which a person could not reach otherwise, come first."""
    drawn, marks = hits(Vane, (1, 254, 1e30, 0, 1 << 40)), Hits.marks(Flag, np.array([7]))
    plugin = SimpleNamespace(rish_pickers=lambda: {"weather": lambda world, region: [marks, drawn]})
    assert pick(rish_app({}, plugins={"weather": plugin}, installed=["frame"]), POINT).distinct == [7, 1]


def test_poses_are_up_to_date_when_pickers_are_called(rish_app: Any) -> None:
    """A picker reads the matrices of entities that were added after the last frame."""
    from rish_frame import WorldMatrices

    plugin = SimpleNamespace(rish_pickers=lambda: {"poses": lambda world, region: seen.append(world) or []})
    seen: list[Any] = []
    app = rish_app({}, plugins={"weather": plugin}, installed=["frame"])
    app.frame()
    app.world.spawn(Transform(position=(3, 4)))
    assert len(pick(app, POINT)) == 0
    assert seen[0][WorldMatrices].matrix[-1, 4:].tolist() == [3, 4]


def test_a_region_of_space_asks_pickers_of_space_only(rish_app: Any) -> None:
    """If a tool looks at three dimensions, only pickers with the attribute `in_space` are asked."""

    def flat(world: Any, region: Region) -> list[Hits]:
        return [hits(Vane, (1, 0, 0, 0, 0))]

    def deep(world: Any, region: Region) -> list[Hits]:
        return [hits(Flag, (2, 0, 0, 0, 0))]

    deep.in_space = True  # type: ignore[attr-defined]
    plugin = SimpleNamespace(rish_pickers=lambda: {"flat": flat, "deep": deep})
    app = rish_app({}, plugins={"weather": plugin}, installed=["frame"])
    assert pick(app, POINT).distinct == [2, 1]
    assert pick(app, Region(np.zeros((1, 2)), np.zeros((1, 2)), space=np.eye(4))).distinct == [2]


def test_a_mark_has_the_same_size_on_the_screen_at_every_zoom() -> None:
    """The square around a mark is measured in pixels; a larger radius counts in units."""
    for density in (0.5, 1.0, 8.0):
        region = Region(np.zeros((1, 2)), np.zeros((1, 2)), density=density)
        near, far = 0.99 * MARK / density, 1.01 * MARK / density
        assert region.near([(near, 0), (far, 0)]).tolist() == [True, False]
        assert region.near([(far, 0), (30, 0)], [2 * far, 29]).tolist() == [True, False]


@given(
    st.lists(st.tuples(coordinates, coordinates), min_size=1, max_size=5),
    coordinates,
    coordinates,
    st.floats(1, 50),
    st.floats(0, 6.3),
)
def test_the_distance_to_a_box_is_that_to_its_nearest_point(
    points: list[tuple[float, float]], x: float, y: float, size: float, angle: float
) -> None:
    """The distance to a turned box equals the least distance to any point of it, 0 inside."""
    c, s = math.cos(angle), math.sin(angle)
    square = np.array([(-1, -1), (1, -1), (1, 0.5), (-1, 0.5)]) * size
    box = square @ np.array([(c, s), (-s, c)]) + (x, y)
    found = distance_to(box, points)
    local = (np.array(points) - (x, y)) @ np.array([(c, -s), (s, c)])
    outside = np.maximum(np.maximum(square.min(axis=0) - local, local - square.max(axis=0)), 0)
    np.testing.assert_allclose(found, np.hypot(*outside.T), atol=1e-3)
