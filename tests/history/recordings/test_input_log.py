"""The log of a game's input: after a crash of the process it is a recording of everything that happened."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from history_flock import play

from rish_core import Interventions, describe_error
from rish_history import InputLog, RecordingError, end_input_log, origin_of, read_recording, verify
from rish_history.recordings import input_log

Begin = Callable[[Any], InputLog]


@pytest.fixture
def begin(tmp_path: Path) -> Iterator[Begin]:
    """Return `begin(app)`, which logs the input of a game into `run.input`."""
    logs: list[InputLog] = []

    def start(app: Any) -> InputLog:
        logs.append(InputLog(app, tmp_path / "run.input", origin_of(app)))
        return logs[-1]

    yield start
    for log in logs:
        log.close()


def hash_after(app: Any, path: Path) -> tuple[int, str]:
    """Play a recording; return the tick and the hash at its end."""
    assert verify(app, read_recording(path)) is None
    return app.world.tick, app.world.hash()


@pytest.mark.parametrize("ticks", [1, 37, 150])
def test_a_killed_game_leaves_all_of_its_input(birds: Any, begin: Begin, tmp_path: Path, ticks: int) -> None:
    """The log is not closed, and still gives a recording with each tick that began, and the same state."""
    app = birds()
    begin(app)
    play(app, ticks)
    end = end_input_log(tmp_path / "run.input", tmp_path / "run.rish", "killed", "the last line")
    assert (end.seed, end.tick) == (app.world.seed, ticks)
    recording = read_recording(tmp_path / "run.rish")
    assert (recording.cut, recording.error, recording.log) == ("", "killed", "the last line")
    assert hash_after(birds(), tmp_path / "run.rish") == (ticks, app.world.hash())
    assert [path.name for path in tmp_path.glob("run.*")] == ["run.rish"]


def test_the_input_of_the_tick_that_crashes_is_there(birds: Any, begin: Begin, tmp_path: Path) -> None:
    """The replay ends with the same error in the same tick."""
    app = birds(break_at=70, policy="raise")
    log = begin(app)
    with pytest.raises(Exception, match="a wing broke") as raised:
        play(app, 100)
    log.close()
    assert end_input_log(log.path, tmp_path / "run.rish", describe_error(raised.value)).tick == 71
    assert verify(birds(break_at=70, policy="raise"), read_recording(tmp_path / "run.rish")) is None
    earlier = verify(birds(break_at=50, policy="raise"), read_recording(tmp_path / "run.rish"))
    assert earlier is not None
    assert earlier.tick == 50


def test_a_change_of_state_begins_a_segment(birds: Any, begin: Begin, tmp_path: Path) -> None:
    """What is no input, such as a loaded game, is in the log as a state."""
    app = birds()
    begin(app)
    play(app, 40)
    before = app.world.snapshot()
    play(app, 60)
    app.world.restore(before)
    app.world[Interventions].note("a loaded game")
    play(app, 90)
    end_input_log(tmp_path / "run.input", tmp_path / "run.rish", "killed")
    recording = read_recording(tmp_path / "run.rish")
    assert [(each.tick, each.end, each.reason) for each in recording.segments] == [
        (0, 60, "it begins"),
        (40, 90, "a loaded game"),
    ]
    assert hash_after(birds(), tmp_path / "run.rish") == (90, app.world.hash())


def test_a_long_log_begins_again_with_the_state(
    birds: Any, begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file stays small, and what it still has can be played."""
    monkeypatch.setattr(input_log, "MAX_BYTES", 4000)
    app = birds()
    log = begin(app)
    play(app, 400)
    assert log.path.with_name("run.input.part").stat().st_size < 40_000
    end_input_log(log.path, tmp_path / "run.rish", "killed")
    assert read_recording(tmp_path / "run.rish").segments[0].tick > 0
    assert hash_after(birds(), tmp_path / "run.rish") == (400, app.world.hash())


def test_a_full_disk_ends_the_log_and_not_the_game(
    birds: Any, begin: Begin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No hook is left, and what was written before can be played."""
    app = birds()
    begin(app)
    play(app, 20)

    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(input_log.BlockWriter, "write_at", fail)
    play(app, 200)
    monkeypatch.undo()
    assert end_input_log(tmp_path / "run.input", tmp_path / "run.rish", "killed").tick >= 20
    assert verify(birds(), read_recording(tmp_path / "run.rish")) is None


def test_a_log_that_was_deleted_has_no_files(birds: Any, begin: Begin, tmp_path: Path) -> None:
    """A game that ends well leaves nothing behind; there is no recording of it."""
    app = birds()
    log = begin(app)
    play(app, 5)
    log.delete()
    play(app, 9)
    assert not list(tmp_path.glob("run.*"))
    with pytest.raises(RecordingError):
        end_input_log(log.path, tmp_path / "run.rish", "killed")
