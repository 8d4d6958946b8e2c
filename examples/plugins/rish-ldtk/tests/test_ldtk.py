"""Levels of LDtk: reading projects, tiles, collision, entities with their fields, and worlds of several levels."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from rish_core import Edges, ManifestError, Scenes, Transform, UnknownName, named
from rish_ldtk import LdtkWorlds, level_at, neighbors
from rish_render import Shape, Sprite, Text, TileMap, tile_at, tile_number
from rish_render.tiles import TileMaps

DEMO = Path(__file__).parents[1] / "demo"
PREFABS = {
    "coin": {"Transform": {}, "Shape": {"radius": 3}},
    "link": {"Transform": {}, "Shape": {}},
    "big_door": {"Transform": {}, "Text": {}},
}


def cell(x: int, y: int, tile: int, flips: int = 0) -> dict[str, Any]:
    """Return a tile at a place in pixels."""
    return {"px": [x, y], "src": [0, 0], "t": tile, "f": flips}


def fields(**values: Any) -> list[dict[str, Any]]:
    """Return fields, each a pair of a type and a value."""
    return [{"__identifier": key, "__type": kind, "__value": value} for key, (kind, value) in values.items()]


def entity(name: str, iid: str, x: int = 8, y: int = 8, **values: Any) -> dict[str, Any]:
    """Return an entity of 16 by 16 pixels."""
    own = {"__identifier": name, "iid": iid, "px": [x, y], "__pivot": [0.5, 0.5], "width": 16, "height": 16}
    return {**own, "fieldInstances": fields(**values)}


def layer(name: str, kind: str, uid: int, **more: Any) -> dict[str, Any]:
    """Return a layer of three by two cells of 16 pixels."""
    size = {"__cWid": 3, "__cHei": 2, "__gridSize": 16}
    own = {"__identifier": name, "__type": kind, "layerDefUid": uid, "iid": f"layer-{name}", **size}
    return own | ({"__tilesetDefUid": 10} if kind in ("Tiles", "AutoLayer") else {}) | more


def project(*entities: dict[str, Any]) -> dict[str, Any]:
    """Return a project of two levels, the first with all kinds of layers."""
    tiles = [cell(0, 0, 1), cell(16, 0, 2, 1), cell(16, 0, 3, 2), cell(36, 16, 1)]
    layers = [
        layer("Things", "Entities", 4, entityInstances=list(entities)),
        layer("Ground", "Tiles", 2, gridTiles=tiles),
        layer("Walls", "IntGrid", 1, intGridCsv=[0, 0, 1, 2, 1, 1]),
    ]
    one = {"identifier": "One", "iid": "iid-one", "worldX": 64, "worldY": 0, "pxWid": 48, "pxHei": 32}
    two = {"identifier": "Two", "iid": "iid-two", "worldX": 112, "worldY": 16, "pxWid": 48, "pxHei": 32}
    one |= {"layerInstances": layers, "__bgColor": "#102030", "__neighbours": [{"levelIid": "iid-two", "dir": "e"}]}
    values = [{"value": 1, "identifier": "stone"}, {"value": 2, "identifier": "ladder"}]
    definitions = [{"uid": k, "intGridValues": values if k == 1 else []} for k in (1, 2, 4)]
    size = {"pxWid": 64, "pxHei": 16, "tileGridSize": 16}
    tags = [{"enumValueId": "Ice", "tileIds": [1]}]
    data = [{"tileId": 2, "data": '{"sound": "thud"}'}, {"tileId": 3, "data": "plain"}]
    tileset = {"uid": 10, "identifier": "Tiles", "relPath": "t.png", "enumTags": tags, "customData": data, **size}
    return {
        "jsonVersion": "1.5.3", "iid": "root", "worldLayout": "GridVania",
        "defs": {"layers": definitions, "tilesets": [tileset]},
        "levels": [one, two | {"layerInstances": []}],
    }  # fmt: skip


@pytest.fixture
def make(rish_app: Any) -> Callable[..., Any]:
    """A function that makes a game with a project: `make(project(...), ldtk={...}, levels=...)`."""

    def make(world: Any, *, levels: Any = "w.ldtk", ldtk: Any = None, more: Any = None, **game: Any) -> Any:
        text = world if isinstance(world, str) else json.dumps(world, indent=1)
        files = {"w.ldtk": text, "t.png": (DEMO / "tiles.png").read_bytes(), **(more or {})}
        settings = {"ldtk": ldtk} if ldtk is not None else {}
        game = {"prefabs": PREFABS, "levels": levels, "settings": settings, "scenes": {}, **game}
        full = {"rish": 1, "game": {"title": "T", "size": [64, 48]}, "plugins": ["ldtk", "render"], **game}
        return rish_app(yaml.safe_dump(full), installed=["ldtk"], files=files, strict=False)

    return make


def test_tiles_are_those_of_the_file(make: Any) -> None:
    """Tiles have their places and flips; tiles above others and tiles off the grid get layers of their own."""
    app = make(project(), levels={"main": {"file": "w.ldtk", "level": "One"}})
    app.run(frames=2)
    world = app.world
    level = named(world, "One")
    assert world[TileMap].map[0] == world.intern("w.ldtk/One")
    assert [tile_at(world, level, "Ground", point) for point in ((8, 24), (24, 24))] == [2, 3]
    assert tile_at(world, level, "Ground.2", (24, 24)) == 4
    assert tile_at(world, level, "Ground.3", (44, 8)) == 2
    assert app.host.backend.drawn("tiles")


@pytest.mark.parametrize(
    ("ldtk", "materials"),
    [
        (None, {"stone", "ladder"}),
        ({"solid": ["stone"]}, {"stone"}),
        ({"one_way": ["2"]}, {"ladder"}),
        ({"solid": ["lava"]}, set()),
    ],
)
def test_numbers_of_an_int_grid_are_walls(make: Any, ldtk: Any, materials: set[str]) -> None:
    """All values block, or those that the settings name; the edges have the value's name as material."""
    app = make(project(), ldtk=ldtk, levels={"main": {"file": "w.ldtk", "level": "One"}})
    app.run(frames=2, draw=False)
    edges = app.world[Edges]
    assert {app.world.text(int(each)) for each in edges.material} == materials
    level = named(app.world, "One")
    assert tile_at(app.world, level, "Walls.grid", (40, 24)) == tile_number(app.world, level, "stone")
    if ldtk is None:
        assert edges.x1.max() == 48
        assert edges.y1.max() == 32


def test_entities_become_prefabs_with_their_fields(make: Any) -> None:
    """Fields go to components by their name or by the settings; enums, colors, points and references are converted."""
    things = [
        entity("Coin", "iid-a", 8, 8, Shape_color=("Color", "#FF0000"), size_of=("Float", 7.5)),
        entity("BigDoor", "iid-b", 40, 24, Text_text=("String", "In"), align=("LocalEnum.Align", "Center")),
        entity("Link", "iid-c", 24, 8, to=("EntityRef", {"entityIid": "iid-a"}), place=("Point", {"cx": 1, "cy": 0})),
        entity("Ghost", "iid-d"),
    ]
    names = {"size_of": "Shape.radius", "align": "Text.align", "Link.to": "Transform.parent", "place": "Shape.size"}
    app = make(project(*things), ldtk={"fields": names, "ignore": ["Ghost"]}, levels={"main": "w.ldtk"})
    world = app.world
    coin, door = named(world, "iid-a"), int(world.query(Text).entities[0])
    assert world.get(coin, Shape).color.tolist() == pytest.approx([1, 0, 0, 1])
    assert world.get(coin, Shape).radius == 7.5
    assert world.get(coin, Transform).position.tolist() == [8, 40]
    assert world.get(door, Text).text == "In"
    assert world.get(door, Text).align.value == "center"
    links = [e for e in world.query(Shape).entities.tolist() if world.get(e, Transform).parent == coin]
    assert len(links) == 1
    assert world.get(links[0], Shape).size.tolist() == [24, 40]


def test_a_file_alone_gives_a_scene_for_each_level_and_the_world(make: Any) -> None:
    """`levels: file` gives the scene `world` with all levels in their places, and each level at the origin."""
    app = make(project())
    world = app.world
    assert list(world[Scenes].names) == ["world", "One", "Two"]
    assert world.get(named(world, "One"), Transform).position.tolist() == [0, 16]
    assert world.get(named(world, "Two"), Transform).position.tolist() == [48, 0]
    world[Scenes].go("Two")
    app.run(frames=2, draw=False)
    assert world.get(named(world, "Two"), Transform).position.tolist() == [0, 0]
    assert len(world[TileMap]) == 1


def several(layout: str, *sizes: tuple[int, int], **more: Any) -> dict[str, Any]:
    """Return a world of a linear layout, whose levels have no places of their own."""
    whole = project()
    levels = [
        {
            **whole["levels"][1],
            "identifier": f"L{k}",
            "iid": f"l{k}",
            "worldX": -1,
            "worldY": -1,
            "pxWid": w,
            "pxHei": h,
        }
        for k, (w, h) in enumerate(sizes)
    ]
    return {**whole, "worldLayout": layout, "levels": levels, **more}


@pytest.mark.parametrize(
    ("layout", "places"),
    [("LinearHorizontal", [(0, 32), (48, 0), (112, 16)]), ("LinearVertical", [(0, 80), (0, 16), (0, -32 + 32)])],
)
def test_levels_of_linear_layouts_follow_one_another(make: Any, layout: str, places: list[tuple[int, int]]) -> None:
    """Levels of a linear layout lie beside or below one another, in the file's order; `level_at` finds each."""
    sizes = [(48, 32), (64, 64), (16, 48)] if layout == "LinearHorizontal" else [(48, 32), (64, 64), (16, 16)]
    world = make(several(layout, *sizes)).world
    found = [tuple(world.get(named(world, f"L{k}"), Transform).position.tolist()) for k in range(3)]
    assert found == places
    for k, (x, y) in enumerate(places):
        level = level_at(world, "world", (x + 1, y + 1))
        assert level is not None
        assert level.name == f"L{k}"


def test_several_worlds_lie_apart_and_have_a_scene_each(make: Any) -> None:
    """Levels of different worlds never overlap in the scene with all; each has a scene, and `world:` names one."""
    one, two = several("LinearHorizontal", (48, 32), (48, 32)), several("Free", (48, 32))
    two["levels"][0] |= {"identifier": "M0", "iid": "m0", "worldX": 16, "worldY": 8}
    worlds = [{"identifier": "Sea", "worldLayout": one["worldLayout"], "levels": one["levels"]},
              {"identifier": "Sky", "worldLayout": "Free", "levels": two["levels"]}]  # fmt: skip
    whole = {**project(), "levels": [], "worldLayout": None, "worlds": worlds}
    world = make(whole).world
    assert list(world[Scenes].names) == ["world", "Sea", "Sky", "L0", "L1", "M0"]
    at = {name: world.get(named(world, name), Transform).position.tolist() for name in ("L0", "L1", "M0")}
    assert (at["L0"], at["L1"]) == ([0, 0], [48, 0])
    assert at["M0"][0] > 96
    sky = make(whole, levels={"main": {"file": "w.ldtk", "world": "Sky"}}).world
    assert sky.get(named(sky, "M0"), Transform).position.tolist() == [0, 0]
    with pytest.raises(ManifestError, match=r"has no world 'Ski' \(did you mean 'Sky'\?\)"):
        make(whole, levels={"main": {"file": "w.ldtk", "world": "Ski"}})


@pytest.mark.parametrize(("size", "columns"), [((64, 16), 4), ((72, 40), 5), ((70, 40), 4)])
def test_tiles_are_counted_as_in_ldtk(make: Any, size: tuple[int, int], columns: int) -> None:
    """A row of the image ends with the tile that the image cuts off, so the next row begins with the right number."""
    world = project()
    padding = {"padding": 2, "spacing": 1} if size[0] == 70 else {}
    world["defs"]["tilesets"][0] |= {"pxWid": size[0], "pxHei": size[1], **padding}
    app = make(world, levels={"main": {"file": "w.ldtk", "level": "One"}})
    app.run(frames=1, draw=False)
    tiles = app.world[TileMaps].board(app.world, named(app.world, "One")).map.tiles
    step, start = (17, 2) if padding else (16, 0)
    assert tiles.region[columns].tolist() == [start + (columns - 1) * step, start, 16, 16]
    if size[1] > 16:
        assert tiles.region[columns + 1].tolist() == [start, start + step, 16, 16]


def test_tiles_have_their_own_opacity(make: Any) -> None:
    """Tiles of another opacity are a layer of their own with it."""
    world = project()
    world["levels"][0]["layerInstances"][1]["gridTiles"] = [cell(0, 0, 1), {**cell(16, 0, 2), "a": 0.5}]
    world["levels"][0]["layerInstances"][1]["__opacity"] = 0.5
    app = make(world, levels={"main": {"file": "w.ldtk", "level": "One"}})
    app.run(frames=1)
    level = named(app.world, "One")
    found = {layer.name: layer.opacity for layer in app.world[TileMaps].board(app.world, level).map.layers}
    assert (found["Ground"], found["Ground.2"]) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"defs/tilesets/0/relPath": None}, "uses the tileset 'Tiles', which has no image"),
        ({"levels/0/layerInstances/1/gridTiles/0/t": 99}, "has 1 tiles that the tileset 'Tiles' lacks"),
        ({"levels/0/layerInstances/1/__tilesetDefUid": 77}, "has 4 tiles of no tileset"),
        ({"defs/layers/1/parallaxFactorX": 0.5}, "is drawn with its parallax, but at its own size"),
    ],
)
def test_what_is_not_drawn_is_said_once_a_layer(make: Any, change: Any, says: str, caplog: Any) -> None:
    """What of a level is not drawn is logged once with file, line, level and layer; the rest is drawn."""
    ((path, value),) = change.items()
    app = make(changed(path, value), levels={"main": {"file": "w.ldtk", "level": "One"}})
    app.run(frames=2, draw=False)
    said = [record.getMessage() for record in caplog.records if record.name == "rish.ldtk"]
    assert len(said) == 1
    assert says in said[0]
    assert "w.ldtk:" in said[0]
    assert "the layer 'Ground' of the level 'One'" in said[0]


def test_levels_know_their_neighbors_and_points_their_level(make: Any) -> None:
    """`neighbors` has directions and levels, `level_at` the level at a point; unknown names are refused."""
    world = make(project()).world
    assert [(way, level.name) for way, level in neighbors(world, "w.ldtk", "One")] == [("e", "Two")]
    assert [getattr(level_at(world, "world", p), "name", None) for p in ((1, 47), (95, 1), (1, 1))] == [
        "One",
        "Two",
        None,
    ]
    with pytest.raises(UnknownName, match="did you mean 'One'"):
        neighbors(world, "w.ldtk", "Onee")
    with pytest.raises(UnknownName, match="shows no levels"):
        level_at(world, "menu", (0, 0))


def test_backgrounds_are_drawn_behind(make: Any) -> None:
    """The color of a level is a box, and its picture a sprite, cut, scaled and placed as in LDtk."""
    world = project()
    place = {"topLeftPx": [4, 2], "scale": [0.5, 0.5], "cropRect": [0, 0, 16, 16]}
    world["levels"][0] |= {"bgRelPath": "t.png", "__bgPos": place}
    app = make(world, levels={"main": {"file": "w.ldtk", "level": "One"}})
    found = app.world.query(Sprite, Transform)
    assert found[Transform.position].tolist() == [[4, 30]]
    assert found[Sprite.region].tolist() == [[0, 0, 16, 16]]
    assert app.world[Shape].size.tolist() == [[48, 32]]


def test_levels_in_files_of_their_own_are_read(make: Any) -> None:
    """With external levels the layers come from the .ldtkl files, and mistakes are reported there."""
    world = project(entity("Coin", "iid-a"))
    whole = copy.deepcopy(world["levels"][0])
    world["levels"][0] |= {"layerInstances": None, "externalRelPath": "w/One.ldtkl"}
    app = make(world, more={"w/One.ldtkl": json.dumps(whole)}, levels={"main": "w.ldtk"})
    assert len(app.world[TileMap]) == 2
    assert app.world[LdtkWorlds].projects["w.ldtk"].sources == ("w.ldtk", "w/One.ldtkl")
    whole["layerInstances"][2]["intGridCsv"] = [1]
    with pytest.raises(ManifestError, match=r"w/One\.ldtkl.*intGridCsv has 1 cells instead of 3×2"):
        make(world, more={"w/One.ldtkl": json.dumps(whole)}, levels={"main": "w.ldtk"})


def changed(path: str, value: Any) -> dict[str, Any]:
    """Return the project with a value at a path of keys and indices; None removes it."""
    world: Any = project(entity("Coin", "iid-a"))
    node, keys = world, [int(key) if key.isdigit() else key for key in path.split("/")]
    for key in keys[:-1]:
        node = node[key]
    node[keys[-1]] = value
    return world


@pytest.mark.parametrize(
    ("world", "says"),
    [
        ("{", "it is no JSON"),
        ("[]", "it is no project of LDtk"),
        ("{}", "jsonVersion or defs is missing"),
        ('{"a": NaN}', "NaN is no number"),
        ("[" * 100_000, "it is no JSON"),
        (changed("jsonVersion", "0.9.3"), "Open it in LDtk 1.0 or newer"),
        (changed("jsonVersion", "2.0"), "this importer reads 1.0 to 1.x. Update rish-ldtk"),
        (changed("levels", 3), "levels is 3, expected a list"),
        (changed("levels/0/pxWid", "wide"), "levels[0]: pxWid is 'wide', expected a number"),
        (changed("levels/0/pxWid", None), "levels[0]: pxWid is missing"),
        (changed("levels/1/identifier", "One"), "two levels are called 'One'"),
        (changed("levels/0/layerInstances/1/__type", "Magic"), "layerInstances[1]: __type is 'Magic'"),
        (changed("levels/0/layerInstances/1/layerDefUid", 99), "no definition of the layer 99"),
        (changed("levels/0/layerInstances/1/__cWid", 10**9), "__cWid is 1000000000"),
        (changed("levels/0/layerInstances/1/gridTiles/1", {"px": 3}), "gridTiles[1]: expected a tile"),
        (changed("levels/0/layerInstances/2/intGridCsv/1", "x"), "intGridCsv has a value"),
        (changed("levels/0/layerInstances/0/entityInstances/0/px", [1]), "entityInstances[0]: px is [1]"),
        (changed("defs/tilesets/0/relPath", "../../t.png"), "is outside the game's folder"),
        (changed("defs/tilesets/0/tileGridSize", 0), "tileGridSize is 0"),
    ],
)
def test_mistakes_in_the_project_are_located(make: Any, world: Any, says: str) -> None:
    """What LDtk would not write is reported with the file and the path, or the line, of the culprit."""
    with pytest.raises(ManifestError) as caught:
        make(world)
    assert says in str(caught.value)
    assert "w.ldtk" in str(caught.value)


@pytest.mark.parametrize(
    ("thing", "says"),
    [
        (entity("Coim", "iid-a"), "no prefab is called 'Coim' (did you mean 'coin'?)"),
        (entity("Coin", "iid-a", weight=("Int", 3)), "nothing takes the field 'weight'"),
        (entity("Coin", "iid-a", Shape_radius=("Int", -3)), "Shape.radius"),
        (entity("Coin", "iid-a", Shape_radus=("Int", 3)), "did you mean 'radius'"),
    ],
)
def test_entities_that_do_not_fit_are_reported_at_their_line(make: Any, thing: dict[str, Any], says: str) -> None:
    """Unknown prefabs and fields, and values outside their range, are reported at the line of the entity."""
    world = project(thing)
    line = json.dumps(world, indent=1).split("\n").index(next(
        text for text in json.dumps(world, indent=1).split("\n") if '"iid": "iid-a"' in text
    )) + 1  # fmt: skip
    with pytest.raises(ManifestError) as caught:
        make(world, levels={"main": "w.ldtk"})
    assert says in str(caught.value)
    assert f"w.ldtk:{line}" in str(caught.value)


@pytest.mark.parametrize(
    ("levels", "says"),
    [
        ("w.tmx", "its file must end in .ldtk"),
        ("v.ldtk", "there is no file 'v.ldtk'"),
        ("../w.ldtk", "../w.ldtk"),
        (3, "levels: must be a file"),
        ({"main": 3}, "levels.main: must be a file"),
        ({"main": {"file": "w.ldtk", "level": "Tow"}}, "has no level 'Tow' (did you mean 'Two'?)"),
        ({"main": {"file": "w.ldtk", "lvl": "One"}}, "has no key 'lvl'"),
    ],
)
def test_mistakes_in_the_manifest_are_located(make: Any, levels: Any, says: str) -> None:
    """Wrong files and levels are reported in the manifest."""
    with pytest.raises(ManifestError) as caught:
        make(project(), levels=levels)
    assert says in str(caught.value)


@pytest.mark.slow
def test_the_demo_plays(rish_app: Any) -> None:
    """The demo has three levels; walls stop the hero, and coins are found."""
    app = rish_app(DEMO, installed=["ldtk", "physics", "rules"], strict=False)
    world, keys = app.world, app.world[app.world.resource_classes["core.Input"]]
    hero = named(world, "hero")
    keys.press("left")
    app.run(frames=39, draw=False)
    app.run(frames=1)
    assert 20 < world.get(hero, Transform).position[0] < 26
    assert len(world[TileMap]) == 3
    assert app.host.backend.drawn("tiles")


def test_an_edited_project_is_applied_to_the_running_game(rish_app: Any, tmp_path: Path) -> None:
    """Edited tiles and entities appear, entities that did not change stay, and a broken file changes nothing."""
    from rish_scripts import Reload

    (tmp_path / "t.png").write_bytes((DEMO / "tiles.png").read_bytes())
    path, world = tmp_path / "w.ldtk", project(entity("Coin", "iid-a"), entity("Coin", "iid-b", 24, 8))
    path.write_text(json.dumps(world), encoding="utf-8")
    game = {"rish": 1, "plugins": ["ldtk", "scripts"], "prefabs": PREFABS, "levels": {"main": "w.ldtk"}, "scenes": {}}
    (tmp_path / "game.yaml").write_text(yaml.safe_dump(game), encoding="utf-8")
    app = rish_app(tmp_path, installed=["ldtk", "scripts"], strict=False)
    app.run(frames=2, draw=False)
    reload, level = app.world[Reload], named(app.world, "One")
    reload.begin(app, watch=False)

    def save(text: str) -> list[list[float]]:
        path.write_text(text, encoding="utf-8")
        reload.changed([path])
        app.run(frames=2, draw=False)
        shown = app.world.query(Shape, Transform)[Transform.position]
        return sorted(shown.tolist())

    before = save(json.dumps(world))
    world["levels"][0]["layerInstances"][1]["gridTiles"][0]["t"] = 0
    world["levels"][0]["layerInstances"][0]["entityInstances"][1]["px"] = [40, 24]
    after = save(json.dumps(world))
    assert reload.mistake is None
    assert tile_at(app.world, level, "Ground", (8, 40)) == 1
    assert [place for place in after if place not in before] == [[40, 24]]
    assert save("{") == after
    assert "it is no JSON" in str(reload.mistake)
