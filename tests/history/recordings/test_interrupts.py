"""Ctrl-C at any moment leaves a recording that can be read."""

from __future__ import annotations

import gc
import hashlib
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from interrupted import interrupted_everywhere
from long_runs import long
from rish_core import InputRecord, Interventions, TickHooks, WindowEvent
from rish_history import Recorder, RecordingError, read_recording
from rish_history.recordings import blocks, recorder
from rish_history.recordings.blocks import PART
from rish_history.recordings.origin import Origin

TICKS = 3


class World:
    """A World whose state is its tick, for a recorder."""

    def __init__(self) -> None:
        self.tick = 0
        self.tables: dict[Any, Any] = {}
        self.columns: dict[Any, Any] = {}
        self.resources: dict[Any, Any] = {Interventions: Interventions(), TickHooks: TickHooks()}

    def __getitem__(self, cls: Any) -> Any:
        return self.resources[cls]

    def hash(self) -> str:
        """Return the hash of the tick."""
        return hashlib.sha256(str(self.tick).encode()).hexdigest()

    def hashes(self) -> dict[str, str]:
        """Return the hash of the only part."""
        return {"tick": self.hash()}

    def snapshot(self) -> Any:
        """Return a snapshot that is a text."""
        return SimpleNamespace(to_bytes=lambda: str(self.tick).encode())

    def run_tick(self) -> None:
        """Run a tick as the loop does, with an input in every third."""
        record = InputRecord((WindowEvent("key", f"F{self.tick}"),) if self.tick % 3 == 0 else ())
        for hook in tuple(self[TickHooks].before):
            record = hook(self, record) or record
        self.tick += 1
        for hook in tuple(self[TickHooks].after):
            hook(self, record)


def complete(path: Path) -> int:
    """Check that a recording has every tick with its hash and its input; return the number of its ticks."""
    found = read_recording(path)
    tick = 0
    for segment in found.segments:
        assert segment.tick == tick
        for tick in range(segment.tick + 1, segment.end + 1):
            assert segment.hashes[tick] == hashlib.sha256(str(tick).encode()).digest()[:8]
            events = segment.input(tick - 1).events
            assert [event.name for event in events] == ([f"F{tick - 1}"] if (tick - 1) % 3 == 0 else [])
    return tick


@pytest.mark.filterwarnings("ignore:unclosed file", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_interrupt_at_any_instruction_leaves_a_readable_recording(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever instruction of the recorder is the last, the recording has all ticks that are counted, and no more."""
    monkeypatch.setattr(recorder, "BLOCK_TICKS", 2)
    monkeypatch.setattr("os.fsync", lambda file: None)
    path = tmp_path / "run.rish"
    made: list[Recorder] = []
    done = 0

    def play() -> None:
        nonlocal done
        made.clear()
        done, world = 0, World()
        path.unlink(missing_ok=True)
        made.append(Recorder(SimpleNamespace(world=world), path, Origin()))
        for number in range(TICKS):
            if number == 2:
                world[Interventions].note("something else")
            world.run_tick()
            done += 1
        made[0].finish()

    for _ in interrupted_everywhere(play, recorder, blocks):
        if not made:  # interrupted while it began
            continue
        part = path.with_name(path.name + PART)
        if done and part.exists():  # as after a kill
            assert complete(part) <= made[0].ticks
        made[0].finish()
        assert complete(path) == made[0].ticks
        assert made[0].ticks in (done, done + 1)
    assert complete(path) == TICKS
    made.clear()
    gc.collect()  # files of recorders that were interrupted while they began


def test_a_game_that_goes_on_after_an_interrupt_is_recorded_in_a_new_segment(tmp_path: Path) -> None:
    """A tick that the recorder did not see, because of an error between the hooks, begins a segment with a snapshot."""
    world = World()
    made = Recorder(SimpleNamespace(world=world), tmp_path / "run.rish", Origin())
    for _ in range(3):
        world.run_tick()
    world.tick += 1
    for _ in range(2):
        world.run_tick()
    made.finish()
    first, second = read_recording(tmp_path / "run.rish").segments
    assert (first.tick, first.end, second.tick, second.end) == (0, 3, 4, 6)
    assert second.snapshot == b"4"


def test_a_recording_that_is_cut_or_damaged_anywhere_plays_up_to_there(tmp_path: Path) -> None:
    """Cut at any length, or with any byte changed, a recording has a part of its ticks and says so, or is refused."""
    world, path = World(), tmp_path / "run.rish"
    made = Recorder(SimpleNamespace(world=world), path, Origin())
    for _ in range(130):
        world.run_tick()
    made.finish()
    data, whole = path.read_bytes(), read_recording(path)
    assert whole.cut == ""
    damaged = tmp_path / "damaged.rish"
    places = range(0, len(data), long(1, 7))
    turned = [data[:at] + bytes([data[at] ^ (1 << at % 8)]) + data[at + 1 :] for at in places]
    said: set[int] = set()
    refused: list[str] = []
    for content in (*(data[:length] for length in places), *turned):
        damaged.write_bytes(content)
        try:
            found = read_recording(damaged)
        except RecordingError as error:
            refused.append(str(error))
            continue
        assert found.cut
        assert complete(damaged) == found.ticks <= 130
        assert found.segments[0].hashes.items() <= whole.segments[0].hashes.items()
        said.add(found.ticks)
    assert said == {0, 60, 120, 130}
    assert all("damaged.rish" in sentence for sentence in refused)
