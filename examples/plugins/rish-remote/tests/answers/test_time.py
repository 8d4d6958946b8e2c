"""The clock, the seed and snapshots over the API."""

from __future__ import annotations

from typing import Any

from rish_core import Interventions


def test_steps_are_exact(pond: Any) -> None:
    """Steps answer when they have run; a running game is paused first, and no tick more runs."""
    assert pond.send("POST", "clock/steps", ticks=30)["tick"] == 30
    pond.send("PATCH", "clock", paused=False)
    begin = pond.send("PATCH", "clock", paused=True)["tick"]
    assert begin > 30
    assert pond.get("clock")["tick"] == begin
    pond.send("PATCH", "clock", paused=False)
    end = pond.send("POST", "clock/steps", ticks=5)["tick"]
    assert pond.get("clock")["tick"] == end
    assert pond.app.world[Interventions].count == 0


def test_speed_is_in_a_range(pond: Any) -> None:
    """The speed is a finite factor of real time."""
    assert pond.send("PATCH", "clock", speed=0.5)["speed"] == 0.5
    assert pond.refused("PATCH", "clock", {"speed": 0})[0] == 400


def test_a_restored_snapshot_has_the_same_hash(pond: Any) -> None:
    """A snapshot brings back the state, and the same ticks follow; only the restore is noted."""
    pond.send("POST", "clock/steps", ticks=5)
    pond.send("PUT", "snapshots/start")
    first = pond.get("hash?parts=true")
    after = pond.send("POST", "clock/steps", ticks=20), pond.get("hash")
    pond.send("POST", "snapshots/start/restore")
    assert pond.get("hash?parts=true") == first
    assert (pond.send("POST", "clock/steps", ticks=20)["tick"], pond.get("hash")) == (after[0]["tick"], after[1])
    assert pond.app.world[Interventions].count == 1
    assert pond.send("DELETE", "snapshots/start")["slots"] == {}
    assert pond.refused("POST", "snapshots/start/restore")[0] == 404


def test_slots_have_names_and_a_limit(pond: Any) -> None:
    """A slot has a short plain name, and there are at most sixteen."""
    assert pond.refused("PUT", "snapshots/..%2Fsecret")[0] == 400
    for number in range(16):
        pond.send("PUT", f"snapshots/{number}")
    assert pond.refused("PUT", "snapshots/more")[0] == 409
    assert len(pond.send("PUT", "snapshots/3")["slots"]) == 16


def test_a_seed_is_noted(pond: Any) -> None:
    """Another seed begins the random streams anew, and is an intervention."""
    assert pond.send("PUT", "seed", seed=-3)["seed"] == -3
    assert pond.app.world.seed == -3
    assert pond.app.world[Interventions].count == 1
