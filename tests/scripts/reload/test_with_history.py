"""Recording of a game during edits: an edit's changes are no input, so they are stored in the recording."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import Snapshot
from rish_history import History, Recorder, origin_of, read_recording, verify

HITS = ("{hits: 9}", "{hits: 4}")


@pytest.fixture
def recorded(yard: Path, start: Callable[..., Any]) -> Any:
    """The small game with its history, running."""
    text = (yard / "game.yaml").read_text(encoding="utf-8")
    (yard / "game.yaml").write_text(text.replace("[scripts, render]", "[scripts, render, history]"), encoding="utf-8")
    return start(yard, installed=("scripts", "render", "history"))


def test_a_recording_goes_on_in_a_new_segment(recorded: Any, tmp_path: Path) -> None:
    """An edit begins a segment with a complete snapshot of the state after it; a broken edit begins none."""
    app, path = recorded.app, tmp_path / "run.rish"
    app.run(3)
    recorder = Recorder(app, path, origin_of(app))
    app.run(5)
    recorded.edit("game.yaml", HITS)
    edited = app.world.hash()
    app.run(4)
    recorded.edit("rules.py", ("1", "("))
    app.run(2)
    recorder.finish()
    recording = read_recording(path)
    assert [len(segment) for segment in recording.segments] == [5, 6]
    last = recording.segments[1]
    assert last.reason == "reload of game.yaml"
    assert last.snapshot is not None
    app.world.restore(Snapshot.from_bytes(last.snapshot))
    assert app.world.hash() == edited
    recording.segments = [last]  # the ticks before the edit need the text before the edit
    assert verify(app, recording) is None


def test_the_past_reaches_across_an_edit(recorded: Any) -> None:
    """A seek to before an edit and back again restores the state."""
    app = recorded.app
    app.run(5)
    recorded.edit("game.yaml", HITS)
    edited, tick = app.world.hash(), app.world.tick
    app.run(5)
    app.world[History].seek(tick)
    assert app.world.hash() == edited
