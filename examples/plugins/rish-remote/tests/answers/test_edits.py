"""Edits over the API: what they do, what they refuse, and that they are noted."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import Interventions, Transform, named


def test_fields_are_set_and_noted(pond: Any) -> None:
    """A field that is set has the value in the World, the answer shows it, and the change is an intervention."""
    found = pond.send("PATCH", "entities/Donald", set={"Transform": {"position": [7, 8]}, "Duck": {"mood": "angry"}})
    world = pond.app.world
    assert world.get(named(world, "Donald"), Transform).position == (7, 8)
    assert found["components"]["Duck"]["mood"] == "angry"
    assert [reason for _, reason in world[Interventions].reasons] == ["remote: PATCH /api/1/entities/Donald"]


def test_what_is_only_drawn_is_not_noted(pond: Any) -> None:
    """A field for drawing is no hashed state, so a recording goes on without a snapshot; colors may be texts."""
    found = pond.send("PATCH", "entities/Donald", set={"Duck": {"color": "#ff000080"}})
    assert found["components"]["Duck"]["color"] == pytest.approx([1, 0, 0, 0.5019608])
    assert pond.app.world[Interventions].count == 0


def test_all_mistakes_are_reported_and_nothing_changes(pond: Any) -> None:
    """A request with several mistakes is refused with the place of each, also if other parts of it are right."""
    before = pond.app.world.hash()
    body = {
        "set": {
            "Transform": {"position": [1, "x"], "rotatoin": 1},
            "Duck": {"speed": 99, "mood": "sad", "friend": "Daisy", "home": [1, 1e39]},
            "Disabled": {},
        },
        "remove": ["Dcuk"],
    }
    status, found = pond.ask("PATCH", "entities/Donald", body)
    places = {problem["place"]: problem["message"] for problem in found["error"]["problems"]}
    assert status == 400
    assert set(places) == {
        "set.Transform.position", "set.Transform.rotatoin", "set.Duck.speed", "set.Duck.mood", "set.Duck.friend",
        "set.Duck.home", "set.Disabled", "remove.Dcuk",
    }  # fmt: skip
    assert "did you mean 'rotation'" in places["set.Transform.rotatoin"]
    assert "above the greatest value, 50 units/s" in places["set.Duck.speed"]
    assert pond.app.world.hash() == before


def test_components_are_added_and_removed(pond: Any) -> None:
    """Components are added with values and removed, in one request."""
    found = pond.send("PATCH", "entities/bank", add={"Duck": {"friend": "Donald"}}, remove=["Name"])
    donald = pond.get("entities/Donald")["entity"]
    assert found["components"]["Duck"]["friend"] == donald
    assert found["name"] is None


def test_prefabs_and_entities_are_spawned_and_despawned(pond: Any) -> None:
    """A prefab takes a position and replaced fields, an entity its components; a despawned one answers 404."""
    duck = pond.send("POST", "entities", prefab="duck", at=[1, 2], components={"Duck": {"speed": 9}}, parent="bank")
    assert duck["prefab"] == "duck"
    assert duck["components"]["Transform"]["position"] == [1, 2]
    assert duck["components"]["Duck"]["speed"] == 9
    bare = pond.send("POST", "entities", components={"Transform": {}})
    assert set(bare["components"]) == {"Transform"}
    pond.send("DELETE", "entities/bank")
    assert pond.refused("GET", f"entities/{duck['entity']}")[0] == 404
    assert pond.refused("POST", "entities", {"prefab": "duk"}) == (
        400, "no prefab is called 'duk' (did you mean 'duck'?). Choices: duck",
    )  # fmt: skip


def test_an_entity_is_never_its_own_ancestor(pond: Any) -> None:
    """A parent that would close a circle is refused."""
    pond.send("PATCH", "entities/Donald", set={"Transform": {"parent": "bank"}})
    status, message = pond.refused("PATCH", "entities/bank", {"set": {"Transform": {"parent": "Donald"}}})
    assert status == 400
    assert "own ancestor" in message
