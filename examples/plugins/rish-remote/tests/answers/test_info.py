"""The game as a whole: plugins, systems, declarations, log."""

from __future__ import annotations

import logging
from typing import Any


def test_the_game_says_what_it_is(pond: Any) -> None:
    """The answer holds the title, the scene, the tick and the plugins in their order."""
    found = pond.get("game")
    assert (found["title"], found["scene"], found["tick"], found["seed"]) == ("Pond", "main", 0, 7)
    assert [one["name"] for one in pond.get("plugins")["plugins"]] == ["core", "remote", "pond"]


def test_systems_are_switched(pond: Any) -> None:
    """A disabled system does not run, is listed as disabled, and the change is noted."""
    pond.send("PATCH", "systems/swim", enabled=False)
    before = pond.get("entities/Donald")["components"]
    pond.send("POST", "clock/steps", ticks=3)
    assert pond.get("entities/Donald")["components"] == before
    listed = {one["name"]: one for one in pond.get("systems")["systems"]}
    assert listed["pond.swim"]["enabled"] is False
    assert listed["pond.swim"]["doc"].startswith("Move the ducks")
    assert listed["remote.answer_requests"]["mean_ms"] > 0
    assert pond.refused("PATCH", "systems/swmi", {"enabled": True})[0] == 404


def test_components_are_described(pond: Any) -> None:
    """Fields are listed with type, default, unit, range and choices."""
    duck = pond.get("components")["components"]["pond.Duck"]
    assert duck["count"] == 3
    assert duck["fields"]["speed"] == {"type": "float", "default": 1, "unit": "units/s", "low": 0, "high": 50}
    assert duck["fields"]["mood"]["choices"] == ["calm", "angry"]


def test_the_log_is_read_from_a_number_on(pond: Any) -> None:
    """Records of a level and above are returned once, oldest first."""
    logging.getLogger("rish.pond").warning("%d ducks", 3)
    logging.getLogger("rish.pond").error("none left")
    first = pond.get("log?level=warning")
    assert [one["text"] for one in first["records"]] == ["3 ducks", "none left"]
    assert pond.get(f"log?after={first['next']}")["records"] == []
    assert [one["text"] for one in pond.get("log?level=error")["records"]] == ["none left"]
    assert pond.refused("GET", "log?level=loud")[0] == 400
