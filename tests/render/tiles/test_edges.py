"""Edges of maps, published for other plugins."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import Edges, Transform
from rish_render import plugin
from rish_render.tiles import TileMap, set_tiles

TEXT = """\
legend:
  "#": {solid: true, material: stone, mask: 5}
  "-": {one_way: true}
layers:
  ground: |
    ....
    .-..
    ####
  walls: |
    #...
    #...
    #...
"""


@pytest.fixture
def app(rish_app: Any) -> Any:
    """Build a game with one map at (100, 50), without a renderer and without images."""
    return rish_app(
        {
            "scenes": {
                "main": [{"name": "room", "Transform": {"position": [100, 50]}, "TileMap": {"map": "r.map.yaml"}}]
            }
        },
        plugins={"render": plugin},
        files={"r.map.yaml": TEXT},
    )


def lines(world: Any) -> list[tuple[float, ...]]:
    """Return the published edges, sorted."""
    edges = world[Edges]
    columns = (edges.x0, edges.y0, edges.x1, edges.y1)
    return sorted(zip(*(column.tolist() for column in columns), strict=True))


ROOM = [
    (100.0, 50.0, 164.0, 50.0),
    (100.0, 98.0, 100.0, 50.0),
    (116.0, 66.0, 116.0, 98.0),
    (116.0, 98.0, 100.0, 98.0),
    (132.0, 82.0, 116.0, 82.0),
    (164.0, 50.0, 164.0, 66.0),
    (164.0, 66.0, 116.0, 66.0),
]


def test_a_map_publishes_its_edges_with_what_they_are_made_of(app: Any) -> None:
    """A map publishes its edges with mask and material, as a separate source owned by the map."""
    app.run(frames=2)
    edges = app.world[Edges]
    room = int(app.world[TileMap].entities[0])
    assert lines(app.world) == ROOM
    one_way = edges.y0 == 82
    assert edges.mask[~one_way].tolist() == [5] * 6
    assert edges.mask[one_way].tolist() == [1]
    assert {app.world.text(number) for number in edges.material[~one_way].tolist()} == {"stone"}
    assert set(edges.owner.tolist()) == {room}
    assert {app.world.text(number) for number in edges.source.tolist()} == {f"tiles.{room}"}


def test_nothing_is_published_again_while_nothing_changes(app: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edges are not published again while nothing changes, and also not after a restore."""
    app.run(frames=1)
    published: list[str] = []
    monkeypatch.setattr("rish_render.tiles.edges.publish_edges", lambda _, source, **columns: published.append(source))
    app.run(frames=5)
    snapshot, before = app.world.snapshot(), app.world.hash()
    app.world.restore(snapshot)
    app.run(frames=1)
    assert published == []
    app.world.restore(snapshot)
    assert app.world.hash() == before


def test_edges_follow_the_map_and_its_cells(app: Any) -> None:
    """Edges follow the map when it is moved, mirrored or edited."""
    app.run(frames=2)
    world = app.world
    room = int(world[TileMap].entities[0])
    world.set(room, Transform(position=(0, 0)))
    app.tick()
    assert lines(world) == [(a - 100, b - 50, c - 100, d - 50) for a, b, c, d in ROOM]
    set_tiles(world, room, "walls", 0, [0, 1, 2], 0)
    set_tiles(world, room, "ground", 1, 1, 0)
    app.tick()
    assert lines(world) == [(0, 0, 64, 0), (0, 16, 0, 0), (64, 0, 64, 16), (64, 16, 0, 16)]
    world.set(room, Transform(scale=(-1, 1)))
    app.tick()
    assert lines(world) == [(-64, 0, 0, 0), (-64, 16, -64, 0), (0, 0, 0, 16), (0, 16, -64, 16)]


def test_a_map_need_not_block(app: Any) -> None:
    """Edges can be turned off for the complete map or for some layers."""
    app.run(frames=2)
    world = app.world
    room = int(world[TileMap].entities[0])
    world.set(room, TileMap(shown=("walls",)))
    app.tick()
    assert len(lines(world)) == 4
    world.set(room, TileMap(solid=False))
    app.tick()
    assert lines(world) == []


def test_edges_go_with_their_map(app: Any) -> None:
    """The edges of a despawned map are removed, also in a restored world."""
    app.run(frames=2)
    world = app.world
    room = int(world[TileMap].entities[0])
    snapshot = world.snapshot()
    world.despawn(room)
    app.tick()
    assert lines(world) == []
    world.restore(snapshot)
    world.despawn(room)
    app.tick()
    assert lines(world) == []


def test_maps_do_not_mix_their_edges(app: Any) -> None:
    """Two maps keep separate edges, and each replaces only its own."""
    app.run(frames=1)
    world = app.world
    other = world.spawn(Transform(position=(1000, 0)), TileMap(map="r.map.yaml"))
    app.tick()
    assert len(lines(world)) == 2 * len(ROOM)
    world.set(other, Transform(position=(2000, 0)))
    app.tick()
    x = np.array(lines(world))[:, 0]
    assert (x < 200).sum() == len(ROOM)
    assert (x >= 2000).sum() == len(ROOM)
