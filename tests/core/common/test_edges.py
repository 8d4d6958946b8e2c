"""Edges and light points: shared tables in which each source replaces only its own rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core.common.edges import Edges, publish_edges
from rish_ecs import Each, RishError, World
from rish_frame import LightPoints
from rish_frame.frame.lights import clear_lights


@pytest.fixture
def world() -> World:
    """Return a world with the shared tables."""
    return World([Edges, LightPoints])


def line(*xs: float, **more: Any) -> dict[str, Any]:
    """Return the columns of upright edges at these x."""
    x = np.array(xs, np.float32)
    return {"x0": x, "y0": np.zeros_like(x), "x1": x, "y1": np.ones_like(x), **more}


def rows(world: World) -> list[tuple[str, float]]:
    """Return the source and x0 of every edge."""
    edges = world[Edges]
    return [(world.text(n), x) for n, x in zip(edges.source.tolist(), edges.x0.tolist(), strict=True)]


def test_a_source_replaces_its_own_edges_only(world: World) -> None:
    """Publishing replaces the edges of the source; those of other sources stay."""
    publish_edges(world, "tiles", **line(1, 2, 3))
    publish_edges(world, "physics", **line(10))
    publish_edges(world, "tiles", **line(4))
    assert sorted(rows(world)) == [("physics", 10), ("tiles", 4)]
    publish_edges(world, "physics", **line(11, 12))
    assert sorted(rows(world)) == [("physics", 11), ("physics", 12), ("tiles", 4)]


def test_one_value_stands_for_all_rows(world: World) -> None:
    """A single number or text is used for all rows, and missing columns have their defaults."""
    publish_edges(world, "tiles", **line(1, 2, mask=6, material="stone", owner=77))
    edges = world[Edges]
    assert edges.mask.tolist() == [6, 6]
    assert [world.text(n) for n in edges.material.tolist()] == ["stone", "stone"]
    assert edges.owner.tolist() == [77, 77]
    publish_edges(world, "tiles", **line(1, 2))
    assert edges.mask.tolist() == [1, 1]


def test_texts_may_differ_from_row_to_row(world: World) -> None:
    """Texts can differ from row to row with `Each`, which also can determine the number of rows."""
    publish_edges(world, "tiles", material=Each(["wood", "stone", "wood"]), x0=5.0)
    edges = world[Edges]
    assert [world.text(n) for n in edges.material.tolist()] == ["wood", "stone", "wood"]
    assert edges.x0.tolist() == [5, 5, 5]


def test_a_single_edge_needs_no_array(world: World) -> None:
    """Plain numbers publish one row."""
    publish_edges(world, "wall", x0=1, y0=2, x1=3, y1=4)
    assert rows(world) == [("wall", 1)]


def test_nothing_takes_the_sources_edges_away(world: World) -> None:
    """Publishing no columns or empty ones removes the source's edges."""
    for empty in ({}, line()):
        publish_edges(world, "tiles", **line(1, 2))
        publish_edges(world, "physics", **line(9))
        publish_edges(world, "tiles", **empty)
        assert rows(world) == [("physics", 9)]


def test_membership_shows_that_a_source_has_published(world: World) -> None:
    """`membership` rises with each publication, even if the number of edges stays or becomes 0."""
    edges, seen = world[Edges], [0]
    for columns in (line(1), line(2), {}):
        publish_edges(world, "tiles", **columns)
        seen.append(edges.membership)
    assert seen == sorted(set(seen))


@pytest.mark.parametrize(
    "wrong",
    [
        {"x0": np.zeros(3), "y0": np.zeros(2)},
        {"x0": np.zeros(2), "material": Each(["a", "b", "c"])},
        {"x0": np.array([1.0, np.nan])},
        {"x0": "left"},
        {"color": 3},
    ],
)
def test_what_does_not_fit_changes_nothing(world: World, wrong: dict[str, Any]) -> None:
    """Columns of wrong lengths, types or names raise an error, and the old edges stay."""
    publish_edges(world, "tiles", **line(1, 2))
    before = world.hash()
    with pytest.raises(RishError):
        publish_edges(world, "tiles", **wrong)
    assert world.hash() == before


def test_edges_are_state_and_lights_are_not(world: World) -> None:
    """Edges are in the hash and in snapshots; light points are not in the hash."""
    empty = world.hash()
    publish_edges(world, "tiles", **line(1))
    walled = world.hash()
    assert walled != empty
    saved = world.snapshot()
    publish_edges(world, "tiles", **line(2))
    world.restore(saved)
    assert (world.hash(), rows(world)) == (walled, [("tiles", 1)])
    lights = world[LightPoints]
    lights.append(2, x=3.0, y=4.0, color=(1, 0.5, 0, 1))
    first = world.hash()
    lights.x[:] = 9
    assert world.hash() == first


def test_a_frame_begins_in_the_dark(world: World) -> None:
    """The lights of the last frame are removed at the beginning of a frame."""
    world[LightPoints].append(3, x=1.0)
    clear_lights(world, 0.0)
    assert len(world[LightPoints]) == 0
    clear_lights(world, 0.0)
