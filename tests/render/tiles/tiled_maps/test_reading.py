"""Maps of Tiled, in both of its formats."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import AssetError
from rish_render.tiles.model import GameMap

SOLID = [{"name": "solid", "type": "bool", "value": True}, {"name": "material", "type": "string", "value": "stone"}]


def both(maps: Any, tmp_path: Path, document: dict[str, Any]) -> list[GameMap]:
    """Return the map read from JSON, from XML with CSV cells, and from XML with compressed cells."""
    texts = {
        "a.tmj": maps.as_json(document),
        "b.tmx": maps.as_xml(document),
        "c.tmx": maps.as_xml(document, packed=True),
    }
    for name, data in texts.items():
        (tmp_path / name).write_bytes(data)
    return [maps.build(tmp_path, name) for name in texts]


def test_cells_keep_their_numbers_and_flips(maps: Any, tmp_path: Path) -> None:
    """Cells keep their numbers and flips in every format; the bit for hexagonal rotation is dropped."""
    cells = [[1, 2, 0], [0x80000003, 0x60000004, 0x10000001]]
    for found in both(maps, tmp_path, maps.tiled_map([maps.tile_layer("ground", cells)])):
        assert found.layers[0].cells.tolist() == [[1, 2, 0], [0x80000003, 0x60000004, 1]]
        assert (found.grid.columns, found.grid.rows, found.grid.width) == (3, 2, 16)


def test_groups_pass_on_what_they_say(maps: Any, tmp_path: Path) -> None:
    """A layer combines offset, opacity, visibility, color and parallax of all groups around it."""
    inner = maps.tile_layer("leaf", [[1]], offsetx=3, offsety=5, opacity=0.5, parallaxx=0.5, tintcolor="#80ff0000")
    group = {
        "type": "group", "name": "g", "layers": [inner], "opacity": 0.5, "visible": False, "offsetx": 10,
        "offsety": 20, "parallaxx": 0.5, "parallaxy": 2, "properties": [{"name": "z", "type": "float", "value": 4}],
    }  # fmt: skip
    for found in both(maps, tmp_path, maps.tiled_map([group, maps.tile_layer("top", [[2]])])):
        leaf, top = found.layers
        assert (leaf.name, leaf.offset, leaf.opacity, leaf.visible) == ("leaf", (13, -25), 0.25, False)
        assert leaf.parallax == (0.25, 2)
        assert leaf.tint == pytest.approx((1, 0, 0, 128 / 255))
        assert leaf.properties == {"z": 4}
        assert (top.visible, top.opacity, top.cells.tolist()) == (True, 1, [[2]])


def test_an_infinite_map_is_as_large_as_its_chunks(maps: Any, tmp_path: Path) -> None:
    """An infinite map is as large as its chunks, and all its layers have the same rectangle."""
    chunks = [
        {"x": -16, "y": 0, "width": 2, "height": 2, "data": [1, 2, 3, 4]},
        {"x": 0, "y": -3, "width": 2, "height": 2, "data": [5, 6, 7, 8]},
    ]
    layer = maps.tile_layer("ground", [[0]], chunks=chunks, startx=-16, starty=-3)
    del layer["data"]
    for found in both(maps, tmp_path, maps.tiled_map([layer], infinite=True)):
        assert found.grid.first == (-16, -3)
        cells = found.layers[0].cells
        assert cells.shape == (5, 18)
        assert cells[3:5, 0:2].tolist() == [[1, 2], [3, 4]]
        assert cells[0:2, 16:18].tolist() == [[5, 6], [7, 8]]
        assert np.count_nonzero(cells) == 8


def test_tiles_know_their_part_of_the_picture(maps: Any, tmp_path: Path) -> None:
    """The region of a tile in its image leaves out margins and spacing."""
    tileset = {**maps.TILESET, "firstgid": 1, "margin": 2, "spacing": 1, "imagewidth": 71, "imageheight": 37}
    (tmp_path / "tiles.png").write_bytes(maps.sheet(margin=2, spacing=1))
    for found in both(maps, tmp_path, maps.tiled_map([maps.tile_layer("a", [[1]])], tilesets=[tileset])):
        assert found.tiles.images == ["tiles.png"]
        assert found.tiles.region[1].tolist() == [2, 2, 16, 16]
        assert found.tiles.region[6].tolist() == [19, 19, 16, 16]
        assert len(found.tiles) == 9


def test_a_collection_of_pictures_has_one_a_tile(maps: Any, tmp_path: Path) -> None:
    """In a collection of images each tile has its own image and size, and numbers may be missing."""
    tiles = [
        {"id": 0, "image": "tree.png", "imagewidth": 20, "imageheight": 40},
        {"id": 3, "image": "bush.png", "imagewidth": 16, "imageheight": 16},
    ]
    tileset = {"firstgid": 5, "name": "c", "tilewidth": 20, "tileheight": 40, "tilecount": 2, "columns": 0,
               "margin": 0, "spacing": 0, "tiles": tiles}  # fmt: skip
    for found in both(maps, tmp_path, maps.tiled_map([maps.tile_layer("a", [[5, 8]])], tilesets=[tileset])):
        assert found.tiles.images == ["tree.png", "bush.png"]
        assert found.tiles.image[[5, 6, 8]].tolist() == [0, -1, 1]
        assert found.tiles.size[[5, 8]].tolist() == [[20, 40], [16, 16]]


def test_properties_animations_and_forms_come_along(maps: Any, tmp_path: Path) -> None:
    """Tiles keep their properties, animations and shapes; shapes are from the bottom left, with y up."""
    box = {"id": 1, "x": 0, "y": 8, "width": 16, "height": 8, "rotation": 0, "visible": True, "name": "", "type": ""}
    forms = {"type": "objectgroup", "name": "", "draworder": "index", "opacity": 1, "visible": True, "objects": [box]}
    tiles = [
        {"id": 0, "properties": SOLID, "type": "wall"},
        {"id": 1, "animation": [{"tileid": 1, "duration": 100}, {"tileid": 2, "duration": 300}]},
        {"id": 2, "objectgroup": forms},
    ]
    document = maps.tiled_map([maps.tile_layer("a", [[1]])], tilesets=[{"firstgid": 1, **maps.TILESET, "tiles": tiles}])
    for found in both(maps, tmp_path, document):
        assert found.tiles.properties[1] == {"solid": True, "material": "stone", "class": "wall"}
        animation = found.tiles.animations[2]
        assert [animation.at(t)[0] for t in (0.0, 0.05, 0.1, 0.39, 0.4, 4.15)] == [2, 2, 3, 3, 2, 3]
        assert animation.at(0.15)[1] == pytest.approx(0.4)
        assert sorted(map(tuple, found.tiles.shapes[3][0].tolist())) == [(0, 0), (0, 8), (16, 0), (16, 8)]


def test_objects_stand_in_the_maps_own_space(maps: Any, tmp_path: Path) -> None:
    """Objects are in the map's own space: y points up, and angles are counter-clockwise."""
    blank = {"rotation": 0, "visible": True, "name": "", "type": "", "width": 0, "height": 0}
    objects = [
        {**blank, "id": 1, "name": "start", "type": "player", "x": 8, "y": 24, "point": True},
        {**blank, "id": 2, "x": 16, "y": 0, "width": 32, "height": 16, "rotation": 90,
         "properties": [{"name": "gold", "type": "int", "value": 3}]},
        {**blank, "id": 3, "x": 1, "y": 2, "polygon": [{"x": 0, "y": 0}, {"x": 4, "y": 0}, {"x": 0, "y": 4}]},
    ]  # fmt: skip
    marks = {"type": "objectgroup", "name": "marks", "draworder": "topdown", "opacity": 1, "visible": True,
             "offsetx": 100, "offsety": 0, "objects": objects}  # fmt: skip
    for found in both(maps, tmp_path, maps.tiled_map([maps.tile_layer("a", [[1]]), marks])):
        start, box, form = found.objects
        assert (start.name, start.kind, start.form, start.x, start.y) == ("start", "player", "point", 108, -24)
        assert box.form == "box"
        assert box.properties == {"gold": 3}
        assert box.center == pytest.approx((116 - 8, -16))
        assert form.points.tolist() == [[0, 0], [4, 0], [0, -4]]


def test_tilesets_of_their_own_are_found_beside_the_map(maps: Any, tmp_path: Path) -> None:
    """External tilesets are found relative to the map, their images relative to them; both formats can be mixed."""
    (tmp_path / "sets").mkdir()
    (tmp_path / "sets" / "ground.tsj").write_bytes(maps.as_json(maps.TILESET))
    tsx = maps.as_xml(maps.tiled_map([], tilesets=[maps.TILESET])).decode()
    tsx = tsx[tsx.index("<tileset") : tsx.index("</tileset>")] + "</tileset>"
    (tmp_path / "sets" / "ground.tsx").write_text(tsx)
    for source in ("sets/ground.tsj", "sets/ground.tsx"):
        document = maps.tiled_map([maps.tile_layer("a", [[3]])], tilesets=[{"firstgid": 2, "source": source}])
        for found in both(maps, tmp_path, document):
            assert found.tiles.images == ["sets/tiles.png"]
            assert found.tiles.image[:3].tolist() == [-1, -1, 0]


def test_objects_may_follow_a_template(maps: Any, tmp_path: Path) -> None:
    """An object's own values override those of its template."""
    thing = (
        '<object name="gem" type="loot" width="8" height="8"><properties><property name="worth" type="int" value="5"/>'
    )
    thing += '<property name="kind" value="red"/></properties></object>'
    (tmp_path / "gem.tx").write_text(f"<template>{thing}</template>")
    objects = '<object id="7" template="gem.tx" x="16" y="32"><properties><property name="kind" value="blue"/>'
    objects += "</properties></object>"
    text = maps.as_xml(maps.tiled_map([maps.tile_layer("a", [[1]])])).decode()
    text = text.replace("</map>", f'<objectgroup name="o">{objects}</objectgroup></map>')
    (tmp_path / "m.tmx").write_text(text)
    gem = maps.build(tmp_path, "m.tmx").objects[0]
    assert (gem.name, gem.kind, gem.width, gem.x, gem.y) == ("gem", "loot", 8, 16, -32)
    assert gem.properties == {"worth": 5, "kind": "blue"}


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("1,2,3,4", "1,2,x,4", r"m.tmx:\d+: the layer 'ground': its cells contain 'x'"),
        ("1,2,3,4", "1,2,3", r"m.tmx:\d+: the layer 'ground': it has 3 cells instead of 2×2"),
        ('orientation="orthogonal"', 'orientation="isometrix"', r"m.tmx:2: .*did you mean 'isometric'"),
        ('tilewidth="16" tileheight="16">', 'tilewidth="0" tileheight="16">', r"m.tmx:2: .*0×16"),
        ('width="2" height="2"', 'width="90000" height="90000"', "too large: 90000×90000"),
        ('image source="tiles.png"', 'image source="../../tiles.png"', "is outside the game's folder"),
        ('firstgid="1"', 'firstgid="2000000000"', r"m.tmx:\d+: the tileset 'tiles' has 8 tiles from 2000000000 on"),
        ("</layer>", "</lair>", r"m.tmx:\d+:\d+: not valid XML"),
        ("<map ", "<mop ", r"m.tmx.*not valid XML"),
    ],
)
def test_a_damaged_map_is_reported_in_one_located_sentence(
    maps: Any, tmp_path: Path, old: str, new: str, what: str
) -> None:
    """A damaged map raises AssetError with the file, and the line if there is one."""
    text = maps.as_xml(maps.tiled_map([maps.tile_layer("ground", [[1, 2], [3, 4]])])).decode()
    assert old in text
    (tmp_path / "m.tmx").write_text(text.replace(old, new))
    with pytest.raises(AssetError, match=what):
        maps.build(tmp_path, "m.tmx")


@pytest.mark.parametrize("text", ["{", "[]", '{"type": "tileset"}', '{"layers": 5}', '{"width": 1e999}', "{}", "\xff"])
def test_damaged_json_is_reported_too(maps: Any, tmp_path: Path, text: str) -> None:
    """Damaged JSON raises AssetError that names the file."""
    (tmp_path / "m.tmj").write_text(text, encoding="latin-1")
    with pytest.raises(AssetError, match=r"m\.tmj"):
        maps.build(tmp_path, "m.tmj")


def test_a_tile_that_no_tileset_has_is_left_empty(maps: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A tile number outside all tilesets gives an empty cell and one log line."""
    (tmp_path / "m.tmj").write_bytes(maps.as_json(maps.tiled_map([maps.tile_layer("ground", [[1, 99, 98]])])))
    assert maps.build(tmp_path, "m.tmj").layers[0].cells.tolist() == [[1, 0, 0]]
    assert [record.getMessage() for record in caplog.records] == [
        "m.tmj: the layer 'ground' names the tile 99, which no tileset has, in 2 cells, the first is (1, 0). "
        "Add the tileset, or choose another tile"
    ]
