"""Tilesets of Tiled: the tiles of their images, whatever the file leaves out."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from long_runs import long
from rish_render.tiles.tiled_maps.reading import load_map

MAP = '<map width="2" height="1" tilewidth="16" tileheight="16">{}<layer><data encoding="csv">{}</data></layer></map>'


def png(width: int, height: int) -> bytes:
    """Return a picture of a size."""
    file = io.BytesIO()
    Image.new("RGBA", (width, height), "red").save(file, "PNG")
    return file.getvalue()


def write(folder: Path, tileset: str, size: tuple[int, int], cells: str = "1,2") -> Path:
    """Write a map with a tileset, and the picture t.png of a size."""
    (folder / "t.png").write_bytes(png(*size))
    path = folder / "m.tmx"
    path.write_text(MAP.format(tileset, cells))
    return path


def test_an_image_without_a_size_is_measured(maps: Any, tmp_path: Path) -> None:
    """Tiles are cut by the size of the picture itself if the file names none, or `columns` is 0."""
    image = '<image source="t.png"/>'
    for tileset in (
        f'<tileset firstgid="1" name="t" tilewidth="16" tileheight="16">{image}<tile id="7"/></tileset>',
        f'<tileset firstgid="1" name="t" tilewidth="16" tileheight="16" columns="0" tilecount="8">{image}</tileset>',
        '<tileset firstgid="1" tilewidth="16" tileheight="16"><image source="t.png" width="0" height="0"/></tileset>',
    ):
        write(tmp_path, tileset, (64, 32), "6,8")
        found = maps.build(tmp_path, "m.tmx")
        assert found.tiles.region[6].tolist() == [16, 16, 16, 16]
        assert found.tiles.region[8].tolist() == [48, 16, 16, 16]
        assert found.layers[0].cells.tolist() == [[6, 8]]


def test_the_margin_counts_once_as_in_tiled(maps: Any, tmp_path: Path) -> None:
    """A picture of 80×42 with the margin 4 and the spacing 3 has four columns and two rows, whatever `columns` says."""
    for more in ("", ' columns="3"', ' columns="0" tilecount="6"'):
        tileset = f'<tileset firstgid="1" tilewidth="16" tileheight="16" margin="4" spacing="3"{more}>'
        write(tmp_path, tileset + '<image source="t.png" width="80" height="42"/></tileset>', (80, 42))
        found = maps.build(tmp_path, "m.tmx")
        assert len(found.tiles) == 9
        assert found.tiles.region[4].tolist() == [61, 4, 16, 16]
        assert found.tiles.region[5].tolist() == [4, 23, 16, 16]


@settings(max_examples=long(40, 10), deadline=None)
@given(
    st.tuples(st.integers(1, 60), st.integers(1, 60)), st.tuples(st.integers(1, 20), st.integers(1, 20)),
    st.integers(0, 6), st.integers(0, 6), st.booleans(),
)  # fmt: skip
def test_tiles_are_where_tileds_own_loop_cuts_them(
    tmp_path_factory: pytest.TempPathFactory, size: tuple[int, int], cell: tuple[int, int], margin: int, gap: int,
    named: bool,
) -> None:  # fmt: skip
    """The regions are those of a loop from the margin on, as long as a whole tile fits, row by row."""
    (width, height), (w, h) = size, cell
    wanted = [
        [x, y, w, h]
        for y in range(margin, height - h + 1, h + gap)
        for x in range(margin, width - w + 1, w + gap)
    ]  # fmt: skip
    if not wanted:
        return
    folder = tmp_path_factory.mktemp("map")
    more = f' width="{width}" height="{height}"' if named else ""
    head = f'<tileset firstgid="1" tilewidth="{w}" tileheight="{h}" margin="{margin}" spacing="{gap}">'
    path = write(folder, f'{head}<image source="t.png"{more}/></tileset>', size)
    found = load_map(path, folder.joinpath)
    assert found.tiles.region[1:].tolist() == wanted


def test_properties_of_tiles_in_json_of_tiled_1_1_are_read(maps: Any, tmp_path: Path) -> None:
    """`tileproperties`, `tilepropertytypes`, `tiles` and `properties` may be mappings, as in JSON up to Tiled 1.1."""
    box = {"x": 0, "y": 0, "width": 16, "height": 8}
    tileset = {
        "firstgid": 1, **maps.TILESET, "tileproperties": {"0": {"solid": True, "load": "7"}, "2": {"name": "x"}},
        "tilepropertytypes": {"0": {"solid": "bool", "load": "int"}},
        "tiles": {"1": {"objectgroup": {"objects": [box]}}, "2": {"type": "wall"}},
    }  # fmt: skip
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2]])], tilesets=[tileset], properties={"speed": 3})
    (tmp_path / "m.tmj").write_bytes(maps.as_json(document))
    found = maps.build(tmp_path, "m.tmj")
    assert found.tiles.properties == {1: {"solid": True, "load": 7}, 3: {"name": "x", "class": "wall"}}
    assert sorted(found.tiles.shapes[2][0].tolist()) == [[0, 8], [0, 16], [16, 8], [16, 16]]
    assert found.properties == {"speed": 3}


def test_of_two_tilesets_with_the_same_numbers_the_later_has_them(maps: Any, tmp_path: Path) -> None:
    """Tiles beyond the first number of the next tileset belong to that one, in any order of the tilesets."""
    sets = [{**maps.TILESET, "firstgid": 5, "image": "b.png"}, {**maps.TILESET, "firstgid": 1, "image": "a.png"}]
    (tmp_path / "m.tmj").write_bytes(maps.as_json(maps.tiled_map([maps.tile_layer("a", [[4, 5]])], tilesets=sets)))
    found = maps.build(tmp_path, "m.tmj")
    assert [found.tiles.images[k] for k in found.tiles.image[[1, 4, 5, 12]]] == ["a.png", "a.png", "b.png", "b.png"]


def test_tiles_of_the_size_of_cells_may_keep_their_proportions(maps: Any, tmp_path: Path) -> None:
    """With `tilerendersize` grid a tile has the size of a cell; with `fillmode` it keeps its proportions inside."""
    for fill, cover in (("stretch", [1, 1]), ("preserve-aspect-fit", [0.5, 1])):
        tileset = {**maps.TILESET, "firstgid": 1, "tileheight": 32, "tilerendersize": "grid", "fillmode": fill}
        tileset["tiles"] = [{"id": 0, "objectgroup": {"objects": [{"x": 0, "y": 0, "width": 16, "height": 32}]}}]
        document = maps.tiled_map([maps.tile_layer("a", [[1]])], tilesets=[tileset])
        (tmp_path / "m.tmj").write_bytes(maps.as_json(document))
        found = maps.build(tmp_path, "m.tmj")
        assert found.tiles.size[1].tolist() == [16, 16]
        assert found.tiles.cover[1].tolist() == cover
        low, high = found.tiles.shapes[1][0].min(axis=0), found.tiles.shapes[1][0].max(axis=0)
        assert (high - low).tolist() == [16 * cover[0], 16]


def test_a_capsule_blocks_as_far_as_its_box(maps: Any, tmp_path: Path) -> None:
    """A capsule of the collision editor fills its box along both axes, with round ends; a square one is round."""
    for w, h in ((16, 6), (6, 16), (8, 8)):
        capsule = {"x": 2, "y": 1, "width": w, "height": h, "capsule": True}
        group = {"type": "objectgroup", "objects": [capsule]}
        tileset = {**maps.TILESET, "firstgid": 1, "tiles": [{"id": 0, "objectgroup": group}]}
        document = maps.tiled_map([maps.tile_layer("a", [[1]])], tilesets=[tileset])
        for found in [maps.build(tmp_path, name) for name in both(maps, tmp_path, document)]:
            ring = found.tiles.shapes[1][0]
            low, high = ring.min(axis=0), ring.max(axis=0)
            assert low == pytest.approx([2, 15 - h])
            assert high == pytest.approx([2 + w, 15])
            area = abs(np.sum(ring[:, 0] * np.roll(ring[:, 1], -1) - np.roll(ring[:, 0], -1) * ring[:, 1])) / 2
            radius = min(w, h) / 2
            whole = np.pi * radius**2 + (max(w, h) - 2 * radius) * 2 * radius
            assert 0.93 * whole < area <= whole


def both(maps: Any, folder: Path, document: dict[str, Any]) -> list[str]:
    """Write a map in both formats, and return the names of the files."""
    text = maps.as_xml(document).decode()
    for key in ("capsule", "ellipse", "point"):
        text = text.replace(f' {key}="1">', f"><{key}/>")
    (folder / "b.tmx").write_text(text)
    (folder / "b.tmj").write_bytes(maps.as_json(document))
    return ["b.tmx", "b.tmj"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"fillmode": "strech"}, "the fillmode 'strech' is not known (did you mean 'stretch'?)"),
        ({"objectalignment": "botom"}, "the objectalignment 'botom' is not known (did you mean 'bottom'?)"),
        ({"tilerendersize": "cell"}, "the tilerendersize 'cell' is not known"),
        ({"glow": 1}, "'glow' is not read"),
        ({"transparentcolor": "pink"}, "the transparent color 'pink' is no color"),
    ],
)
def test_what_is_not_understood_is_said_once_with_the_tileset(
    maps: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, more: dict[str, Any], says: str
) -> None:
    """Unknown words and members of a tileset are logged with the file, and the map is drawn all the same."""
    tileset = {**maps.TILESET, "firstgid": 1, **more}
    document = maps.tiled_map([maps.tile_layer("a", [[1, 2]]), maps.tile_layer("b", [[1]])], tilesets=[tileset])
    (tmp_path / "m.tmj").write_bytes(maps.as_json(document))
    assert maps.build(tmp_path, "m.tmj").layers[0].cells.tolist() == [[1, 2]]
    (line,) = [record.getMessage() for record in caplog.records]
    assert line.startswith("m.tmj: ")
    assert says in line
