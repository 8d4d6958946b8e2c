"""Rewind by hand: time runs back while a key is held, and the game never receives that key."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
from history_flock import GAME, key, play

from rish_core import Input, InputRecord, Stage, WindowEvent, system, table
from rish_frame import NullBackend
from rish_history import History, Recorder, Timeless, origin_of, read_recording, verify
from rish_reload import replace


@table
class First:
    """The state of a plugin that another one replaces."""

    number: int


@table
class Second:
    """That of the other one."""

    number: int


def test_a_held_key_runs_time_backwards(birds: Any) -> None:
    """A held key rewinds tick by tick; after its release the game continues from there."""
    app = birds()
    hashes = play(app, 100)
    app.tick(InputRecord((key("R"),)))
    assert (app.world.tick, app.world.hash(), app.world[History].rewinding) == (99, hashes[99], True)
    for _ in range(19):
        app.tick(InputRecord())
    assert (app.world.tick, app.world.hash()) == (80, hashes[80])
    app.tick(InputRecord((key("R", False),)))
    assert (app.world.tick, app.world[History].rewinding) == (81, False)


def test_the_key_is_not_passed_on(birds: Any) -> None:
    """The rewind key is in no state, even if it is pressed and released within a tick."""
    app, plain = birds(settings={"speed": 1, "budget_mb": 4}), birds()
    play(app, 30)
    play(plain, 30)
    app.tick(InputRecord((key("R"), key("R", False))))
    plain.tick(InputRecord())
    assert app.world.hash() == plain.world.hash()
    assert not app.world[Input].down("rewind")


def test_it_stops_at_the_beginning(birds: Any) -> None:
    """A rewind stops at the first tick and stays there until the key is released."""
    app = birds(settings={"speed": 7})
    play(app, 40)
    app.world[History].hold()
    for _ in range(30):
        app.tick(InputRecord())
    assert app.world.tick == 0
    app.world[History].hold(False)
    app.tick(InputRecord())
    assert app.world.tick == 1


def test_code_may_rewind_to_a_tick(birds: Any) -> None:
    """Code can rewind to a tick, as if a key were held until then."""
    app = birds(settings={"speed": 4})
    hashes = play(app, 60)
    app.world[History].rewind(33)
    ticks = []
    while True:
        app.tick(InputRecord())
        ticks.append(app.world.tick)
        if not app.world[History].rewinding:
            break
    assert ticks[:7] == [56, 52, 48, 44, 40, 36, 33]
    assert ticks[-1] == 34
    assert hashes[33] != hashes[34]


def test_the_hands_are_where_they_are(birds: Any) -> None:
    """After a rewind the keys are those held now: one released during the rewind is up, a pressed one is down."""
    app = birds()
    play(app, 1)
    app.tick(InputRecord((key("LEFT"),)))
    for _ in range(10):
        app.tick(InputRecord())
    assert app.world[Input].down("left")
    app.tick(InputRecord((key("R"), key("LEFT", False))))
    app.tick(InputRecord((key("RIGHT"),)))
    app.tick(InputRecord((key("R", False),)))
    keys = app.world[Input]
    assert (keys.down("left"), keys.down("right")) == (False, True)
    app.tick(InputRecord((key("RIGHT", False),)))
    assert not keys.down("right")


def test_a_rewind_in_a_recording_is_a_new_segment(birds: Any, tmp_path: Any) -> None:
    """A rewind in a recording begins a new segment, and the replay is the same even if its own rewind is off."""
    app = birds()
    recorder = Recorder(app, tmp_path / "run.rish", origin_of(app))
    play(app, 90)
    app.world[History].rewind(70)
    for _ in range(60):
        app.tick(InputRecord())
    recorder.finish()
    recording = read_recording(tmp_path / "run.rish")
    assert [(s.tick, s.reason) for s in recording.segments] == [(0, "it begins"), (70, "rewound to tick 70")]
    assert verify(birds(), recording) is None
    assert verify(birds(settings={"budget_mb": 0}), recording) is None


def test_the_window_plays_along(birds: Any) -> None:
    """Frames during a rewind are run by the window's loop as usual."""
    backend = NullBackend(events=[[]] * 30 + [[key("R")]] + [[]] * 9 + [[key("R", False)]])
    app = birds(backend=backend)
    app.run(30)
    assert app.world.tick == 30
    app.run(10)
    assert app.world.tick == 20
    app.run(5)
    assert app.world.tick == 25


def test_the_timeless_stay_as_they_are(rish_app: Any) -> None:
    """Timeless entities keep all their components in a rewind, also text and lists, added and removed ones."""
    from types import SimpleNamespace

    from rish_core import Chars, Name, Str, Transform, component

    @component
    class Note:
        """Values that an entity has, of several types."""

        count: int = 0
        words: Chars = ""
        tag: Str = ""
        path: list[float] = ()

    @component
    class Mark:
        """A component that is added and removed."""

        size: float = 1.0

    @system(Stage.UPDATE, writes=(Note, Mark, Transform))
    def write(world: Any, dt: float) -> None:
        for entity in world.query(Note).entities.tolist():
            count = world.get(entity, Note).count + 1
            world.set(
                entity, Note(count=count, words="x" * (count % 5), tag=f"t{count}", path=[float(count)] * (count % 3))
            )
            world.set(entity, Transform(position=(count, 0)))
            if count == 20:
                world.add(entity, Mark(size=count))
            if count == 35:
                world.remove(entity, Mark)

    plugin = SimpleNamespace(rish_components=lambda: [Note, Mark], rish_systems=lambda: [write])
    entries = [
        {"name": "kept", "Transform": {}, "Note": {}, "Timeless": {}},
        {"name": "other", "Transform": {}, "Note": {}},
    ]
    game = {"scenes": {"main": entries}}
    app = rish_app(game, plugins={"mine": plugin}, installed=["history"], strict=False)
    world = app.world

    def find(name: str) -> int:
        return next(e for e in world.query(Name).entities.tolist() if world.get(e, Name).value == name)

    app.run(30)
    world[History].seek(10)
    kept, other = find("kept"), find("other")
    assert (world.get(kept, Note).count, world.get(other, Note).count) == (30, 10)
    note = world.get(kept, Note)
    assert (note.words, note.tag, note.path.tolist()) == ("", "t30", [])
    assert (world.has(kept, Mark), world.has(other, Mark)) == (True, False)
    assert world.get(kept, Mark).size == 20
    assert np.array_equal(world.get(kept, Transform).position, (30, 0))
    app.run(10)
    assert (world.get(kept, Note).count, world.get(other, Note).count) == (40, 20)
    assert (world.has(kept, Mark), world.has(other, Mark)) == (False, True)
    late = world.spawn(Transform(), Note(), Timeless())
    app.run(2)
    world[History].seek(12)
    assert not world.alive(late)
    world[History].seek(14)
    world.despawn(find("kept"))
    app.run(2)
    world[History].seek(10)
    assert world.get(find("kept"), Note).count > 0


def test_devices_are_where_they_are(birds: Any) -> None:
    """After a rewind each gamepad and finger holds what it holds now, also if it went or came during the rewind."""
    players = {**GAME["input"], "players": [{"hop": ["gamepad.a"]}, {"hop": ["gamepad.a"]}]}
    app = birds(game={"input": players}, settings={"speed": 1})
    keys: Input = app.world[Input]

    def press(device: int, down: bool = True) -> WindowEvent:
        return WindowEvent("gamepad_button", "gamepad.a", down, device=device)

    def plug(device: int, here: bool) -> WindowEvent:
        return WindowEvent("gamepad_connected" if here else "gamepad_disconnected", device=device)

    app.tick(InputRecord((plug(1, True), plug(2, True), press(1), WindowEvent("touch", down=True, x=1, touch=1))))
    app.tick(InputRecord((press(2), WindowEvent("gamepad_axis", "gamepad.left_x", value=0.5, device=2))))
    play(app, 12)
    app.tick(InputRecord((key("R"),)))
    app.tick(InputRecord((press(1, False), plug(2, False), plug(3, True), WindowEvent("touch", touch=1))))
    app.tick(InputRecord((WindowEvent("touch", down=True, x=4, touch=2),)))
    app.tick(InputRecord((key("R", False),)))
    assert [player.down("hop") for player in keys.players] == [False, False]
    assert (keys.value("gamepad.left_x"), dict(keys.touches)) == (0, {2: (4, 0)})
    assert keys.devices is not None
    assert sorted(device for device in keys.devices.held if device) == [1, 3]
    app.tick(InputRecord((press(3),)))
    assert [player.down("hop") for player in keys.players] == [False, True]


def test_a_rewind_stops_where_a_plugin_was_taken_out(rish_app: Any) -> None:
    """Ticks of a plugin that another one has replaced are not reached, and the game goes on."""
    one, two = (SimpleNamespace(rish_resources=lambda cls=cls: [cls]) for cls in (First, Second))
    app = rish_app({"settings": {"history": {"speed": 5}}}, plugins={"one": one}, installed=["history"])
    app.world[First].append(1, number=3)
    for _ in range(12):
        app.tick()
    replace(app, "one", "two", given=two)
    for _ in range(12):
        app.tick()
    app.world[History].hold()
    for _ in range(10):
        app.tick()
    assert app.world.tick >= 12
    app.world[History].hold(False)
    reached = app.world.tick
    app.tick()
    assert app.world.tick == reached + 1
