"""Functions by which a game reads and changes its maps."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rish_core import Stage, Transform, UnknownName, UsageError, system
from rish_render.tiles import (
    TileMap,
    cell_center,
    cell_of,
    map_objects,
    set_tiles,
    tile_at,
    tile_number,
    tile_properties,
    tiles_in,
)
from rish_render.tiles.access import merged
from rish_render.tiles.boards import TileMaps

TEXT = """\
tilesets: {t: tiles.png}
legend:
  "#": {tile: 0, solid: true, material: stone}
  "w": 2
layers:
  ground: |
    ##..
    w..w
    ....
objects:
  - {name: start, class: player, at: [0.5, 0.5]}
"""


@pytest.fixture
def stage(map_studio: Any) -> Any:
    """Return a studio with a map and its image."""
    return map_studio({"room.map.yaml": TEXT})


def put(stage: Any, x: float = 0, y: float = 0, angle: float = 0, scale: Any = (1, 1), **fields: Any) -> int:
    """Spawn an entity with the map."""
    return stage.put(x, y, TileMap(map="room.map.yaml", **fields), rotation=angle, scale=scale)


def test_the_bottom_left_corner_stands_on_the_position(stage: Any) -> None:
    """The map's bottom left corner is at the entity's position unless it has another anchor; row 0 is at the top."""
    room = put(stage, 100, 50)
    assert cell_center(stage.world, room, [0, 2]).tolist() == [108, 58]
    assert cell_center(stage.world, room, [[0, 0], [3, 1]]).tolist() == [[108, 90], [156, 74]]
    middle = put(stage, 100, 50, anchor=(0.5, 0.5))
    assert cell_center(stage.world, middle, [0, 0]).tolist() == [76, 66]


def test_points_find_their_cells_however_the_map_stands(stage: Any) -> None:
    """`cell_of` inverts `cell_center` for moved, rotated, stretched and mirrored maps, and for children."""
    cells = np.stack(np.meshgrid(np.arange(-2, 6), np.arange(-2, 5)), axis=-1).reshape(-1, 2)
    parent = stage.put(30, 40, rotation=1.0, scale=(2, 2))
    for options in (
        {},
        {"x": 12.5, "y": -7, "angle": 0.7},
        {"scale": (3, 0.25), "angle": math.pi / 2},
        {"scale": (-1, 2)},
    ):
        room = put(stage, **options)
        stage.world.set(room, Transform(parent=parent))
        points = cell_center(stage.world, room, cells)
        assert np.array_equal(cell_of(stage.world, room, points), cells)


def test_tiles_are_found_by_point_and_by_cell(stage: Any) -> None:
    """Tiles can be read by point and by cell; outside the map the tile is 0."""
    room = put(stage)
    wall, water = tile_number(stage.world, room, "#"), tile_number(stage.world, room, "w")
    assert tile_at(stage.world, room, "ground", [(1, 47), (60, 20), (60, 1), (-1, 1), (1e6, 1e6)]).tolist() == [
        wall,
        water,
        0,
        0,
        0,
    ]
    assert tiles_in(stage.world, room, 0, [0, 3, 9], 1).tolist() == [water, water, 0]
    assert int(tile_at(stage.world, room, "ground", (1, 47))) == wall


def test_tiles_say_what_they_mean(stage: Any) -> None:
    """The properties of a tile can be read for one cell or for many."""
    room = put(stage)
    assert tile_properties(stage.world, room, "ground", 1, 0) == {"solid": True, "material": "stone"}
    assert [len(one) for one in tile_properties(stage.world, room, "ground", [1, 0, 5], [0, 1, 5])] == [2, 0, 0]


def test_objects_are_in_the_maps_own_space(stage: Any) -> None:
    """Objects are returned in the map's own space, of all layers or of one."""
    room = put(stage)
    (start,) = map_objects(stage.world, room)
    assert (start.name, start.kind, start.x, start.y) == ("start", "player", 8, -8)
    assert map_objects(stage.world, room, "marks") == []


def test_cells_can_be_changed_by_name_and_by_number(stage: Any) -> None:
    """Many cells can be set in one call, by name or number; the last value for a cell wins."""
    room = put(stage)
    water = tile_number(stage.world, room, "w")
    set_tiles(stage.world, room, "ground", [2, 3, 2], [0, 0, 0], [water, water, 0])
    set_tiles(stage.world, room, 0, 0, 2, "#")
    found = tiles_in(stage.world, room, 0, [2, 3, 0], [0, 0, 2])
    assert found.tolist() == [0, water, tile_number(stage.world, room, "#")]
    other = put(stage)
    assert tiles_in(stage.world, other, 0, 3, 0) == 0


@pytest.mark.parametrize(
    ("arguments", "error", "what"),
    [
        (("grund", 0, 0, 1), UnknownName, "did you mean 'ground'"),
        ((5, 0, 0, 1), UnknownName, "no layer 5"),
        (("ground", 4, 0, 1), UsageError, r"\(4, 0\) is outside"),
        (("ground", [0, -1], 0, 1), UsageError, r"\(-1, 0\) is outside"),
        (("ground", 0, 0, 99), UsageError, "no tile 99"),
        (("ground", 0, 0, -1), UsageError, "no tile -1"),
        (("ground", 0.5, 0, 1), UsageError, "whole numbers"),
        (("ground", 0, 0, "lava"), UnknownName, "no tile is called 'lava'"),
    ],
)
def test_what_can_not_be_changed_is_refused_as_a_whole(stage: Any, arguments: Any, error: type, what: str) -> None:
    """An invalid edit raises an error and changes nothing."""
    room = put(stage)
    before = stage.world.hash()
    with pytest.raises(error, match=what):
        set_tiles(stage.world, room, *arguments)
    assert stage.world.hash() == before


def test_edits_are_state(stage: Any) -> None:
    """Edits are state: they are in snapshots and hashes, and a restore brings them back."""
    room = put(stage)
    clean, start = stage.world.hash(), stage.world.snapshot()
    set_tiles(stage.world, room, "ground", [1, 2], [2, 2], "w")
    edited, later = stage.world.hash(), stage.world.snapshot()
    assert edited != clean
    stage.world.restore(start)
    assert stage.world.hash() == clean
    assert tiles_in(stage.world, room, 0, [1, 2], 2).tolist() == [0, 0]
    stage.world.restore(later)
    assert stage.world.hash() == edited
    assert (tiles_in(stage.world, room, 0, [1, 2], 2) > 0).all()


def test_the_same_map_has_the_same_hash_whatever_came_first(stage: Any) -> None:
    """The hash does not depend on the order of edits."""
    room = put(stage)
    start = stage.world.snapshot()
    set_tiles(stage.world, room, 0, [0, 1], [2, 2], "w")
    set_tiles(stage.world, room, 0, 3, 2, "#")
    one = stage.world.hash()
    stage.world.restore(start)
    for x, tile in ((3, "w"), (1, "w"), (0, "#"), (3, "#"), (0, "w")):
        set_tiles(stage.world, room, 0, x, 2, tile)
    assert stage.world.hash() == one


def test_merged_edits_are_as_a_plain_dictionary_would_have_them() -> None:
    """Random edits, merged in many steps, equal those of a plain dictionary."""
    rng = np.random.default_rng(3)
    edits, plain = np.zeros((0, 4), np.int32), {}
    for _ in range(40):
        n = int(rng.integers(1, 12))
        layer, x, y = int(rng.integers(0, 2)), rng.integers(-4, 5, n), rng.integers(-4, 5, n)
        cells = rng.integers(0, 2**32, n).astype(np.uint32)
        edits = merged(edits, layer, x, y, cells)
        for column, row, cell in zip(x.tolist(), y.tolist(), cells.tolist(), strict=True):
            plain[layer, row, column] = cell
    expected = [[*key, value] for key, value in sorted(plain.items())]
    assert np.column_stack([edits[:, :3], edits[:, 3].view(np.uint32)]).tolist() == expected


def test_a_system_can_edit_a_map_and_see_it_at_once(rish_app: Any, maps: Any) -> None:
    """A system that declares `writes=TileMap` can edit a map and immediately reads the new cell."""
    from rish_render import plugin

    seen = []

    @system(Stage.UPDATE, writes=TileMap)
    def dig(world: Any, dt: float) -> None:
        for room in world.query(TileMap).entities.tolist():
            set_tiles(world, room, "ground", 0, 0, 0)
            seen.append(int(tiles_in(world, room, "ground", 0, 0)))

    digger = type("Digger", (), {"rish_systems": staticmethod(lambda: [dig])})()
    app = rish_app(
        {"scenes": {"main": [{"Transform": {}, "TileMap": {"map": "room.map.yaml"}}]}},
        plugins={"render": plugin, "digger": digger},
        files={"room.map.yaml": TEXT, "tiles.png": maps.sheet()},
    )
    app.run(frames=3)
    assert seen
    assert not any(seen)


def test_a_missing_map_is_reported_once_and_is_empty(stage: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A missing map is logged once and counts as empty, and the game continues."""
    room = stage.put(0, 0, TileMap(map="rom.map.yaml"))
    for _ in range(3):
        stage.shoot()
    assert stage.world[TileMaps].board(stage.world, room).cells == []
    told = [record.getMessage() for record in caplog.records if "rom.map.yaml" in record.getMessage()]
    assert len(told) == 1
    assert "room.map.yaml" in told[0]


def test_a_map_that_changed_on_disk_is_shown_as_it_is_now(stage: Any, tmp_path: Any) -> None:
    """When a map file changes on disk the new cells are used, and edits stay."""
    from rish_core import Assets

    room = put(stage)
    set_tiles(stage.world, room, "ground", 3, 2, "w")
    path = stage.world[Assets].resolve("room.map.yaml")
    path.write_text(TEXT.replace("    w..w", "    wwww"))
    assert stage.world[Assets].reload("room.map.yaml")
    water = tile_number(stage.world, room, "w")
    assert tiles_in(stage.world, room, 0, [0, 1, 2, 3], 1).tolist() == [water] * 4
    assert tiles_in(stage.world, room, 0, 3, 2) == water
