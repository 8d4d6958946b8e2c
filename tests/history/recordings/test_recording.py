"""Record and replay: a replay is the same game, and a divergence is traced to its tick and column."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from history_flock import GAME, make_plugin, play

from rish_core import Input, InputRecord, Interventions, WindowEvent, component, resource
from rish_history import Recorder, RecordingError, Saves, origin_of, read_recording, verify
from rish_history.recordings.blocks import PART
from rish_history.recordings.recording import hashed_ticks
from rish_history.replay.replay import check_same


def recorded(app: Any, path: Path, ticks: int = 200) -> Path:
    """Record a number of ticks; return the path."""
    recorder = Recorder(app, path, origin_of(app))
    play(app, ticks)
    recorder.finish()
    return path


OLD = Path(__file__).parent / "before_players.rish"
"""A recording of 120 ticks of this game with keys, mouse, gamepad, text and focus, made before devices had numbers."""


def test_an_old_recording_is_played(birds: Any) -> None:
    """A recording that was made before devices had numbers is read and replays with the same hashes."""
    recording = read_recording(OLD)
    assert recording.ticks == 120
    kinds = {event.kind for record in recording.segments[0].inputs.values() for event in record.events}
    assert {"key", "gamepad_axis", "gamepad_button", "mouse_move", "mouse_button", "text", "focus"} <= kinds
    app = birds()
    assert verify(app, recording) is None
    assert app.world[Input].devices is None


PLAYERS = {**GAME["input"], "players": [{"hop": ["A", "gamepad.a"]}, {"hop": ["LEFT", "gamepad.a"]}]}


def pads(tick: int) -> InputRecord:
    """Return events of two gamepads that come, press in the same tick and go, of a finger and of a paste."""
    device = 1 + tick % 2
    kinds = ["gamepad_connected", "gamepad_button", "gamepad_axis", "touch", "paste", "gamepad_disconnected"]
    kind = kinds[tick // 5 % len(kinds)]
    name = {"gamepad_button": "gamepad.a", "gamepad_axis": "gamepad.left_x"}.get(kind, "")
    down = kind == "touch" or tick % 3 > 0
    text = "hé" if kind == "paste" else ""
    event = WindowEvent(kind, name, down, value=tick % 9 / 8, text=text, device=device, touch=device, x=tick)
    return InputRecord((event, *((replace(event, device=3 - device),) if tick % 4 == 0 else ())))


def test_players_replay_to_equal_hashes(birds: Any, tmp_path: Path) -> None:
    """Places of pads, fingers and pastes follow from the recorded events."""
    app = birds(game={"input": PLAYERS})
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    while app.world.tick < 120:
        app.tick(pads(app.world.tick))
    recorder.finish()
    devices = app.world[Input].devices
    assert devices is not None
    assert sorted(devices.seats.values()) == [1, 2]
    again = birds(game={"input": PLAYERS})
    assert verify(again, read_recording(tmp_path / "run.rish")) is None
    assert again.world.hash() == app.world.hash()


@pytest.mark.slow
def test_a_replay_is_the_same_game(birds: Any, tmp_path: Path) -> None:
    """A replay has the same hash in every tick and the same columns each second, across a change of scene."""
    first = birds()
    recording = read_recording(recorded(first, tmp_path / "run.rish"))
    assert (recording.ticks, recording.cut, len(recording.segments)) == (200, "", 1)
    assert sorted(recording.segments[0].hashes) == list(range(1, 201))
    assert sorted(recording.segments[0].parts) == [0, 60, 120, 180]
    again = birds()
    assert verify(again, recording) is None
    assert again.world.hash() == first.world.hash()


def test_recording_changes_nothing(birds: Any, tmp_path: Path) -> None:
    """A recorded game has the hashes of one that is not recorded."""
    plain = play(birds(history=False), 100)
    app = birds(history=False)
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    assert play(app, 100) == plain
    recorder.finish()


def test_it_is_small(birds: Any, tmp_path: Path) -> None:
    """A recording takes about eight bytes a tick."""
    assert recorded(birds(), tmp_path / "run.rish", 600).stat().st_size < 600 * 8 + 6000


def test_a_divergence_is_traced(birds: Any, tmp_path: Path) -> None:
    """A divergence is reported with the first tick that differs, and the columns that differ at the next second."""
    recording = read_recording(recorded(birds(), tmp_path / "run.rish"))
    found = verify(birds(drift_at=70), recording)
    assert found is not None
    assert (found.tick, found.parts_tick) == (71, 120)
    assert found.parts == ["birds.Sky:resource"]
    assert (
        str(found) == "the replay differs from the recording at tick 71; at tick 120 these differ: birds.Sky:resource"
    )
    late = verify(birds(drift_at=190), recording)
    assert "ends before its next hash" in str(late)


def test_an_intervention_begins_a_segment(birds: Any, tmp_path: Path) -> None:
    """A change from outside, which no input explains, begins a segment with a complete snapshot."""
    app = birds()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    play(app, 80)
    app.world.random("wind").uniform()
    app.world[Interventions].note("an edit by hand")
    play(app, 150)
    recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert [(s.tick, s.end, s.reason, s.snapshot is None) for s in recording.segments] == [
        (0, 80, "it begins", True), (80, 150, "an edit by hand", False),
    ]  # fmt: skip
    assert verify(birds(), recording) is None


def test_it_may_begin_in_the_middle(birds: Any, tmp_path: Path) -> None:
    """A recording may begin in the middle of a game, with a snapshot."""
    app = birds()
    play(app, 50)
    recording = read_recording(recorded(app, tmp_path / "run.rish", 90))
    assert [(s.tick, s.end) for s in recording.segments] == [(50, 90)]
    assert verify(birds(), recording) is None


def test_a_killed_recording_plays_up_to_its_last_block(birds: Any, tmp_path: Path) -> None:
    """The recording of a killed process plays up to its last complete block."""
    app = birds()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    play(app, 130)
    recorder._writer.close()
    part = tmp_path / f"run.rish{PART}"
    recording = read_recording(part)
    assert (recording.ticks, recording.cut) == (120, "it has no end block")
    assert verify(birds(), recording) is None
    part.write_bytes(part.read_bytes()[:-9])
    recording = read_recording(part)
    assert recording.ticks in (60, 120)
    assert recording.cut.endswith("is cut")
    assert verify(birds(), recording) is None


def test_a_large_state_is_hashed_once_a_second(birds: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A large state is hashed only once a second, to keep a recording cheap."""
    monkeypatch.setattr("rish_history.recordings.recorder.LARGE_STATE", 10)
    recording = read_recording(recorded(birds(), tmp_path / "run.rish"))
    assert sorted(recording.segments[0].hashes) == [60, 120, 180]
    assert verify(birds(), recording) is None
    found = verify(birds(drift_at=70), recording)
    assert found is not None
    assert (found.tick, found.parts_tick) == (120, 120)


def test_which_ticks_have_a_hash() -> None:
    """The hashed ticks are the multiples of the interval within a block."""
    assert list(hashed_ticks(0, 60, 1)) == list(range(1, 61))
    assert list(hashed_ticks(60, 60, 60)) == [120]
    assert list(hashed_ticks(60, 59, 60)) == []
    assert list(hashed_ticks(59, 2, 60)) == [60]


def test_a_full_disk_ends_the_recording_and_not_the_game(birds: Any, tmp_path: Path) -> None:
    """A full disk ends the recording but not the game; the reason is stored and the written part can be played."""
    app = birds()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    play(app, 70)

    def full(place: int, data: bytes) -> int:
        raise OSError(28, "No space left on device")

    recorder._writer.write_at = full  # type: ignore[method-assign]
    play(app, 200)
    recorder.finish()
    assert "No space left" in recorder.failed
    assert verify(birds(), read_recording(tmp_path / f"run.rish{PART}")) is None
    with pytest.raises(RecordingError, match="can't be written"):
        Recorder(app, tmp_path / "no" / "run.rish", origin_of(app))


def test_another_game_is_distinguished(birds: Any) -> None:
    """Each difference between two games is reported in words: title, versions, files and seed."""
    then, now = origin_of(birds()), origin_of(birds())
    assert then.differences(now) == []
    now.title, now.seed = "Fish", 9
    now.plugins = {"swim": "rish-swim 0.2"}
    then.plugins = {"wind": "rish-wind 0.1"}
    now.files, then.files = {"plugin.py": "a"}, {"plugin.py": "b", "old.py": "c"}
    assert then.differences(now) == [
        "it is of 'Birds', and this game is 'Fish'",
        "the plugin 'swim' (rish-swim 0.2) was not loaded in the recorded game",
        "the plugin 'wind' (rish-wind 0.1) is not loaded now",
        "old.py is gone, plugin.py has changed",
        "its seed was 4, and is 9",
    ]


def test_an_optional_plugin_is_no_other_game(birds: Any) -> None:
    """A plugin that either game can do without may be loaded in only one of them; its version must be the same."""
    then, now = origin_of(birds()), origin_of(birds())
    now.plugins = {"wind": "rish-wind 0.1", "audio": "rish-audio 0.1"}
    then.plugins = {"wind": "rish-wind 0.1"}
    assert then.differences(now) == ["the plugin 'audio' (rish-audio 0.1) was not loaded in the recorded game"]
    now.optional = ["audio"]
    assert then.differences(now) == now.differences(then) == []
    then.plugins["audio"] = "rish-audio 0.2"
    assert then.differences(now) == ["the plugin 'audio' was rish-audio 0.2, and is rish-audio 0.1"]


@pytest.mark.slow
@pytest.mark.parametrize("with_audio", [True, False])
def test_a_recording_is_played_with_and_without_an_optional_plugin(
    rish_app: Any, tmp_path: Path, with_audio: bool
) -> None:
    """A recording and a save game of a game with an optional plugin for drawing fit the game without it, and back."""

    @component(view=True)
    class Source:
        volume: float = 1.0

    @resource(view=True)
    class Sound:
        gain: float = 1.0

    audio = SimpleNamespace(rish_components=lambda: [Source], rish_settings=lambda: Sound)
    scene = [{"Transform": {}, "Bird": {}, "audio.Source": {"volume": 0.5}}, {"Transform": {}, "Bird": {}}]
    game = {**GAME, "plugins": ["birds", "audio?"], "settings": {"audio": {"gain": 0.5}}}
    game["scenes"] = {**GAME["scenes"], "main": scene}

    def make(loud: bool) -> Any:
        plugins = {"birds": make_plugin(), **({"audio": audio} if loud else {})}
        return rish_app(game, plugins=plugins, installed=["history"], strict=False)

    app = make(with_audio)
    path = tmp_path / "run.rish"
    recorder = Recorder(app, path, origin_of(app))
    play(app, 60)
    save = tmp_path / "here.save"
    app.world[Saves].save(save)
    app.world[Saves].load(save)
    play(app, 150)
    recorder.finish()
    recording = read_recording(path)
    assert recording.origin.optional == (["audio"] if with_audio else [])
    other = make(not with_audio)
    check_same(recording, other, path)
    assert verify(other, recording) is None
    loaded = make(not with_audio)
    loaded.world[Saves].load(save)
    play(loaded, 150)
    assert loaded.world.hash() == app.world.hash()
    assert (Sound in loaded.world) == (not with_audio)


@pytest.mark.parametrize("payload", [b"", b"{", b"[]", b'{"tick": "x", "reason": 1}', b"\xff" * 40])
def test_blocks_that_say_nonsense_end_the_recording(tmp_path: Path, payload: bytes) -> None:
    """A recording is played up to a block with a valid checksum and invalid content; without a header it is refused."""
    from rish_history.recordings.blocks import BlockWriter
    from rish_history.recordings.origin import Origin
    from rish_history.recordings.recording import pack_json, pack_segment

    for kind in (b"H", b"S", b"T", b"C", b"E"):
        writer = BlockWriter(tmp_path / "x.rish")
        writer.write(b"H", payload if kind == b"H" else pack_json(Origin().to_plain()))
        writer.write(b"S", pack_segment(0, "", None))
        writer.write(kind, payload)
        writer.finish()
        if kind == b"H":
            with pytest.raises(RecordingError):
                read_recording(tmp_path / "x.rish")
        else:
            found = read_recording(tmp_path / "x.rish")
            assert "block 2 can't be read" in found.cut
            assert (found.ticks, len(found.segments)) == (0, 1)
