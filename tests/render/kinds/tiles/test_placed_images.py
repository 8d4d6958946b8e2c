"""Drawing of what stands between the tiles of a map: objects that show a tile, images, and the map's color."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_render import Camera
from rish_render.tiles import TileMap


def group(*things: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a layer of objects."""
    return {"type": "objectgroup", "name": "things", "objects": list(things), **more}


@pytest.fixture
def shoot(map_studio: Any, maps: Any) -> Any:
    """Draw a map of Tiled, and return the red, green and blue of the picture."""

    def shoot(layers: list[dict[str, Any]], size: tuple[int, int] = (64, 48), see: Any = None, **more: Any) -> Any:
        fields, prefabs = more.pop("fields", {}), more.pop("prefabs", None)
        options = {"prefabs": prefabs} if prefabs else {}
        document = {"width": size[0] // 16, "height": size[1] // 16, **more}
        stage = map_studio({"m.tmj": maps.as_json({**maps.tiled_map(layers), **document})}, size=size, **options)
        if see is not None:
            stage.put(*see, Camera())
        stage.put(0, 0, TileMap(map="m.tmj", **fields))
        return stage.shoot()[..., :3].astype(int)

    return shoot


def test_objects_show_their_tiles_in_order_with_flips_and_rotation(shoot: Any, maps: Any) -> None:
    """A map made of objects is drawn: later ones above, turned around their corner, stretched, faint ones faint."""
    red, green, blue = (np.array(maps.COLORS[k]) for k in range(3))
    things = [
        {"id": 1, "gid": 1, "x": 0, "y": 16}, {"id": 2, "gid": 2, "x": 8, "y": 16},
        {"id": 3, "gid": 3, "x": 32, "y": 16, "rotation": 90}, {"id": 4, "gid": 1, "x": 0, "y": 48, "width": 32},
        {"id": 5, "gid": 2, "x": 48, "y": 48, "opacity": 0.5}, {"id": 6, "gid": 2, "x": 0, "y": 48, "visible": False},
    ]  # fmt: skip
    found = shoot([group(*things, draworder="index")])
    assert found[8, 4].tolist() == red.tolist()
    assert found[8, 12].tolist() == green.tolist()
    assert found[24, 40].tolist() == blue.tolist()  # turned clockwise, it lies to the right of and below its corner
    assert found[40, 28].tolist() == red.tolist()
    background = found[8, 60]
    assert np.abs(found[40, 56] - (green + background) / 2).max() <= 2


def test_flips_of_objects_are_those_of_cells(shoot: Any, maps: Any) -> None:
    """An object with any flips of a square tile looks as the same cell does."""
    cells = np.array([[(flags << 29) | 1 for flags in range(8)]], np.uint32)
    tall = {"firstgid": 1, **maps.TILESET, "tilewidth": 32, "tileheight": 32, "imagewidth": 64, "columns": 2}
    grid = {"tilewidth": 32, "tileheight": 32, "tilesets": [tall], "width": 8, "height": 1}
    things = [{"id": k, "gid": int(cells[0, k]), "x": 32 * k, "y": 32} for k in range(8)]
    drawn = shoot(
        [group(*things)],
        (256, 32),
        **grid,
    )
    assert np.array_equal(drawn, shoot([maps.tile_layer("a", cells)], (256, 32), **grid))
    assert len({drawn[:, 32 * k : 32 * k + 32].tobytes() for k in range(8)}) >= 4


def test_images_and_colors_lie_below_what_follows(shoot: Any, maps: Any) -> None:
    """The map's color is below everything and as large as the map; an image is between the layers, with its tint."""
    image = {"type": "imagelayer", "name": "sky", "image": "tiles.png", "offsetx": 16, "offsety": 16}
    found = shoot([image, maps.tile_layer("a", [[0, 1], [0, 7]])], (96, 64), backgroundcolor="#204060", height=3)
    assert found[20, 4].tolist() == [0x20, 0x40, 0x60]
    assert found[24, 24].tolist() == list(maps.COLORS[0])
    assert found[40, 24].tolist() == list(maps.COLORS[6])
    assert found[56, 24].tolist() == list(maps.COLORS[4])
    assert found[8, 4].tolist() != [0x20, 0x40, 0x60]  # above the map
    tinted = shoot([{**image, "tintcolor": "#ff0000"}], (96, 64))
    assert tinted[24, 24].tolist() == [maps.COLORS[0][0], 0, 0]


def test_an_image_is_repeated_over_the_view(shoot: Any, maps: Any) -> None:
    """With `repeatx` an image covers the view along x, on both sides; with `repeaty` along y."""
    image = {"type": "imagelayer", "name": "sky", "image": "tiles.png", "offsetx": 8, "repeatx": True}
    found = shoot([image], (192, 64), see=(0, 32))
    assert np.array_equal(found[:, 64:128], found[:, 0:64])
    assert np.array_equal(found[:, 128:192], found[:, 0:64])
    once = shoot([{**image, "repeatx": False, "repeaty": True}], (64, 96), see=(32, 0))
    assert np.array_equal(once[:32], once[32:64])
    assert np.array_equal(once[:32], once[64:96])
    assert not np.array_equal(once[:, 0:8], once[:, 8:16])


@pytest.mark.parametrize("mode", ["normal", "add", "multiply", "screen"])
def test_layers_are_blended(shoot: Any, maps: Any, mode: str) -> None:
    """Tile layers, objects and images with a `mode` are blended so with what is below."""
    below, above = (np.array(maps.COLORS[k], float) for k in (0, 2))
    wanted = {
        "normal": above, "add": np.minimum(below + above, 255), "multiply": below * above / 255,
        "screen": 255 - (255 - below) * (255 - above) / 255,
    }[mode]  # fmt: skip
    ground = maps.tile_layer("a", [[1, 1, 1]])
    layers = [
        maps.tile_layer("b", [[3, 0, 0]], mode=mode),
        group({"id": 1, "gid": 3, "x": 16, "y": 16}, mode=mode),
        {"type": "imagelayer", "image": "tiles.png", "offsetx": 0, "offsety": 0, "mode": mode},
    ]
    found = shoot([ground, *layers[:2]], (48, 16))
    image = shoot([maps.tile_layer("a", [[3, 3, 3]]), layers[2]], (48, 16))
    assert np.abs(image[8, 8] - (below if mode == "normal" else wanted)).max() <= 2
    assert np.abs(found[8, 8] - wanted).max() <= 2
    assert np.abs(found[8, 24] - wanted).max() <= 2


def test_modes_that_are_not_drawn_are_said(maps: Any, tmp_path: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Other modes of Tiled, misspelt ones and those of groups are logged once with the layer."""
    inner = {"type": "group", "name": "g", "mode": "add", "layers": []}
    layers = [maps.tile_layer("a", [[1]], mode="overlay"), maps.tile_layer("b", [[1]], mode="multipy"), inner]
    (tmp_path / "m.tmj").write_bytes(maps.as_json(maps.tiled_map(layers)))
    assert {layer.blend for layer in maps.build(tmp_path, "m.tmj").layers} == {"alpha"}
    said = [record.getMessage() for record in caplog.records]
    assert ["the layer 'a': the mode 'overlay' is" in said[0], "did you mean 'multiply'" in said[1]] == [True, True]
    assert "the layer 'g': the mode 'add' of a group is not drawn" in said[2]


@pytest.mark.parametrize("origin", [None, (0, 0), (128, 96), (40, 120)])
@pytest.mark.parametrize("kind", ["tiles", "things", "image"])
def test_parallax_is_measured_from_the_maps_origin(shoot: Any, maps: Any, origin: Any, kind: str) -> None:
    """A layer is moved by (1 - factor) times the way from the map's parallax origin to the middle of the view, y down.

    A map of 256×192 with the factor 0.5 and the camera in its middle moves by (64, 48).
    """
    factor = {"parallaxx": 0.5, "parallaxy": 0.5}
    cells = np.zeros((12, 16), int)
    cells[2, 1] = 1
    layer = {
        "tiles": maps.tile_layer("a", cells, **factor),
        "things": group({"id": 1, "gid": 1, "x": 16, "y": 48}, **factor),
        "image": {"type": "imagelayer", "image": "tiles.png", "offsetx": 16, "offsety": 32, **factor},
    }[kind]
    more = {} if origin is None else {"parallaxoriginx": origin[0], "parallaxoriginy": origin[1]}
    found = shoot([layer], (256, 192), see=(128, 96), **more)
    ox, oy = origin or (0, 0)
    x, y = 16 + (128 - ox) // 2, 32 + (96 - oy) // 2
    spots = np.argwhere((found == maps.COLORS[0]).all(axis=2))
    assert spots[0].tolist() == [y, x]


def test_objects_of_a_prefab_are_drawn_by_the_prefab_alone(shoot: Any, maps: Any) -> None:
    """With `spawn` the map does not draw the tile of an object whose class is a prefab; without it does."""
    thing = group({"id": 1, "gid": 1, "x": 16, "y": 32, "type": "coin"}, {"id": 2, "gid": 2, "x": 32, "y": 32})
    prefabs = {"coin": {"Transform": {}}}
    assert shoot([thing], prefabs=prefabs)[24, 24].tolist() == list(maps.COLORS[0])
    found = shoot([thing], prefabs=prefabs, fields={"spawn": True})
    assert found[24, 24].tolist() != list(maps.COLORS[0])
    assert found[24, 40].tolist() == list(maps.COLORS[1])


def test_a_name_in_shown_that_no_layer_has_is_said(shoot: Any, maps: Any, caplog: pytest.LogCaptureFixture) -> None:
    """`shown` names layers of tiles, objects and images; an unknown name is logged with the nearest."""
    layers = [maps.tile_layer("ground", [[1]]), group({"id": 1, "gid": 2, "x": 16, "y": 16})]
    found = shoot(layers, fields={"shown": ("things", "gruond")})
    assert found[8, 8].tolist() != list(maps.COLORS[0])
    assert found[8, 24].tolist() == list(maps.COLORS[1])
    said = [record.getMessage() for record in caplog.records if "shown" in record.getMessage()]
    assert said == [
        "m.tmj: `shown` names the layer 'gruond', which the map does not have (did you mean 'ground'?). "
        "Layers: ground, things"
    ]


def test_a_box_on_half_a_pixel_is_drawn_where_tiled_draws_it(shoot: Any, maps: Any) -> None:
    """A picture that begins on half a pixel covers the pixels to the right of it and below, as many as it is wide."""
    found = shoot([group({"id": 1, "gid": 1, "x": 8.5, "y": 24.5})])
    rows, columns = np.nonzero((found == maps.COLORS[0]).all(axis=2))
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == (9, 24, 9, 24)
