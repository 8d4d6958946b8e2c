"""Maps written by hand in YAML."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import AssetError
from rish_render.tiles.autotile import autotile
from rish_render.tiles.model import TILE, GameMap
from rish_render.tiles.plain_maps.reading import load_yaml_map

GOOD = """\
cell: 16
tilesets:
  ground: tiles.png
  more: {image: tiles.png, cell: [8, 8], margin: 0, spacing: 0}
legend:
  "#": {tile: 4, solid: true, material: stone}
  "s": {tile: 4, mask: 6, class: secret}
  "~": {frames: [1, 2, 3], every: 0.2}
  "^": {tile: [2, 1], turn: 90, flip_x: true}
  "m": {tile: 9, set: more}
  "5": 5
  "o": {object: coin, properties: {worth: 3}}
layers:
  back: |
    ~~~~
    ~~~~
  front:
    rows: |
      #..o
      s^m5
    z: 2
    layer: hud
    offset: [1, 2]
    color: red
    parallax: 0.5
objects:
  - {name: start, class: player, at: [0.5, 1.5]}
  - {class: zone, at: [1, 0], size: [2, 1], properties: {gold: 1}}
"""


def load(maps: Any, folder: Path, text: str) -> GameMap:
    """Read a map from its text, with a tileset beside it."""
    (folder / "tiles.png").write_bytes(maps.sheet())
    path = folder / "room.map.yaml"
    path.write_text(text)
    return load_yaml_map(path)


def test_rows_of_text_become_tiles(maps: Any, tmp_path: Path) -> None:
    """Each character becomes the tile that the legend defines for it."""
    found = load(maps, tmp_path, GOOD)
    back, front = found.layers
    tiles = found.tiles
    number = front.cells & np.uint32(TILE)
    assert (found.grid.columns, found.grid.rows, found.grid.width, found.grid.height) == (4, 2, 16, 16)
    assert (back.cells == tiles.names["~"]).all()
    assert number.tolist() == [
        [tiles.names["#"], 0, 0, 0],
        [tiles.names["s"], tiles.names["^"], tiles.names["m"], tiles.names["5"]],
    ]
    assert front.cells[1, 1] >> 29 == 0b001  # a quarter turn is "transposed, mirrored"; flip_x mirrors again
    assert tiles.region[tiles.names["#"]].tolist() == [0, 16, 16, 16]
    assert tiles.region[tiles.names["^"]].tolist() == [32, 16, 16, 16]
    assert tiles.region[tiles.names["m"]].tolist() == [8, 8, 8, 8]
    assert tiles.properties[tiles.names["#"]] == {"solid": True, "material": "stone"}
    assert tiles.properties[tiles.names["s"]] == {"mask": 6, "class": "secret"}
    animation = tiles.animations[tiles.names["~"]]
    assert [animation.at(t)[0] - tiles.names["~"] for t in (0.0, 0.25, 0.45, 0.65)] == [0, 1, 2, 0]


def test_a_layer_says_where_and_how_it_is_drawn(maps: Any, tmp_path: Path) -> None:
    """A layer can have a depth, a layer of the game, an offset, a parallax and a color."""
    front = load(maps, tmp_path, GOOD).layers[1]
    assert front.properties == {"z": 2, "layer": "hud"}
    assert (front.offset, front.parallax, front.tint) == ((1, 2), (0.5, 0.5), (1, 0, 0, 1))


def test_objects_stand_in_the_list_and_in_the_rows(maps: Any, tmp_path: Path) -> None:
    """Objects come from the list and from the rows; those of the rows are in the middle of their cells."""
    coin, start, zone = load(maps, tmp_path, GOOD).objects
    assert (coin.kind, coin.x, coin.y, coin.properties) == ("coin", 56, -8, {"worth": 3})
    assert (start.name, start.kind, start.x, start.y, start.form) == ("start", "player", 8, -24, "point")
    assert (zone.form, zone.width, zone.height, zone.center) == ("box", 32, 16, (32, -8))


@pytest.mark.parametrize("form", ["edges", "blob"])
def test_terrains_choose_their_pieces(maps: Any, tmp_path: Path, form: str) -> None:
    """The pieces of a terrain equal those of `autotile`; characters in `joins` count as the same terrain."""
    count = {"edges": 16, "blob": 47}[form]
    pieces = [k % 8 for k in range(count)]
    legend = f'{{terrain: {form}, pieces: {pieces}, joins: "b", outside: false}}'
    text = f"tilesets: {{t: tiles.png}}\nlegend:\n  g: {legend}\n  b: 3\nlayers:\n  a: |\n    gg.\n    gbg\n    ..g\n"
    found = load(maps, tmp_path, text)
    mask = np.array([[1, 1, 0], [1, 1, 1], [0, 0, 1]], bool)
    grass = np.array([[1, 1, 0], [1, 0, 1], [0, 0, 1]], bool)
    expected = np.where(grass, found.tiles.names["g"] + autotile(mask, form, outside=False), 0)
    expected[1, 1] = found.tiles.names["b"]
    assert np.array_equal(found.layers[0].cells, expected)


def test_a_layer_that_is_smaller_is_filled_up(maps: Any, tmp_path: Path) -> None:
    """A layer smaller than the map is filled with empty cells to the right and below."""
    found = load(
        maps, tmp_path, "tilesets: {t: tiles.png}\nlegend: {x: 1}\nlayers:\n  a: |\n    xxx\n  b: |\n    x\n    x\n"
    )
    assert [(layer.cells > 0).tolist() for layer in found.layers] == [
        [[True, True, True], [False, False, False]],
        [[True, False, False], [True, False, False]],
    ]


@pytest.mark.parametrize(
    ("old", "new", "what"),
    [
        ("      s^m5", "      s^m", r"room.map.yaml:20:10: layers.front.rows: row 2 has 3 cells, the first row has 4"),
        ("      s^m5", "      s^q5", r"room.map.yaml:20:9: layers.front.rows: the legend has no 'q'"),
        ("ground: tiles.png", "ground: stones.png", r"room.map.yaml:3:11: .*no image 'stones.png'"),
        ("tile: [2, 1]", "tile: [9, 1]", r"room.map.yaml:9:15: .*from 0 to 7"),
        ("tile: 4, solid", "tyle: 4, solid", r"room.map.yaml:6:9: .*no 'tyle' here \(did you mean 'tile'\?\)"),
        ("turn: 90", "turn: 45", r"room.map.yaml:9:29: .*0, 90, 180 or 270"),
        ("solid: true", "solid: 1", r"room.map.yaml:6:25: .*true or false"),
        ("set: more", "set: mere", "no tileset is called 'mere'"),
        ('"5": 5', '"55": 5', r"room.map.yaml:11:9: .*single character"),
        ("color: red", "color: rad", "room.map.yaml:24:12: .*no color"),
        ("cell: 16\n", "cell: [16]\n", "room.map.yaml:1:7: .*two numbers"),
        ("cell: 16\n", "cell: -3\n", "room.map.yaml:1:7: .*from 1"),
        ("cell: 16\n", "cell: 16\norientation: hexagon\n", "did you mean 'hexagonal'"),
        ("at: [0.5, 1.5]", "size: 3", "room.map.yaml:27:5: .*'at' is missing"),
        ("layers:", "leyers:", "'leyers' here.*\n?.*did you mean 'layers'"),
        ("cell: 16\n", "cell: {\n", "is not valid YAML"),
        ("    ~~~~\n    ~~~~\n", "    ~~~~\n   ~~~~\n", "is not valid YAML"),
    ],
)
def test_a_mistake_is_reported_where_it_stands(maps: Any, tmp_path: Path, old: str, new: str, what: str) -> None:
    """Each mistake is reported with file, line and column."""
    assert old in GOOD
    with pytest.raises(AssetError) as caught:
        load(maps, tmp_path, GOOD.replace(old, new))
    import re

    assert re.search(what, str(caught.value)), str(caught.value)


def test_all_mistakes_are_reported_at_once(maps: Any, tmp_path: Path) -> None:
    """All mistakes are reported together, sorted by place."""
    text = GOOD.replace("turn: 90", "turn: 45").replace("s^m5", "s^q5").replace("color: red", "color: 5")
    with pytest.raises(AssetError) as caught:
        load(maps, tmp_path, text)
    lines = str(caught.value).splitlines()
    assert lines[0] == "3 mistakes in room.map.yaml"
    assert [line.split(":")[1] for line in lines[1:]] == ["9", "20", "24"]


@pytest.mark.parametrize("text", ["", "5", "[]", "legend: {}\nlayers: {}", "legend:\nlayers:", "legend: 3\nlayers: x"])
def test_what_is_no_map_gives_a_sentence_or_an_empty_map(maps: Any, tmp_path: Path, text: str) -> None:
    """A file without layers gives an empty map or AssetError, and no other error."""
    try:
        found = load(maps, tmp_path, text)
    except AssetError:
        return
    assert found.layers == []


def test_a_map_without_pictures_can_be_all_meaning(maps: Any, tmp_path: Path) -> None:
    """A tile can have properties without an image."""
    found = load(maps, tmp_path, 'legend: {"#": {solid: true}}\nlayers:\n  a: |\n    #.#\n')
    assert (found.layers[0].cells > 0).tolist() == [[True, False, True]]
    assert found.tiles.image[found.tiles.names["#"]] == -1
