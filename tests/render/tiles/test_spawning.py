"""Objects of a map that are spawned as entities."""

from __future__ import annotations

import math
from typing import Any

import pytest

from rish_core import Name, Transform
from rish_render import Shape, plugin
from rish_render.tiles import TileMap

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
