"""Save games: complete or not written at all, the same bytes for the same state, rejected with a reason."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from history_flock import Bird, inputs, play
from hypothesis import HealthCheck, given, settings

from long_runs import long
from rish_core import Input, Snapshot, UsageError, World
from rish_ecs import SnapshotError
from rish_history import SaveError, Saves
from rish_history.saves import saves as module
from rish_history.saves.canonical import tidied
from rish_history.saves.saves import FORMAT, MAGIC, STEPS, parse_save, read_save, save_bytes


def test_a_game_goes_on_from_its_save(birds: Any) -> None:
    """A save loaded into another world has the same state and continues as the same game."""
    app = birds()
    play(app, 137)
    app.world[Saves].save("slot 1")
    hashes = play(app, 180)
    other = birds()
    play(other, 10)
    other.world[Saves].load("slot 1")
    assert other.world.tick == 137
    assert play(other, 180) == hashes
    assert other.world[Saves].slots == ["slot 1"]


@pytest.mark.slow
def test_save_load_save_is_the_same_file(birds: Any, tmp_path: Path) -> None:
    """A loaded game saves to the same bytes, whatever texts the other world has interned before."""
    app = birds()
    for until in (0, 1, 60, 145, 300):
        play(app, until)
        path = tmp_path / "one.save"
        app.world[Saves].save(path)
        other = birds()
        play(other, 77)
        for text in ("zebra", "ant"):
            other.world.intern(text)
        other.world[Saves].load(path)
        assert save_bytes(other) == path.read_bytes() == save_bytes(app)


def test_within_a_tick_it_waits_for_the_border(birds: Any, tmp_path: Path) -> None:
    """A save requested within a tick is written after it; a failure is stored in `failed` and the game continues."""
    from rish_core import Stage

    app = birds()
    play(app, 5)
    world = app.world
    world.stage = Stage.UPDATE
    world[Saves].save(tmp_path / "a.save")
    world[Saves].save(tmp_path / "none" / "b.save")
    world.stage = None
    assert not (tmp_path / "a.save").exists()
    app.tick(inputs(5))
    assert read_save(tmp_path / "a.save").snapshot.tick == 5
    assert "can't be saved to" in world[Saves].failed


def test_games_of_one_title_have_saves_of_their_own(birds: Any) -> None:
    """With an `id` each game has its own folder, and refuses saves of the other; a title is an id for old saves."""
    plain, first, second, renamed = (
        birds(game={"game": game})
        for game in ({"title": "Birds"}, {"title": "Birds", "id": "a-1"}, {"title": "Birds", "id": "b-2"},
                     {"title": "Gulls", "id": "Birds"})
    )  # fmt: skip
    for app in (plain, first):
        play(app, 3)
        app.world[Saves].save("slot")
    assert second.world[Saves].slots == []
    assert first.world[Saves].folder.name == "a-1"
    for app, other in ((second, first), (plain, first), (first, plain)):
        with pytest.raises(SaveError, match=r"of 'Birds', and this game is 'Birds', with the id"):
            app.world[Saves].load(other.world[Saves].path("slot"))
    renamed.world[Saves].load("slot")  # that of the game that was called Birds
    assert renamed.world.hash() == plain.world.hash()


@pytest.mark.parametrize("name", ["", "../x", "a/b", ".hidden", "x" * 99])
def test_a_slot_has_a_plain_name(birds: Any, name: str) -> None:
    """A slot's name can't lead out of the folder of save games."""
    with pytest.raises(UsageError, match="is no name for a save game"):
        birds().world[Saves].save(name)


def test_what_does_not_belong_here_is_refused(birds: Any, tmp_path: Path) -> None:
    """Files that are not a save of this game are rejected with a reason, and the state does not change."""
    app = birds()
    play(app, 20)
    before = app.world.hash()
    data = save_bytes(app)
    fish = save_bytes(birds(game={"game": {"title": "Fish"}}))
    cases = {
        "no save game of Rish": b"PNG" * 40,
        "is cut or damaged": data[:-5],
        "cut or damaged": data[:60] + b"?" + data[61:],
        f"has format {FORMAT + 1}, and this rish-history reads up to {FORMAT}": data[:8]
        + bytes([FORMAT + 1])
        + data[9:],
        "a save game of 'Fish', and this game is 'Birds'": fish,
    }
    for said, content in cases.items():
        path = tmp_path / "x.save"
        path.write_bytes(content)
        with pytest.raises(SaveError, match=said):
            app.world[Saves].load(path)
        assert app.world.hash() == before
    with pytest.raises(SaveError, match="can't be read"):
        app.world[Saves].load("never saved")


def test_one_from_the_future_of_a_plugin_is_refused(birds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A save of a newer plugin version is rejected with the install command; one of an older version is loaded."""
    app = birds()
    monkeypatch.setattr(module, "plugin_versions", lambda app: {"wind": "rish-wind 0.3.0"})
    app.world[Saves].save("a")
    monkeypatch.setattr(module, "plugin_versions", lambda app: {"wind": "rish-wind 0.2.9"})
    with pytest.raises(SaveError, match=r"saved with rish-wind 0.3.0, and here is rish-wind 0.2.9"):
        app.world[Saves].load("a")
    monkeypatch.setattr(module, "plugin_versions", lambda app: {"wind": "rish-wind 0.10.0"})
    app.world[Saves].load("a")


def test_an_older_format_is_lifted_step_by_step(birds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """An older format is converted in steps; each gets head and snapshot and returns those of the next format."""
    app = birds()
    play(app, 9)
    old = save_bytes(app)
    monkeypatch.setattr(module, "FORMAT", FORMAT + 2)
    monkeypatch.setitem(STEPS, FORMAT, lambda head, data: ({**head, "one": 1}, data))
    monkeypatch.setitem(STEPS, FORMAT + 1, lambda head, data: ({**head, "two": head["one"] + 1}, data))
    game = parse_save(old)
    assert (game.head["two"], game.snapshot.tick, game.title) == (2, 9, "Birds")
    monkeypatch.delitem(STEPS, FORMAT + 1)
    with pytest.raises(SaveError, match="can't be read"):
        parse_save(old)


def test_a_save_of_format_1_is_loaded(birds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A save of format 1 is loaded without its versions of edges."""
    app = birds()
    play(app, 9)
    before = app.world.hash()
    monkeypatch.setattr(module, "FORMAT", 1)
    snapshot = app.world.snapshot()
    snapshot.resources["core.EdgeVersions"] = {"by_source": {"tiles": 2}}
    monkeypatch.setattr(type(app.world), "snapshot", lambda world: snapshot)
    old = save_bytes(app)
    monkeypatch.undo()
    play(app, 20)
    module.restore_save(app, parse_save(old))
    assert app.world.hash() == before


def test_actions_that_came_later_keep_their_keys(birds: Any) -> None:
    """An action that is newer than the save keeps its keys; the other actions get the saved keys."""
    app = birds()
    app.world[Input].set_actions({"left": ["A"]})
    game = parse_save(save_bytes(app))
    app.world[Input].set_actions({"left": ["LEFT"], "dash": ["X"]})
    module.restore_save(app, game)
    assert app.world[Input].actions == {"left": ["A"], "dash": ["X"]}


def test_an_action_with_an_unknown_key_keeps_its_keys(birds: Any) -> None:
    """A saved action with a key of another version keeps the current keys, so that a system can ask for it."""
    app = birds()
    inputs: Input = app.world[Input]
    inputs.set_actions({"left": ["A"]}, [{"hop": ["X"]}])
    game = parse_save(save_bytes(app))
    game.snapshot.resources["core.Input"]["actions"]["left"] = ["THIRD_EYE"]
    module.restore_save(app, game)
    assert inputs.actions == {"left": ["A"]}
    assert not inputs.down("left")


def test_players_that_came_later_stay(birds: Any) -> None:
    """Players that are newer than the save stay, and so do their newer actions; saved keys of players come back."""
    app = birds()
    inputs: Input = app.world[Input]
    old = parse_save(save_bytes(app))
    inputs.set_actions({"left": ["A"]}, [{"hop": ["X"]}, {"hop": ["Y"]}])
    newer = parse_save(save_bytes(app))
    inputs.set_actions({"left": ["A"]}, [{"hop": ["U"], "dash": ["I"]}, {"hop": ["V"]}])
    module.restore_save(app, newer)
    assert [dict(player.actions) for player in inputs.players] == [
        {"left": ["A"], "hop": ["X"], "dash": ["I"]}, {"left": ["A"], "hop": ["Y"]},
    ]  # fmt: skip
    module.restore_save(app, old)
    assert [player.actions["hop"] for player in inputs.players] == [["X"], ["Y"]]


def test_a_field_that_is_gone_is_named(birds: Any, caplog: pytest.LogCaptureFixture) -> None:
    """Fields of the save that are unknown or of another type are left out, and each is named in the log."""
    app = birds()
    play(app, 12)
    game = parse_save(save_bytes(app))
    state = game.snapshot.tables["birds.Bird"]
    state.schema["wings"] = "int"
    state.fields["wings"] = np.full(state.length, 2, np.int32)
    state.schema["speed"], state.fields["speed"] = "int", np.full(state.length, 5, np.int32)
    game.snapshot.resources["birds.Sky"]["color"] = "blue"
    assert module.restore_save(app, game) == ["birds.Bird.speed", "birds.Bird.wings", "birds.Sky.color"]
    assert "holds birds.Bird.wings, which this version does not know; it is left out" in caplog.text
    assert "holds birds.Bird.speed, of type int, and here it is Vec2; it is left out" in caplog.text
    assert not app.world[app.world.kind("Bird")].speed.any()


def test_a_component_that_no_plugin_declares_refuses_it(birds: Any) -> None:
    """A save with an unknown component is rejected, since a complete table would be lost."""
    app = birds()
    game = parse_save(save_bytes(app))
    game.snapshot.tables["wind.Gust"] = game.snapshot.tables["birds.Bird"]
    before = app.world.hash()
    with pytest.raises(SaveError, match=r"does not fit this version of 'Birds': .*wind.Gust.*Name the plugin 'wind'"):
        module.restore_save(app, game)
    assert app.world.hash() == before


# Crashes and failing disks

OPERATIONS = ("open", "write", "flush", "fsync", "replace", "folder", "fsync folder")


def failing(monkeypatch: pytest.MonkeyPatch, which: int) -> list[int]:
    """Make the n-th file operation fail, counted from 1; return a list with the number of operations so far."""
    count = [0]

    def counted(function: Any) -> Any:
        def call(*args: Any, **options: Any) -> Any:
            count[0] += 1
            if count[0] == which:
                raise OSError(28, "No space left on device")
            return function(*args, **options)

        return call

    real_open = Path.open

    def opened(self: Path, *args: Any, **options: Any) -> Any:
        file = counted(real_open)(self, *args, **options)

        class Wrapped:
            write, flush = staticmethod(counted(file.write)), staticmethod(counted(file.flush))
            fileno = staticmethod(file.fileno)

            def __enter__(self) -> Any:
                return self

            def __exit__(self, *_: object) -> None:
                file.close()

        return Wrapped()

    monkeypatch.setattr(Path, "open", opened)
    for name in ("fsync", "replace", "open"):
        monkeypatch.setattr(f"rish_system.files.os.{name}", counted(getattr(os, name)))
    return count


@pytest.mark.parametrize("which", range(1, 9))
def test_the_nth_operation_fails(
    birds: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, which: int, caplog: pytest.LogCaptureFixture
) -> None:
    """After a failure before the rename the old file is unchanged; after the rename the new file is complete.

    Each failure gives one message.
    """
    app = birds()
    path = tmp_path / "game.save"
    app.world[Saves].save(path)
    old = path.read_bytes()
    play(app, 30)
    new = save_bytes(app)
    with monkeypatch.context() as patch:
        count = failing(patch, which)
        try:
            app.world[Saves].save(path)
            said = caplog.text
        except SaveError as error:
            said = str(error)
    assert count[0] == (len(OPERATIONS) if which in (7, 8) else which)
    if which < 7:
        assert path.read_bytes() == old
        assert said == f"the game can't be saved to {path}: No space left on device"
    else:
        assert path.read_bytes() == new
        assert ("a power cut now might bring back the old one" in said) == (which == 7)
    assert [p.name for p in tmp_path.glob("*.rish-tmp")] + [p.name for p in tmp_path.glob(".*.rish-tmp")] == []


SAVER = """
import sys
from pathlib import Path
from rish_ecs.snapshots import write_whole
path, *games = map(Path, sys.argv[1:])
games = [game.read_bytes() for game in games]
print("ready", flush=True)
while True:
    for game in games:
        write_whole(path, game)
"""


def kill_savers(birds: Any, folder: Path, times: int, seed: int = 1) -> None:
    """Kill a process that saves a game in a loop, several times, and load the file that it leaves each time."""
    app, dice = birds(), np.random.default_rng(seed)
    app.world.spawn_many(50_000, Bird(speed=dice.normal(0, 9, (50_000, 2))))
    games = [folder / "a", folder / "b"]
    for game in games:
        app.tick()
        game.write_bytes(save_bytes(app))
    saves: Saves = app.world[Saves]
    saves.save("slot")
    for _ in range(times):
        command = [sys.executable, "-c", SAVER, str(saves.path("slot")), *map(str, games)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        process.stdout.readline()
        time.sleep(float(dice.uniform(0.001, 0.05)))
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()
        assert read_save(saves.path("slot")).snapshot.tick in (1, 2)
    other = birds()
    assert [path.name for path in saves.folder.iterdir()] == ["slot.save"]
    other.world[Saves].load("slot")
    assert len(other.world[Bird]) == 50_001


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="kills")
def test_killed_at_any_moment_a_whole_game_is_there(birds: Any, tmp_path: Path) -> None:
    """After a kill at any time a complete game can be loaded, and the next start removes temporary files."""
    kill_savers(birds, tmp_path, long(200, 6))


# Generated worlds


@settings(max_examples=long(1000, 25), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_generated_worlds_are_saved_the_same_twice(data: st.DataObject) -> None:
    """A generated world saved, restored in another world and saved again gives the same bytes."""
    check_generated(data)


def check_generated(data: st.DataObject) -> None:
    """Save a generated world, load it into one with other interned texts, and save that: hash and bytes are equal."""
    from history_flock import Sang, Sky

    from rish_core import Transform

    texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
    numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)
    world, other = World([Bird, Sang, Transform], seed=data.draw(st.integers(0, 9))), World([Bird, Sang, Transform])
    world.put(Sky())
    other.put(Sky())
    for _ in range(data.draw(st.integers(0, 8))):
        bird = Bird(name=data.draw(texts), song=data.draw(texts), path=data.draw(st.lists(numbers, max_size=3)))
        entity = world.spawn(bird, *([Transform()] if data.draw(st.booleans()) else []))
        if data.draw(st.integers(0, 3)) == 0:
            world.despawn(entity)
    world[Sky].heard = data.draw(st.dictionaries(texts, st.one_of(st.integers(-9, 9), st.lists(texts, max_size=2))))
    world.emit(Sang, name=data.draw(texts))
    if data.draw(st.booleans()):
        world.end_tick()
    for text in data.draw(st.lists(texts, max_size=4)):
        other.intern(text)
    first = tidied(world.snapshot()).to_bytes()
    other.restore(Snapshot.from_bytes(first))
    assert other.hash() == world.hash()
    assert tidied(other.snapshot()).to_bytes() == first


def test_nothing_can_be_saved_within_a_stage(birds: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the snapshot can't be written, the save raises SaveError with the reason."""
    app = birds()

    def refuse(self: Snapshot) -> bytes:
        raise SnapshotError("a snapshot taken within a stage can't be saved")

    monkeypatch.setattr(Snapshot, "to_bytes", refuse)
    with pytest.raises(SaveError, match="can't be saved now: a snapshot taken within a stage"):
        app.world[Saves].save("x")
    assert MAGIC == b"RISHSAVE"
