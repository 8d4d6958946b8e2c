"""Events, scenes and input over the API."""

from __future__ import annotations

from typing import Any

from rish_core import Interventions, TickHooks


def test_events_are_kept_while_they_are_asked_for(pond: Any) -> None:
    """Events are kept from the first request on, with numbers, so that each is read once."""
    assert pond.get("events")["listening"] is False
    pond.send("POST", "clock/steps", ticks=25)
    found = pond.get("events?types=Quack")
    assert [(one["tick"], one["values"]["loudness"]) for one in found["events"]] == [(10, 1), (20, 1)]
    assert found["events"][0]["values"]["duck"] == pond.get("entities/Donald")["entity"]
    assert pond.get(f"events?after={found['next']}")["events"] == []
    assert "did you mean 'Quack'" in pond.refused("GET", "events?types=Quak")[1]


def test_events_are_emitted(pond: Any) -> None:
    """An emitted event is checked, is read in the coming tick, and is noted."""
    pond.get("events")
    pond.send("POST", "events", type="Quack", values={"duck": "Donald", "loudness": 3})
    pond.send("POST", "clock/steps")
    assert [one["values"]["loudness"] for one in pond.get("events")["events"]] == [3]
    assert pond.app.world[Interventions].count == 1
    assert pond.refused("POST", "events", {"type": "Quack", "values": {"loudness": -1}})[0] == 400


def test_scenes_change(pond: Any) -> None:
    """A requested scene begins at the next border, also while the game is paused."""
    pond.send("POST", "scenes", scene="night")
    assert pond.get("scenes")["current"] == "night"
    assert pond.get("entities")["total"] == 0
    assert "did you mean 'night'" in pond.refused("POST", "scenes", {"scene": "nihgt"})[1]


def test_input_is_held_for_its_ticks(pond: Any) -> None:
    """An action is down for exactly the given ticks; it is recorded input, not an intervention."""
    recorded: list[Any] = []
    pond.app.world[TickHooks].after.append(lambda world, record: recorded.append(record.to_plain()))
    pond.send("POST", "input", hold=["swim"], ticks=3, pointer=[5, 6], text="hi")
    assert pond.get("input")["waiting"] == 4
    pond.send("POST", "clock/steps", ticks=6)
    assert pond.get("resources/Pond")["values"]["swum"] == 3
    assert pond.get("input")["pointer"] == [5, 6]
    assert pond.app.world[Interventions].count == 0
    assert [[event["kind"] for event in tick] for tick in recorded] == [
        ["mouse_move", "key", "text"], [], [], ["key"], [], [],
    ]  # fmt: skip
    assert len(pond.app.world[TickHooks].before) == 0


def test_wrong_input_is_refused(pond: Any) -> None:
    """Unknown keys and malformed events are refused with the nearest name."""
    assert "did you mean 'swim'" in pond.refused("POST", "input", {"hold": ["swin"]})[1]
    assert "no field 'kid'" in pond.refused("POST", "input", {"events": [{"kid": "key"}]})[1]
    assert pond.refused("POST", "input", {"hold": ["SPACE"] * 65})[0] == 400
    assert pond.get("input")["waiting"] == 0
