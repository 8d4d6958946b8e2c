"""Drawing of maps."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from long_runs import long
from rish_assets import report_changes
from rish_core import Assets, Transform
from rish_frame import pack_sprites
from rish_frame.frame.batches import unpack_sprites
from rish_frame.pictures import save_png
from rish_render import Camera, Sampling, Shape
from rish_render.tiles import TileMap, set_tiles
from rish_render.tiles.boards import TileMaps

ROOM = """\
tilesets: {t: tiles.png}
legend:
  "0": 0
  "1": 1
  "2": 2
  "~": {frames: [3, 4], every: 0.5}
  "t": {tile: 5, turn: 90}
layers:
  ground: |
    0120
    1.~2
    2001
  roof:
    rows: |
      ....
      .2..
    z: 5
"""


def room(stage: Any, name: str = "room.map.yaml", **fields: Any) -> int:
    """Spawn an entity with a map at the origin."""
    return stage.put(0, 0, TileMap(map=name, **fields))


def colors(picture: np.ndarray, cell: int = 16) -> np.ndarray:
    """Return the color in the middle of each cell of an image, (rows, columns, 3)."""
    return picture[cell // 2 :: cell, cell // 2 :: cell, :3]


def test_every_cell_shows_its_tile(map_studio: Any, maps: Any) -> None:
    """Every cell shows its tile, top row first."""
    stage = map_studio({"room.map.yaml": ROOM}, size=(64, 48))
    room(stage)
    found = colors(stage.shoot())
    number = {"0": 0, "1": 1, "2": 2, "~": 3}
    for row, line in enumerate(("0120", "12~2", "2001")):
        for column, letter in enumerate(line):
            assert found[row, column].tolist() == list(maps.COLORS[number[letter]])
    assert [batch.kind for batch in stage.batches] == ["tiles", "tiles"]


def test_a_hidden_map_is_not_drawn(map_studio: Any) -> None:
    """A map is not drawn if it is invisible or transparent, and only the layers listed in `shown` are drawn."""
    stage = map_studio({"room.map.yaml": ROOM}, size=(64, 48))
    entity = room(stage, visible=False)
    stage.shoot()
    assert stage.batches == []
    stage.world.set(entity, TileMap(visible=True, opacity=0))
    stage.shoot()
    assert stage.batches == []
    stage.world.set(entity, TileMap(opacity=0.5, color=(1, 0, 0, 1), shown=("roof",)))
    stage.shoot()
    assert [batch.arrays["rgba"].tolist() for batch in stage.batches] == [[255, 0, 0, 128]]
    assert [batch.z for batch in stage.batches] == [5]


def test_map_layers_find_layers_of_the_game_by_name(map_studio: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A map layer is drawn on the layer of its name or of its `layer` property; an unknown name is logged once."""
    text = ROOM.replace("z: 5", "layer: hed")
    stage = map_studio({"a.map.yaml": ROOM, "b.map.yaml": text}, size=(64, 48), layers=["ground", "roof", "top"])
    room(stage, "a.map.yaml", layer="top")
    stage.shoot()
    assert [batch.layer for batch in stage.batches] == [0, 1]
    room(stage, "b.map.yaml", layer="top")
    stage.shoot()
    stage.shoot()
    assert [batch.layer for batch in stage.batches] == [0, 0, 1, 2]
    assert [record.getMessage() for record in caplog.records] == [
        "b.map.yaml: its layer 'roof' names the layer 'hed', which does not exist"
    ]


def test_scrolling_makes_nothing_new(map_studio: Any) -> None:
    """The batches stay the same objects with the same version while the camera scrolls."""
    stage = map_studio({"room.map.yaml": ROOM}, size=(64, 48))
    camera = stage.put(0, 0, Camera())
    room(stage)
    stage.shoot()
    before = [(id(batch), batch.version) for batch in stage.batches]
    for step in range(1, 6):
        stage.world.set(camera, Transform(position=(step * 7.3, step)))
        stage.shoot()
        assert [(id(batch), batch.version) for batch in stage.batches] == before
    assert all(version is not None for _, version in before)


def test_an_edit_makes_one_block_anew(map_studio: Any, maps: Any) -> None:
    """An edit makes a new batch for one block, and the other batches stay the same objects."""
    document = maps.tiled_map([maps.tile_layer("ground", np.ones((20, 600), int))])
    stage = map_studio({"wide.tmj": maps.as_json(document)}, size=(64, 48))
    stage.put(4800, 100, Camera(zoom=0.006))
    entity = room(stage, "wide.tmj")
    stage.shoot()
    before = {id(batch) for batch in stage.batches}
    assert len(before) == 3
    set_tiles(stage.world, entity, "ground", [300, 301], [5, 6], [4, 0])
    stage.shoot()
    now = {id(batch) for batch in stage.batches}
    assert len(now & before) == 2
    fresh = next(batch for batch in stage.batches if id(batch) not in before)
    assert fresh.arrays["cells"][6, 301 - 256] == 0
    assert fresh.arrays["cells"][5, 300 - 256] != fresh.arrays["cells"][5, 299 - 256]


@pytest.mark.slow
def test_animated_tiles_follow_the_time_of_the_world(map_studio: Any, maps: Any) -> None:
    """Animated tiles follow the world's time, and a batch is made again only when a tile changes."""
    stage = map_studio({"room.map.yaml": ROOM}, size=(64, 48))
    room(stage)
    shown, objects = [], []
    for _ in range(70):
        stage.shoot()
        shown.append(tuple(stage.app.pixels()[24, 40, :3].tolist()))
        objects.append(id(stage.batches[0]))
    time = stage.world.time
    assert len(set(shown)) == 2
    assert shown[-1] == maps.COLORS[3 + int(time / 0.5 + 1e-9) % 2]
    assert len(set(objects)) <= 2 + int(time / 0.5)


FLIPPED = np.array([[(flags << 29) | 1 for flags in range(8)]], np.uint32)


@pytest.mark.parametrize("wide", [False, True])
def test_flips_turn_the_picture_as_tiled_does(map_studio: Any, maps: Any, wide: bool) -> None:
    """Flips match Tiled, for blocks and for sprites of oversized tiles: transposed first, then mirrored."""
    rng = np.random.default_rng(2)
    picture = rng.integers(0, 256, (16, 16, 4)).astype(np.uint8)
    picture[..., 3] = 255
    import io

    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(picture).save(file, "PNG")
    tileset = {**maps.TILESET, "firstgid": 1, "imagewidth": 16, "imageheight": 16, "tilecount": 1, "columns": 1}
    cell = 15 if wide else 16
    document = maps.tiled_map([maps.tile_layer("a", FLIPPED)], tilesets=[tileset])
    document |= {"tilewidth": cell, "tileheight": cell}
    if wide:
        document["layers"][0].update(width=15, data=[int(FLIPPED[0, k // 2]) if k % 2 == 0 else 0 for k in range(15)])
        document["width"] = 15
    stage = map_studio({"m.tmj": maps.as_json(document), "tiles.png": file.getvalue()}, size=(256, 16))
    room(stage, "m.tmj")
    found = stage.shoot()
    assert {batch.kind for batch in stage.batches} == {"sprites" if wide else "tiles"}
    for flags in range(8):
        expected = picture[..., :3]
        if flags & 1:
            expected = expected.transpose(1, 0, 2)
        if flags & 2:
            expected = expected[::-1]
        if flags & 4:
            expected = expected[:, ::-1]
        x = flags * (30 if wide else 16)
        assert np.array_equal(found[:, x : x + 16, :3], expected), flags


def test_tall_tiles_stand_upon_the_rest(map_studio: Any, maps: Any) -> None:
    """Tall tiles are sprites whose feet are in their cells; the other tiles stay in a block."""
    tall = {"id": 0, "image": "tiles.png", "imagewidth": 64, "imageheight": 32}
    tall |= {"x": 0, "y": 0, "width": 16, "height": 32}
    trees = {"firstgid": 9, "name": "t", "tilewidth": 16, "tileheight": 32, "tilecount": 1, "columns": 0, "margin": 0,
             "spacing": 0, "tiles": [tall]}  # fmt: skip
    document = maps.tiled_map([maps.tile_layer("a", [[4, 4, 4], [4, 4, 4], [4, 9, 4]])])
    document["tilesets"] = [{"firstgid": 1, **maps.TILESET}, trees]
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(48, 48))
    room(stage, "m.tmj")
    found = colors(stage.shoot())
    assert [batch.kind for batch in stage.batches] == ["tiles", "sprites"]
    assert found[2, 1].tolist() == list(maps.COLORS[4])  # the lower half of the image is its second row
    assert found[1, 1].tolist() == list(maps.COLORS[0])
    assert found[0, 1].tolist() == list(maps.COLORS[3])


DIAMONDS = {
    "isometric": {},
    "staggered": {"staggeraxis": "y", "staggerindex": "odd"},
    "hexagonal": {"staggeraxis": "x", "staggerindex": "even", "hexsidelength": 8},
}


@pytest.mark.parametrize("orientation", DIAMONDS)
def test_cells_that_are_no_squares_are_drawn_from_the_back(map_studio: Any, maps: Any, orientation: str) -> None:
    """Isometric, staggered and hexagonal cells are at their places, drawn from back to front as in a plain loop."""
    rng = np.random.default_rng(7)
    cells = rng.integers(0, 9, (7, 6))
    document = maps.tiled_map([maps.tile_layer("a", cells)], orientation=orientation, **DIAMONDS[orientation])
    document["tileheight"] = 8
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(160, 120))
    entity = room(stage, "m.tmj")
    stage.shoot()
    board = stage.world[TileMaps].board(stage.world, entity)
    grid = board.map.grid
    spots = [(c, r) for r in range(7) for c in range(6) if cells[r, c]]
    corner = {spot: grid.corners(np.array([spot]))[0] for spot in spots}
    spots.sort(key=lambda spot: (-corner[spot][1], corner[spot][0]))
    x0, y0 = grid.box[0], grid.box[1]
    expected = [(corner[s][0] - x0 + 8, corner[s][1] - y0 - 8 + 8) for s in spots]
    (batch,) = stage.batches
    found = unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)
    assert np.allclose(np.stack([found["x"], found["y"]], axis=1), expected)
    frames = batch.arrays["instances"]["frame"].astype(int)
    numbers = np.array([cells[r, c] for c, r in spots])
    assert len({(frame, number) for frame, number in zip(frames, numbers, strict=True)}) == len(set(numbers.tolist()))


@pytest.mark.slow
def test_a_window_of_sprites_stays_while_the_view_stays_within(map_studio: Any, maps: Any) -> None:
    """A window of sprites is reused while the view stays within it, and every visible cell is always drawn."""
    document = maps.tiled_map([maps.tile_layer("a", np.ones((200, 200), int))], orientation="isometric")
    document["tileheight"] = 8
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(64, 48))
    camera = stage.put(1600, 800, Camera())
    room(stage, "m.tmj")
    made = set()
    for step in range(60):
        stage.world.set(camera, Transform(position=(1600 + 3 * step, 800 + step)))
        picture = stage.shoot()
        (batch,) = stage.batches
        made.add(id(batch.arrays["instances"]))
        assert (picture[..., 0] == 220).all()
        assert batch.count < 2000
    assert len(made) < 12


def test_things_stand_between_the_strips_of_a_sorted_layer(map_studio: Any, maps: Any) -> None:
    """On a y-sorted layer a shape is drawn before the tiles that are lower and after those that are higher."""
    document = maps.tiled_map([maps.tile_layer("a", [[1], [2], [3]])])
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(16, 48), layers=[{"w": {"y_sort": True}}])
    room(stage, "m.tmj", layer="w")
    stage.put(8, 20, Shape(size=(16, 16), color=(1, 1, 1, 1), layer="w"))
    picture = stage.shoot()
    assert picture[24, 8, :3].tolist() == [255, 255, 255]  # in front of the tile on which it stands
    assert picture[33, 8, :3].tolist() == list(maps.COLORS[2])  # behind the tile below


@pytest.mark.parametrize("sampling", Sampling)
@pytest.mark.slow
def test_no_seam_shows_at_any_zoom(map_studio: Any, maps: Any, sampling: Sampling) -> None:
    """At random zooms, places and angles, a map of one color has no pixel of another color inside."""
    rng = np.random.default_rng(11)
    cells = np.full((40, 300), 3) | (rng.integers(0, 8, (40, 300)) << 29)
    document = maps.tiled_map([maps.tile_layer("a", cells)])
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(96, 64))
    camera = stage.put(0, 0, Camera())
    entity = room(stage, "m.tmj", sampling=sampling, anchor=(0.5, 0.5))
    for attempt in range(long(100, 24)):
        zoom = float(np.exp(rng.uniform(np.log(0.25), np.log(9))))
        stage.world.set(camera, Camera(zoom=zoom))
        stage.world.set(camera, Transform(position=rng.uniform(-60, 60, 2)))
        stage.world.set(entity, Transform(rotation=0.0 if attempt % 2 else float(rng.uniform(-0.2, 0.2))))
        picture = stage.shoot()
        assert (picture[..., :3] == maps.COLORS[2]).all(), (attempt, zoom)


def test_a_missing_picture_is_a_checkerboard(map_studio: Any, maps: Any) -> None:
    """A missing tileset image is drawn as a checkerboard."""
    tileset = {"firstgid": 1, **maps.TILESET, "image": "no.png"}
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2]])], tilesets=[tileset])
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(32, 16))
    room(stage, "m.tmj")
    assert {tuple(color) for color in stage.shoot()[..., :3].reshape(-1, 3).tolist()} <= {(255, 0, 255), (0, 0, 0)}


def test_a_color_may_count_as_transparent(map_studio: Any, maps: Any) -> None:
    """A tileset can declare one color as transparent, also after its image was edited."""
    tileset = {"firstgid": 1, **maps.TILESET, "transparentcolor": "#dc3c3c"}
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2]])], tilesets=[tileset])
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(32, 16))
    room(stage, "m.tmj")
    found = colors(stage.shoot())
    assert found[0, 0].tolist() != list(maps.COLORS[0])
    assert found[0, 1].tolist() == list(maps.COLORS[1])
    assets = stage.world[Assets]
    save_png(assets.root / "tiles.png", np.full((32, 64, 4), (9, 90, 9, 255), np.uint8))
    report_changes(assets, [assets.root.resolve() / "tiles.png"])
    assert colors(stage.shoot())[0].tolist() == [[9, 90, 9]] * 2


def test_layers_of_the_map_have_a_parallax_of_their_own(map_studio: Any, maps: Any) -> None:
    """A map layer has its own parallax; one with parallax 0 stays on the screen."""
    layer = maps.tile_layer("a", [[1]], parallaxx=0, parallaxy=1)
    stage = map_studio({"m.tmj": maps.as_json(maps.tiled_map([layer]))}, size=(32, 32))
    stage.put(1000, 0, Camera())
    room(stage, "m.tmj")
    assert stage.shoot()[8, 24, :3].tolist() == list(maps.COLORS[0])


def test_a_map_that_is_turned_or_sheared_is_drawn_so(map_studio: Any, maps: Any) -> None:
    """Maps that are only rotated and scaled use packed sprites; mirrored ones use a matrix for each sprite."""
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2], [3, 4]])], orientation="isometric")
    stage = map_studio({"m.tmj": maps.as_json(document)}, size=(64, 64))
    for scale, kind in (((2, 2), "sprites"), ((2, 1), "sprites"), ((-1, 1), "sprites_wide")):
        entity = stage.put(32, 32, TileMap(map="m.tmj"), rotation=0.5, scale=scale)
        stage.shoot()
        assert [batch.kind for batch in stage.batches] == [kind]
        stage.world.despawn(entity)


def test_packed_tiles_are_exact() -> None:
    """Packed tiles stay at whole pixels, however wide the window is."""
    x = np.arange(-6000, 6000, 8).astype(float)
    packed = pack_sprites(x, x, 16, 16, unit=2.0)
    assert np.array_equal(unpack_sprites(packed, unit=2.0)["x"], x.astype(np.float32))
