"""Recordings of games that clients drive."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rish_history import Recorder, origin_of, read_recording, verify


def test_a_driven_game_replays(pond: Any, make_pond: Any, tmp_path: Path) -> None:
    """A recording with sent input, edits, a seed and a restored snapshot replays to the same hashes."""
    recorder = Recorder(pond.app, tmp_path / "run.rish", origin_of(pond.app))
    pond.send("PUT", "snapshots/start")
    pond.send("POST", "input", hold=["swim"], ticks=5)
    pond.send("POST", "clock/steps", ticks=8)
    pond.send("PATCH", "entities/Donald", set={"Duck": {"speed": 9}})
    pond.send("POST", "entities", prefab="duck", at=[1, 1])
    pond.send("POST", "clock/steps", ticks=4)
    pond.send("PUT", "seed", seed=3)
    pond.send("POST", "events", type="Quack", values={"loudness": 2})
    pond.send("POST", "clock/steps", ticks=4)
    pond.send("POST", "snapshots/start/restore")
    pond.send("POST", "clock/steps", ticks=4)
    recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert recording.ticks == 20
    assert verify(make_pond().app, recording) is None
