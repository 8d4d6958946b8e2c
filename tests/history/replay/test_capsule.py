"""Capsules: an error that ends a game leaves a file whose replay leads to that error."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import Any

import pytest
from history_flock import inputs, key, play

from rish_core import InputRecord
from rish_frame import BackendError
from rish_history import History, Recorder, origin_of, read_recording, verify
from rish_history.replay.replay import describe


def crash(app: Any, until: int = 400) -> BaseException:
    """Play until the game ends with an error, as a command does; return the error."""
    with pytest.raises(Exception, match="a wing broke") as caught, app:  # noqa: PT012 (the end of the game is meant)
        logging.getLogger("rish.birds").warning("the wind rises")
        play(app, until)
    return caught.value


def test_a_crash_leaves_a_capsule_that_leads_to_it(
    birds: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """A crash writes a capsule from the timeline, without a recording: inputs, log, versions, and the same error."""
    error = crash(birds(break_at=150))
    path = tmp_path / "out" / "crash-birds-150.rish"
    assert f"replay them: rish replay {path.relative_to(tmp_path)}".lower() in caplog.text.lower()
    recording = read_recording(path)
    assert recording.crashed
    assert recording.error == describe(error)
    assert "the wind rises" in recording.log
    assert recording.origin.plugins["history"].startswith("rish-history")
    assert verify(birds(break_at=150), recording) is None
    found = verify(birds(), recording)
    assert found is not None
    assert str(found).endswith("a wing broke; now it does not")
    other = verify(birds(break_at=149), recording)
    assert other is not None
    assert "tick 149 now ends the game, which it did not do then: SystemFailed" in str(other)


def test_a_crash_in_a_picture_leaves_the_way_to_it(birds: Any, tmp_path: Path) -> None:
    """An error while drawing writes a capsule that replays to that tick; an error of the calling code writes none."""

    def draw(frame: Any) -> None:
        raise RuntimeError("the screen is gone")

    with pytest.raises(BackendError, match="in draw: RuntimeError: the screen"), birds(backend="null") as app:  # noqa: PT012 (the end is meant)
        hashes = play(app, 40)
        app.host.backend.draw = draw
        app.frame()
    recording = read_recording(tmp_path / "out" / "crash-birds-41.rish")
    assert recording.error.endswith("the backend 'null' of frame failed in draw: RuntimeError: the screen is gone")
    assert (recording.crashed, recording.ticks) == (False, 41)
    again = birds(backend="null")
    assert verify(again, recording) is None
    assert again.world.tick == 41
    with pytest.raises(ValueError, match="of a test"), birds() as app:  # noqa: PT012 (the end is meant)
        assert play(app, 40) == hashes
        raise ValueError("of a test")
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["crash-birds-41.rish"]


def test_a_crash_after_a_rewind_is_found_again(birds: Any, tmp_path: Path) -> None:
    """After a rewind the capsule has a segment that begins at the tick of the rewind."""
    app = birds(break_at=170)
    play(app, 120)
    app.world[History].rewind(90)
    for _ in range(20):
        app.tick(InputRecord((key("LEFT"),)) if app.world.tick == 95 else InputRecord())
    crash(app)
    recording = read_recording(tmp_path / "out" / "crash-birds-170.rish")
    assert [segment.reason for segment in recording.segments][1:] == ["rewound to tick 90"]
    assert verify(birds(break_at=170), recording) is None


def test_a_recording_that_ends_with_a_crash_is_a_capsule(birds: Any, tmp_path: Path) -> None:
    """A recording that ends with a crash has all of the game and its last input, like a capsule."""
    app = birds(history=False, break_at=100)
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    error = crash(app)
    recorder.finish(describe(error), "the log")
    recording = read_recording(tmp_path / "run.rish")
    assert (recording.ticks, recording.crashed, recording.log) == (100, True, "the log")
    assert recording.segments[0].input(100) == inputs(100)
    assert verify(birds(history=False, break_at=100), recording) is None


def test_a_game_that_ends_well_leaves_none(birds: Any, tmp_path: Path) -> None:
    """A game that ends normally or by a keyboard interrupt, or whose settings disable capsules, writes none."""
    with birds() as app:
        play(app, 30)
    with pytest.raises(KeyboardInterrupt), birds() as app:  # noqa: PT012 (the end of the game is meant)
        play(app, 30)
        raise KeyboardInterrupt
    crash(birds(break_at=10, settings={"capsules": ""}))
    assert not (tmp_path / "out").exists()


def test_no_folder_for_it_is_no_second_crash(birds: Any, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """If the capsule can't be written, that is logged and the first error is still the one that is raised."""
    (tmp_path / "out").write_text("a file")
    crash(birds(break_at=10))
    assert "no capsule of the crash can be written to out" in caplog.text
