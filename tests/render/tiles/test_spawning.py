"""Objects of a map that are spawned as entities."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rish_core import Name, Transform
from rish_render import Shape, plugin
from rish_render.tiles import TileMap
from rish_render.tiles.boards import TileMaps

TEXT = """\
legend:
  "o": {object: coin}
  "?": {object: riddle}
layers:
  ground: |
    o..?
    ..o.
objects:
  - {name: big, class: coin, at: [2, 0], rotation: 90, properties: {Shape.radius: 9, worth: 3}}
  - {name: odd, class: coin, at: [2, 0], properties: {Shap.radius: 9}}
  - {name: mark, at: [0, 0]}
"""


@pytest.fixture
def app(rish_app: Any) -> Any:
    """Build a game with a map at (100, 50) and a prefab for its coins."""
    room = {"Transform": {"position": [100, 50]}, "TileMap": {"map": "r.map.yaml", "spawn": True}}
    return rish_app(
        {"prefabs": {"coin": {"Transform": {}, "Shape": {"radius": 4}}}, "scenes": {"main": [room]}},
        plugins={"render": plugin},
        files={"r.map.yaml": TEXT},
    )


def test_objects_whose_class_is_a_prefab_are_spawned_once_as_children(app: Any, caplog: Any) -> None:
    """An object whose class is a prefab is spawned once as a child with its values; an unknown component is logged."""
    app.run(frames=4)
    world = app.world
    room = int(world[TileMap].entities[0])
    coins = world[Shape].entities.tolist()
    places = sorted(tuple(world.get(coin, Transform).position.tolist()) for coin in coins)
    assert places == [(8, 24), (32, 32), (40, 8)]
    assert {world.get(coin, Transform).parent for coin in coins} == {room}
    big = next(coin for coin in coins if world.has(coin, Name) and world.get(coin, Name).value == "big")
    assert world.get(big, Shape).radius == 9
    assert world.get(big, Transform).rotation == pytest.approx(math.pi / 2)
    assert [r.getMessage() for r in caplog.records if "odd" in r.getMessage()] == [
        "r.map.yaml: the object 5 'odd': no component is called 'Shap'"
    ]


def test_they_go_with_the_map_and_come_back_with_a_restore(app: Any) -> None:
    """Spawned objects are despawned with the map, and a restore brings them back without a second spawn."""
    app.run(frames=2)
    world = app.world
    snapshot = world.snapshot()
    world.despawn(int(world[TileMap].entities[0]))
    assert len(world[Shape]) == 0
    world.restore(snapshot)
    app.run(frames=2)
    assert len(world[Shape]) == 3


def tiled(rish_app: Any, maps: Any, things: list[dict[str, Any]], layer: str = "things", **fields: Any) -> Any:
    """Build a game with a map of Tiled that has these objects, and prefabs for coins."""
    group = {"type": "objectgroup", "name": layer, "objects": things}
    files = {"m.tmj": maps.as_json(maps.tiled_map([group])), "tiles.png": maps.sheet()}
    scene = [{"Transform": {}, "TileMap": {"map": "m.tmj", "spawn": True, **fields}}]
    prefabs = {"coin": {"Transform": {}, "Shape": {"radius": 4}}}
    return rish_app({"prefabs": prefabs, "scenes": {"main": scene}}, plugins={"render": plugin}, files=files)


def test_a_class_without_a_prefab_is_said_once_a_layer(rish_app: Any, maps: Any, caplog: Any) -> None:
    """With `spawn` a class that names no prefab is logged with the nearest name and the objects; data has no class."""
    things = [{"id": k, "type": "coim", "x": 0, "y": 0} for k in range(1, 6)]
    things += [{"id": 7, "name": "spot", "x": 0, "y": 0}, {"id": 8, "type": "coin", "x": 0, "y": 0}]
    app = tiled(rish_app, maps, things)
    app.run(frames=4)
    assert len(app.world[Shape]) == 1
    said = [record.getMessage() for record in caplog.records if "prefab" in record.getMessage()]
    assert said == [
        "m.tmj: the layer 'things': no prefab is called 'coim' (did you mean 'coin'?), so nothing is spawned for the "
        "objects 1, 2, 3 and 2 more. Add the prefab, or correct the class"
    ]


def test_colors_and_classes_among_properties_set_fields(rish_app: Any, maps: Any) -> None:
    """A property of the type color sets a color, and the members of a class with a component's name its fields."""
    rows = [{"name": "Shape.color", "type": "color", "value": "#80ff8000"}]
    shape = {"name": "Shape", "type": "class", "value": {"radius": 7, "outline": "#ff0000ff"}}
    app = tiled(rish_app, maps, [{"id": 1, "type": "coin", "properties": [*rows, shape]}])
    app.run(frames=2)
    (coin,) = app.world[Shape].entities.tolist()
    found = app.world.get(coin, Shape)
    assert found.color.tolist() == pytest.approx([1, 128 / 255, 0, 128 / 255])
    assert found.outline.tolist() == pytest.approx([0, 0, 1, 1])
    assert found.radius == 7


def test_an_object_of_a_prefab_is_spawned_in_the_middle_of_its_tile(rish_app: Any, maps: Any) -> None:
    """The prefab of a tile object stands in the middle of the object's box, whatever its alignment is."""
    app = tiled(rish_app, maps, [{"id": 1, "type": "coin", "gid": 1, "x": 16, "y": 32, "rotation": 90}])
    app.run(frames=2)
    (coin,) = app.world[Shape].entities.tolist()
    board = app.world[TileMaps].board(app.world, int(app.world[TileMap].entities[0]))
    dy = -board.map.grid.box[1]
    assert app.world.get(coin, Transform).position.tolist() == pytest.approx([16 + 8, -32 - 8 + dy])
    assert app.world.get(coin, Transform).rotation == pytest.approx(-math.pi / 2)
