"""Objects of Tiled: which of them show a tile, where, and what their templates give them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_core import AssetError
from rish_render.tiles.model import GameMap

ALIGNMENTS = {
    "topleft": (0, 0), "top": (0.5, 0), "topright": (1, 0), "left": (0, 0.5), "center": (0.5, 0.5), "right": (1, 0.5),
    "bottomleft": (0, 1), "bottom": (0.5, 1), "bottomright": (1, 1),
}  # fmt: skip


def group(*things: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a layer of objects."""
    return {"type": "objectgroup", "name": "things", "objects": list(things), **more}


def both(maps: Any, folder: Path, document: dict[str, Any]) -> list[GameMap]:
    """Return the map read from both formats."""
    (folder / "o.tmx").write_bytes(maps.as_xml(document))
    (folder / "o.tmj").write_bytes(maps.as_json(document))
    return [maps.build(folder, "o.tmx"), maps.build(folder, "o.tmj")]


@pytest.mark.parametrize("orientation", ["orthogonal", "isometric", "hexagonal"])
def test_the_tileset_says_which_point_lies_at_the_position(maps: Any, tmp_path: Path, orientation: str) -> None:
    """Each `objectalignment` puts its point at the position; without one it is the bottom left, in isometric maps the
    middle of the bottom. Rotation is around this point, and the tile's offset grows with the object.
    """
    for word in ("unspecified", *ALIGNMENTS):
        tileset = {**maps.TILESET, "firstgid": 1, "objectalignment": word}
        default = "bottom" if orientation == "isometric" else "bottomleft"
        ax, ay = ALIGNMENTS.get(word, ALIGNMENTS[default])
        things = [{"id": 1, "gid": 1, "x": 32, "y": 16, "width": 32, "height": 48}, {"id": 2, "gid": 1, "rotation": 90}]
        document = maps.tiled_map([group(*things)], tilesets=[tileset], orientation=orientation, width=4, height=4)
        for found in both(maps, tmp_path, document):
            (layer,) = found.pictures
            at = {thing.id: k for k, thing in zip(range(2), (found.objects[k] for k in layer.things), strict=True)}
            x, y = found.objects[0].x, found.objects[0].y
            assert layer.center[at[1]] == pytest.approx((x + (0.5 - ax) * 32, y - (0.5 - ay) * 48))
            assert layer.center[at[1]] == pytest.approx(found.objects[0].center)
            assert layer.size[at[1]].tolist() == [32, 48]
            turned = found.objects[1]
            assert layer.angle[at[2]] == pytest.approx(-math.pi / 2)
            assert layer.center[at[2]] == pytest.approx((turned.x - (0.5 - ay) * 16, turned.y - (0.5 - ax) * 16))


def test_objects_are_drawn_from_the_top_down_or_in_their_order(maps: Any, tmp_path: Path) -> None:
    """`topdown`, the default, sorts by y and keeps the order of equals; `index` keeps the order of the file."""
    things = [{"id": k, "gid": 1, "x": 0, "y": y} for k, y in ((1, 30), (2, 10), (3, 30), (4, 20))]
    for order, wanted in ((None, [2, 4, 1, 3]), ("topdown", [2, 4, 1, 3]), ("index", [1, 2, 3, 4])):
        more = {} if order is None else {"draworder": order}
        document = maps.tiled_map([group(*things, **more)])
        (tmp_path / "o.tmj").write_bytes(maps.as_json(document))
        found = maps.build(tmp_path, "o.tmj")
        assert [found.objects[k].id for k in found.pictures[0].things] == wanted


def test_a_tile_object_without_a_size_has_that_of_its_tile(maps: Any, tmp_path: Path) -> None:
    """Size, id, name, rotation and visibility of an object may be missing; hidden objects are read and not drawn."""
    things = [{"gid": 0x40000002, "x": 8, "y": 40, "opacity": 0.5}, {"gid": 1, "x": 0, "y": 0, "visible": False}]
    for found in both(maps, tmp_path, maps.tiled_map([group(*things, opacity=0.5, offsetx=3, offsety=4)])):
        (layer,) = found.pictures
        assert layer.cells.tolist() == [0x40000002]
        assert layer.size.tolist() == [[16, 16]]
        assert layer.center.tolist() == [[8 + 8 + 3, -40 + 8 - 4]]
        assert (layer.offset, layer.opacity, layer.fade.tolist()) == ((0, 0), 0.5, [0.5])
        assert [(thing.form, thing.id) for thing in found.objects] == [("tile", 1), ("tile", 2)]


def test_pictures_keep_their_place_between_the_layers(maps: Any, tmp_path: Path) -> None:
    """Layers of tiles, of objects and of images are drawn in the order of the file, also within groups."""
    image = {"type": "imagelayer", "name": "sky", "image": "tiles.png"}
    inner = {"type": "group", "name": "g", "layers": [group({"gid": 1}), maps.tile_layer("top", [[2]])]}
    document = maps.tiled_map([image, maps.tile_layer("ground", [[1]]), inner, group({"gid": 2}, name="last")])
    (tmp_path / "o.tmj").write_bytes(maps.as_json(document))
    found = maps.build(tmp_path, "o.tmj")
    assert [layer.name for layer, _ in found.stack] == ["sky", "ground", "things", "top", "last"]
    assert [index for _, index in found.stack] == [-1, 0, -1, 1, -1]


@pytest.mark.parametrize(("suffix", "tileset"), [("tx", "more.tsj"), ("tj", "more.tsj"), ("tx", "more.tsx")])
def test_a_template_brings_its_own_tileset(maps: Any, tmp_path: Path, suffix: str, tileset: str) -> None:
    """The tileset of a template that the map lacks is added to the map, in any mixture of the formats."""
    (tmp_path / "kit").mkdir()
    more = {**maps.TILESET, "name": "more", "image": "more.png"}
    xml = maps.as_xml(maps.tiled_map([], tilesets=[more])).decode()
    xml = xml[xml.index("<tileset") : xml.index("</tileset>")] + "</tileset>"
    (tmp_path / "kit" / tileset).write_bytes(xml.encode() if tileset.endswith("x") else maps.as_json(more))
    thing = {"name": "gem", "type": "loot", "gid": 0x80000003, "width": 8, "height": 8, "opacity": 0.25}
    if suffix == "tj":
        text = maps.as_json({"type": "template", "tileset": {"firstgid": 1, "source": tileset}, "object": thing})
    else:
        words = "".join(f' {key}="{value}"' for key, value in thing.items())
        text = f'<template><tileset firstgid="1" source="{tileset}"/><object{words}/></template>'.encode()
    (tmp_path / "kit" / f"gem.{suffix}").write_bytes(text)
    name = f"kit/gem.{suffix}"
    used = [{"id": 1, "template": name, "x": 16, "y": 32}, {"id": 2, "template": name, "gid": 1}]
    for found in both(maps, tmp_path, maps.tiled_map([maps.tile_layer("a", [[1, 99]]), group(*used)])):
        gem, own = found.objects
        assert (gem.form, gem.kind, gem.width, gem.opacity) == ("tile", "loot", 8, 0.25)
        assert gem.tile >> 28 == 8
        tile = gem.tile & 0xFFFFFFF
        assert found.tiles.images[found.tiles.image[tile]] == "kit/more.png"
        assert found.tiles.region[tile].tolist() == [32, 0, 16, 16]
        assert found.tiles.images[found.tiles.image[own.tile]] == "tiles.png"
        assert found.layers[0].cells.tolist() == [[1, 0]]
        assert len(found.pictures[0].cells) == 2


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        ({"id": 5, "text": {"text": "Hi"}}, "the layer 'things' has text that is not drawn, in the object 5"),
        ({"id": 6, "gid": 99}, "the layer 'things' shows the tile 99, which no tileset has, in the object 6"),
        ({"id": 7, "swirl": 3}, "the layer 'things' has 'swirl', which is not read"),
    ],
)  # fmt: skip
def test_what_is_not_drawn_is_said_once_a_layer(
    maps: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture, thing: dict[str, Any], says: str
) -> None:
    """Texts, unknown tiles and unknown members are logged once for each layer, with file, layer and object."""
    layers = [group(thing, {**thing, "id": 8}, {"id": 9, "gid": 1}), group(thing, name="more")]
    (tmp_path / "o.tmj").write_bytes(maps.as_json(maps.tiled_map(layers)))
    found = maps.build(tmp_path, "o.tmj")
    assert len(found.objects) == 4
    assert found.pictures[0].things.tolist() == [2]
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0].startswith(f"o.tmj: {says}")
    assert "'more'" in lines[1]


def test_a_capsule_is_a_form_of_its_own(maps: Any, tmp_path: Path) -> None:
    """An object with `capsule` has this form, its box and its center."""
    (tmp_path / "o.tmx").write_text(
        '<map width="1" height="1" tilewidth="16" tileheight="16"><objectgroup name="a">'
        '<object id="1" x="4" y="6" width="20" height="8"><capsule/></object></objectgroup></map>'
    )
    (thing,) = maps.build(tmp_path, "o.tmx").objects
    assert (thing.form, thing.center) == ("capsule", (14, -10))


def test_a_transposed_tile_object_swaps_its_sides_around_its_bottom_left(maps: Any, tmp_path: Path) -> None:
    """The picture of a transposed object has its box turned around the bottom left corner, as Tiled draws it."""
    thing = {"id": 1, "gid": 0x20000001, "x": 31, "y": 51, "width": 7, "height": 22}
    for found in both(maps, tmp_path, maps.tiled_map([group(thing)])):
        center, size = found.pictures[0].center[0], found.pictures[0].size[0]
        low, high = center - size[::-1] / 2, center + size[::-1] / 2
        assert np.array([low, high]).tolist() == [[31, -51], [53, -44]]


def test_a_missing_template_is_an_error_with_layer_and_object(maps: Any, tmp_path: Path) -> None:
    """A template that is missing, or is none, loses the map with one sentence that names layer, object and file."""
    (tmp_path / "none.tx").write_text("<tileset/>")
    for name in ("gone.tx", "none.tx"):
        document = maps.tiled_map([group({"id": 7, "template": name})])
        (tmp_path / "o.tmj").write_bytes(maps.as_json(document))
        with pytest.raises(AssetError, match=rf"o.tmj: the layer 'things': the object 7: .*{name}"):
            maps.build(tmp_path, "o.tmj")
