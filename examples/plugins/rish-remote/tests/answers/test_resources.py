"""Resources and settings over the API."""

from __future__ import annotations

from typing import Any

from rish_core import Interventions


def test_resources_are_read_and_set(pond: Any) -> None:
    """Fields with column types are checked and set; others can only be read."""
    assert pond.get("resources")["resources"]["pond.Pond"] == "state"
    assert pond.send("PATCH", "resources/Pond", set={"depth": 2, "swum": 5})["values"] == {
        "depth": 2, "swum": 5, "names": None,
    }  # fmt: skip
    assert pond.app.world[Interventions].count == 1
    status, found = pond.ask("PATCH", "resources/Pond", {"set": {"depth": -1, "names": {}, "deep": 1}})
    said = {problem["place"]: problem["message"] for problem in found["error"]["problems"]}
    assert status == 400
    assert set(said) == {"set.depth", "set.names", "set.deep"}
    assert "only be read" in said["set.names"]
    assert pond.refused("GET", "resources/Pnod")[0] == 404


def test_resources_that_hold_objects_are_still_shown(pond: Any) -> None:
    """What is no data is shown by its type, so that every resource can be read."""
    for name in pond.get("resources")["resources"]:
        assert pond.get(f"resources/{name}")["values"] is not None
    assert pond.get("resources/Remote")["values"]["server"] == "<Server>"


def test_settings_are_changed_while_the_game_runs(pond: Any) -> None:
    """A setting is checked by its declaration, and a change is noted though settings are in no hash."""
    assert pond.send("PATCH", "settings/remote", set={"allow": "read"})["values"]["allow"] == "read"
    assert pond.app.world[Interventions].count == 1
    assert "expected one of read, write" in pond.refused("PATCH", "settings/remote", {"set": {"allow": "all"}})[1]
    assert pond.refused("GET", "settings/pond")[0] == 404
