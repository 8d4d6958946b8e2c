"""Events of physics are emitted if the simulation reads them; who looks at a game changes neither them nor its hash."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import About, App, Stage, Transform, World, read_manifest, system
from rish_core.loop.schedule import SystemFailed
from rish_core.plugin import installed_plugins
from rish_expressions import Variables
from rish_history.recordings.origin import origin_of
from rish_history.recordings.recorder import Recorder
from rish_physics import Body, Collider, ContactBegin, ContactEnd, Hit, SensorBegin, SensorStay
from rish_physics.contacts.events import EVENTS
from rish_reload.renewal import prepare
from rish_rules import plugin as rules
from rish_scripts import Script
from rish_scripts import plugin as scripts

TICKS = 60
GAME = """
rish: 1
plugins: [physics{plugins}]
settings: {{physics: {{units_per_meter: 1, gravity: [0, -10]}}{settings}}}
{more}
scenes: {{main: []}}
"""


def _listener(*events: type, stage: Stage = Stage.UPDATE, about: About | None = None, **declared: Any) -> Any:
    """A plugin with a system that reads events of these types, and declares it if nothing else is declared."""

    @system(stage, **(declared or {"reads": events}))
    def listen(world: World, dt: float) -> None:
        for cls in events:
            world.events(cls)

    hooks: dict[str, Any] = {"rish_systems": lambda: [listen]}
    return SimpleNamespace(**hooks, **({"rish_about": lambda: about} if about is not None else {}))


class _Play:
    """A heap of bodies that falls on the ground and through a sensor."""

    def __init__(
        self, folder: Path, plugins: dict[str, Any] | None = None, *, text: str = GAME, settings: str = "",
        more_text: str = "", names: str = "", **options: Any,
    ) -> None:  # fmt: skip
        folder.mkdir(exist_ok=True)
        path = folder / "game.yaml"
        path.write_text(text.format(plugins=names, settings=settings, more=more_text))
        options = {"headless": True, "policy": "raise", "extra": plugins or {}, **options}
        self.app = App(read_manifest(path), **options)
        self.world = self.app.world
        self.counts = dict.fromkeys(EVENTS, 0)
        self.hashes: list[str] = []

    def fill(self) -> None:
        """Spawn the heap."""
        flags = {"hit_events": True, "stay_events": True}
        self.world.spawn(Transform(position=(0, -1)), Collider(size=(40, 2)))
        self.world.spawn(Transform(position=(0, 1)), Collider(size=(8, 1), sensor=True, **flags))
        for k in range(12):
            place = Transform(position=(k % 4 - 2, 1 + k // 4 * 1.1))
            self.world.spawn(place, Body(), Collider(size=(0.8, 0.8), **flags))

    def run(self, ticks: int = TICKS) -> list[str]:
        """Run ticks; return the hash of each."""
        hashes: list[str] = []
        for _ in range(ticks):
            self.app.tick()
            for cls in EVENTS:
                self.counts[cls] += len(self.world.bus.of_frame(cls))
            self.world.end_frame()
            hashes.append(self.world.hash())
        return hashes

    def emitted(self) -> set[type]:
        """The types of the events that were emitted."""
        return {cls for cls, count in self.counts.items() if count}


@pytest.fixture
def play(tmp_path: Path) -> Callable[..., _Play]:
    """Make a game with a heap: `play({"game": plugin}, settings=...)`."""
    made: list[App] = []

    def make(*arguments: Any, **options: Any) -> _Play:
        game = _Play(tmp_path / str(len(made)), *arguments, **options)
        made.append(game.app)
        game.app.border()
        game.fill()
        return game

    yield make
    for app in made:
        app.close()


def _poses(game: _Play) -> bytes:
    place, body = game.world[Transform], game.world[Body]
    return b"".join(np.asarray(each).tobytes() for each in (place.position, place.rotation, body.velocity))


@pytest.mark.parametrize("stage", [Stage.UPDATE, Stage.PRE, Stage.EXTRACT])
def test_only_what_is_declared_is_emitted(play: Callable[..., _Play], stage: Stage) -> None:
    """A system declares one type of event: the others are not emitted. All bodies move as if all were."""
    every = play({"game": _listener(*EVENTS)})
    every.run()
    assert every.emitted() >= {ContactBegin, ContactEnd, Hit, SensorBegin, SensorStay}
    nothing = play()
    nothing.run()
    assert nothing.emitted() == set()
    assert _poses(nothing) == _poses(every)
    for cls in (ContactBegin, ContactEnd, Hit, SensorBegin, SensorStay):
        game = play({"game": _listener(cls, stage=stage)})
        game.run()
        assert game.emitted() == {cls}
        assert game.counts[cls] == every.counts[cls]
        assert _poses(game) == _poses(every)


def _view(stage: Stage) -> Any:
    """An optional plugin that declares that it reads everything, and reads what it can."""

    @system(stage, reads=EVENTS)
    def look(world: World, dt: float) -> None:
        for cls in EVENTS:
            assert len(world.bus.of_frame(cls)) >= 0
            if world.is_read(cls):
                world.events(cls)

    return SimpleNamespace(rish_systems=lambda: [look], rish_about=lambda: About(view=True))


LOOKS: dict[str, dict[str, Any]] = {
    "history": {"with_": ["history"]},
    "strict": {"with_": ["strict"]},
    "tools": {"with_": ["watchdog", "debug", "editor"], "shown": ", render"},
    "sound and particles": {"names": ", audio?, particles?"},
    "a view in the tick": {"names": ", view?", "view": Stage.UPDATE},
    "a view of frames": {"names": ", view?", "view": Stage.LAST},
}


@pytest.mark.parametrize("looks", LOOKS)
@pytest.mark.parametrize("read", [(), (ContactBegin, SensorStay)], ids=["nothing", "two types"])
def test_who_looks_changes_nothing(play: Callable[..., _Play], tmp_path: Path, read: Any, looks: str) -> None:
    """With a recorder, tools, the editor or optional views, a game emits the same events and has the same hashes."""
    game = {"game": _listener(*read)} if read else {}
    options = dict(LOOKS[looks])
    shown = options.pop("shown", "")
    plain = play(game, names=shown)
    view = {"view": _view(options.pop("view"))} if "view" in options else {}
    watched = play({**game, **view}, more=options.pop("with_", []), names=shown + options.pop("names", ""))
    recorder = Recorder(watched.app, tmp_path / "run.rish", origin_of(watched.app)) if looks == "history" else None
    for each in (plain, watched):
        each.hashes = each.run()
    if recorder is not None:
        recorder.finish()
    assert watched.counts == plain.counts
    assert watched.hashes == plain.hashes
    assert plain.emitted() == set(read)


@pytest.mark.parametrize("plugin", ["audio?", "particles?", "missing?"])
def test_reactions_in_the_manifest_count(play: Callable[..., _Play], plugin: str) -> None:
    """A reaction in the settings of a plugin has its event emitted, also if the plugin is not installed."""
    name = plugin.rstrip("?")
    does = {"audio": "{play: tap}", "particles": "{preset: sparks, at: point, strength: speed, minimum: 1000}"}.get(
        name, "{}"
    )
    sounds = ", sounds: {tap: {synth: {wave: sine}}}" if name == "audio" else ""
    settings = f", {name}: {{on: {{physics.Hit: {does}}}{sounds}}}"
    games = [
        play({}, names=f", {plugin}", settings=settings, **options) for options in ({}, {"installed": _without(name)})
    ]
    hashes = [game.run() for game in games]
    assert [game.emitted() for game in games] == [{Hit}, {Hit}]
    assert hashes[0] == hashes[1]


def _without(name: str) -> list[Any]:
    return [each for each in installed_plugins() if each.name != name]


def test_rules_read_the_events_of_their_triggers(play: Callable[..., _Play]) -> None:
    """A rule on an event has it emitted, and no other."""
    game = play(
        {"rules": rules},
        names=", rules",
        more_text="on: {physics.Hit: {if: speed > 0, set: {n: 1}}}\nvariables: {n: 0}",
    )
    game.run()
    assert game.emitted() == {Hit}


class Ball(Script):
    """Counts what begins to touch it."""

    touched: int = 0

    def on_contact_begin(self, contact: Any) -> None:
        """Count the contact."""
        self.touched += 1


def test_scripts_read_what_they_have_methods_for(play: Callable[..., _Play]) -> None:
    """A script class with the method of an event has it emitted, also if no entity has the script yet."""
    game = play({"scripts": scripts, "game": SimpleNamespace(rish_scripts=lambda: [Ball])}, names=", scripts")
    game.run()
    assert game.emitted() == {ContactBegin}


def test_an_undeclared_read_stops_the_game_at_its_place(play: Callable[..., _Play]) -> None:
    """A system that reads events without declaring it fails, in the first tick, with the declaration to add."""
    for other in ({}, {"other": _listener(ContactBegin)}):
        game = play({"game": _listener(ContactBegin, reads=Body), **other})
        with pytest.raises(
            SystemFailed, match=r"'game.listen' reads physics.ContactBegin.*reads=ContactBegin"
        ) as error:
            game.run(1)
        assert "test_events_read.py" in str(error.value.where)


def test_a_reader_that_a_reload_adds_gets_events_from_then_on(play: Callable[..., _Play]) -> None:
    """After an edit that adds a reader of ends, they are emitted, also those of contacts from before the edit.

    Going back to the time before the edit gives the same events again.
    """
    game = play({"game": _listener(ContactBegin)})
    game.run(TICKS)
    assert game.emitted() == {ContactBegin}
    game.app.world.defer(lambda world: prepare(game.app, module=_listener(ContactBegin, ContactEnd)).apply())
    game.run(1)
    before = game.world.snapshot()
    hashes: list[list[str]] = []
    for _ in range(2):
        game.world.restore(before)
        game.counts = dict.fromkeys(EVENTS, 0)
        game.world.set(game.world[Body].entities, Body(velocity=(0, 20)))
        hashes.append(game.run(30))
        assert game.counts[ContactEnd] >= 4
    assert hashes[0] == hashes[1]
    game.app.world.defer(lambda world: prepare(game.app, module=_listener(Hit)).apply())
    game.counts = dict.fromkeys(EVENTS, 0)
    game.run(30)
    assert game.emitted() <= {Hit}


def test_a_rule_that_a_reload_adds_gets_events(play: Callable[..., _Play]) -> None:
    """An edit of the manifest alone adds a rule on hits: they are emitted from then on."""
    game = play({"rules": rules}, names=", rules", more_text="variables: {n: 0}")
    game.run()
    assert game.emitted() == set()
    path = game.app.manifest.path
    path.write_text(path.read_text() + "\non: {physics.ContactBegin: {set: {n: n + 1}}}\n")
    game.app.world.defer(lambda world: prepare(game.app, manifest=read_manifest(path)).apply())
    game.world.set(game.world[Body].entities, Body(velocity=(0, 9)))
    game.run(2 * TICKS)
    assert game.emitted() == {ContactBegin}
    assert game.world[Variables].values["n"] == game.counts[ContactBegin]
