"""Scripts are called when they are created and destroyed, exactly once, whatever happens in between."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from rish_authoring import History
from rish_core import Disabled, Persistent, Scenes, Stage, Transform, component, field, place_of_record, system
from rish_scripts import Script, Scripts, Simulation, inspect, stop


@component
class Target:
    """Marks entities for a killer. fate: 1 despawns the entity, 2 removes its script."""

    fate: int = 0


class Watcher(Script):
    """Counts its calls; on destruction it adds to the ledger."""

    created: int = 0
    started: int = 0
    updated: int = 0
    fixed: int = 0
    order: int = field(0, doc="how often it was updated before it was created")

    def on_create(self) -> None:
        """Count a creation."""
        self.created += 1
        self.order = self.updated + self.fixed

    def on_start(self) -> None:
        """Count a start, in the first tick."""
        self.started += 1

    def on_fixed_update(self, dt: float) -> None:
        """Count a call in FORCES."""
        self.fixed += 1

    def on_update(self, dt: float) -> None:
        """Count a call in UPDATE."""
        self.updated += 1

    def on_destroy(self) -> None:
        """Add to the ledger; all components are still there."""
        for ledger in self.find_all(Ledger):
            ledger.gone += 1
            ledger.where = self.get(Transform).position.x
            ledger.updates = self.updated


class Ledger(Script):
    """The totals of destroyed scripts."""

    gone: int = 0
    where: float = 0
    updates: int = 0


def told(watcher: Any) -> tuple[int, ...]:
    """Return the counts of a watcher."""
    return watcher.created, watcher.started, watcher.fixed, watcher.updated, watcher.order


@pytest.mark.parametrize("stage_of_spawn", [None, Stage.INPUT, Stage.PRE, Stage.FORCES, Stage.STEP, Stage.UPDATE])
def test_created_once_before_anything_else(play: Any, stage_of_spawn: Stage | None) -> None:
    """A script is created before its first update, in whatever stage it is spawned.

    Only scripts that exist at the start of the simulation are started.
    """

    @system(stage_of_spawn or Stage.PRE, writes=(Watcher, Transform))
    def spawner(world: Any, dt: float) -> None:
        if world.tick == 1:
            world.spawn(Watcher(), Transform())

    stage = play(Watcher, Ledger, systems=[spawner] if stage_of_spawn else [])
    stage.spawn(Watcher(), Transform())
    stage.tick()
    if stage_of_spawn is None:
        stage.spawn(Watcher(), Transform())
    stage.tick(3)
    first, second = (stage.script(int(handle), Watcher) for handle in stage.world[Watcher].entities)
    assert told(first) == (1, 1, 4, 4, 0)
    fixed = 3 if stage_of_spawn in (None, Stage.INPUT, Stage.PRE) else 2
    assert told(second) == (1, 0, fixed, 2 if stage_of_spawn is Stage.UPDATE else 3, 0)


def test_given_and_taken_at_run_time(play: Any) -> None:
    """An added script is created, a removed one is destroyed, and one that is added again is a new one."""
    stage = play(Watcher, Ledger)
    ledger = stage.script(stage.spawn(Ledger()), Ledger)
    entity = stage.spawn(Transform(position=(7, 0)))
    stage.world.add(entity, Watcher())
    stage.tick(2)
    assert stage.script(entity, Watcher).created == 1
    stage.world.add(entity, Watcher(started=5))  # already present: its values are set, it is not created again
    stage.tick()
    assert told(stage.script(entity, Watcher)) == (0, 5, 1, 1, 0)
    stage.world.remove(entity, Watcher)
    assert (ledger.gone, ledger.where, ledger.updates) == (1, 7, 1)
    stage.world.add(entity, Watcher())
    stage.tick()
    assert told(stage.script(entity, Watcher)) == (1, 0, 1, 1, 0)


class Killer(Script):
    """Despawns everything with a Target during the updates, including its own entity."""

    kills: int = 0

    def on_update(self, dt: float) -> None:
        """Despawn the entity or remove its script."""
        for target in self.find_all(Target):
            if target.fate == 1:
                self.despawn(target.entity)
            elif target.fate == 2:
                self.world.remove(target.entity, Watcher)
            self.kills += 1


def test_despawning_within_callbacks(play: Any) -> None:
    """Despawned entities are still updated in this tick, destroyed once and gone in the next.

    Several requests to despawn one entity are no error.
    """
    stage = play(Watcher, Ledger, Killer, components=[Target])
    ledger = stage.script(stage.spawn(Ledger()), Ledger)
    doomed = [stage.spawn(Watcher(), Transform(), Target(fate=1)) for _ in range(3)]
    bared = stage.spawn(Watcher(), Transform(), Target(fate=2))
    kept = stage.spawn(Watcher(), Transform())
    for _ in range(3):
        stage.spawn(Killer(), Target(fate=1))
    stage.tick()
    assert not stage.world.alive(np.array(doomed)).any()
    assert not stage.world.has(bared, Watcher)
    assert (ledger.gone, ledger.updates) == (4, 1)
    assert len(stage.world[Killer]) == 0
    stage.tick()
    assert told(stage.script(kept, Watcher)) == (1, 1, 2, 2, 0)


class Egg(Script):
    """Spawns two smaller ones on destruction."""

    size: int = 0

    def on_destroy(self) -> None:
        """Spawn two more, and despawn itself again, which has no effect."""
        if self.size:
            self.spawn(Egg(size=self.size - 1), Transform())
            self.spawn(Egg(size=self.size - 1), Transform())
            self.despawn()


def test_spawning_on_the_way_out(play: Any) -> None:
    """Entities spawned in `on_destroy` exist after the next stage."""
    stage = play(Egg)
    stage.spawn(Egg(size=2), Transform())
    for expected in (2, 4, 0):
        stage.world.despawn(stage.world[Egg].entities.copy())
        stage.tick()
        assert len(stage.world[Egg]) == expected


def test_a_change_of_scene_calls_the_scripts_that_go(play: Any) -> None:
    """A change of scene destroys the old scene's scripts and creates the new one's; persistent ones stay."""
    stage = play(
        Watcher,
        Ledger,
        scenes={"one": [{"Transform": {}, "Watcher": {}}], "two": [{"Transform": {}, "Watcher": {}}]},
        manifest={"scene": "one"},
    )
    ledger = stage.script(stage.spawn(Ledger(), Persistent()), Ledger)
    stage.tick(3)
    stage.app.world[Scenes].go("two")
    stage.tick(2)
    assert (ledger.gone, ledger.updates) == (1, 3)
    assert told(stage.only(Watcher)) == (1, 0, 2, 2, 0)


def test_disabled_entities_are_called_only_when_they_come_and_go(play: Any) -> None:
    """Scripts of disabled entities are only created and destroyed; enabled again, they are updated."""
    stage = play(Watcher, Ledger)
    ledger = stage.script(stage.spawn(Ledger()), Ledger)
    entity = stage.spawn(Watcher(), Transform(), Disabled())
    stage.tick(2)
    watcher = stage.script(entity, Watcher)
    assert told(watcher) == (1, 0, 0, 0, 0)
    stage.world.remove(entity, Disabled)
    stage.tick(2)
    stage.world.add(entity, Disabled())
    stage.tick()
    assert told(watcher) == (1, 0, 2, 2, 0)
    stage.world.despawn(entity)
    assert ledger.gone == 1


def test_a_restored_world_goes_on(play: Any) -> None:
    """After a restore no script is created or started twice, and one that was not yet created is created."""
    stage = play(Watcher, Ledger)
    stage.spawn(Watcher(), Transform())
    stage.tick(2)
    stage.spawn(Watcher(), Transform())
    before = stage.world.snapshot()
    stage.tick(3)
    expected, hash_then = (
        [told(stage.script(int(h), Watcher)) for h in stage.world[Watcher].entities],
        stage.world.hash(),
    )
    stage.world.despawn(stage.world[Watcher].entities.copy())
    stage.tick(2)
    stage.world.restore(before)
    stage.tick(3)
    assert [told(stage.script(int(h), Watcher)) for h in stage.world[Watcher].entities] == expected
    assert expected == [(1, 1, 5, 5, 0), (1, 0, 3, 3, 0)]
    assert stage.world.hash() == hash_then


class Loud(Script):
    """Records every call in a list outside the world; only for runs that are not replayed."""

    def on_create(self) -> None:
        """Record the call."""
        SAID.append("create")

    def on_start(self) -> None:
        """Record the call."""
        SAID.append("start")

    def on_stop(self) -> None:
        """Record the call."""
        SAID.append("stop")

    def on_destroy(self) -> None:
        """Record the call."""
        SAID.append("destroy")

    def on_inspect(self, ui: Any) -> None:
        """Add the entity to the inspector's list."""
        ui.append(self.entity)


SAID: list[str] = []


def test_start_and_stop_of_the_simulation(play: Any) -> None:
    """`on_start` runs in the first tick, `on_stop` at the game's end or when an editor stops it; neither destroys."""
    SAID.clear()
    stage = play(Loud, scene=[{"Loud": {}}], strict=False)
    assert SAID == []
    stage.tick(2)
    assert SAID == ["create", "start"]
    stop(stage.world)
    stop(stage.world)
    assert not stage.world[Simulation].running
    stage.tick()
    assert SAID == ["create", "start", "stop", "start"]
    stage.app.close()
    assert SAID[4:] == ["stop"]


def test_a_game_that_never_ran_has_nothing_to_stop(play: Any) -> None:
    """A game that never ran calls neither `on_start` nor `on_stop`."""
    SAID.clear()
    play(Loud, scene=[{"Loud": {}}]).app.close()
    assert SAID == []


def test_the_inspector_is_shown_each_script(play: Any) -> None:
    """`inspect` calls `on_inspect` of one entity's scripts with the given ui."""
    stage = play(Loud, Watcher, strict=False)
    entity, _ = stage.spawn(Loud(), Watcher()), stage.spawn(Loud())
    shown: list[int] = []
    inspect(stage.world, entity, shown)
    assert shown == [entity]


class Healer(Script):
    """Has widgets: one of them changes a field, another one fails."""

    health: int = field(40, low=0, high=100)

    def on_inspect(self, ui: Any) -> None:
        """Do what the pressed button says."""
        if ui == "heal":
            self.health = 100
        if ui == "break":
            raise ZeroDivisionError


def test_widgets_of_a_script_change_its_fields(play: Any) -> None:
    """`on_inspect` may write fields between two ticks, which an edit history undoes; only the named class is called."""
    stage = play(Loud, Healer, strict=False)
    entity = stage.spawn(Loud(), Healer())
    stage.tick()
    history = History(stage.world)
    with history.group("heal"):
        assert inspect(stage.world, entity, "heal", Healer)
    assert stage.script(entity, Healer).health == 100
    history.undo()
    assert stage.script(entity, Healer).health == 40


@pytest.mark.parametrize("policy", ["raise", "disable"])
def test_an_inspector_survives_its_scripts(play: Any, caplog: Any, policy: Any) -> None:
    """An error in `on_inspect` is logged once with its line, never raised, and counts as no fault; an entity that is
    gone has nothing to show.
    """
    stage = play(Healer, strict=False, policy=policy)
    entity = stage.spawn(Healer())
    stage.tick()
    before = stage.world.hash()
    with caplog.at_level(logging.WARNING, "rish"):
        for _ in range(5):
            assert not inspect(stage.world, entity, "break")
    (record,) = caplog.records
    place = place_of_record(record)
    assert place is not None
    assert place.line == Healer.on_inspect.__code__.co_firstlineno + 5
    assert stage.world.hash() == before
    stage.world.despawn(entity)
    assert inspect(stage.world, entity, "break")


def test_a_tool_finds_the_classes_of_scripts(play: Any) -> None:
    """`Scripts.classes` lists all script classes of a game, or those with a method, under their full names."""
    scripts = play(Watcher, Healer, Loud, strict=False).world[Scripts]
    assert [found.name for found in scripts.classes()] == ["game.Watcher", "game.Healer", "game.Loud"]
    assert [found.cls for found in scripts.classes("on_inspect")] == [Healer, Loud]


def test_all_scripts_of_an_entity(play: Any) -> None:
    """The scripts of an entity are listed in the order of their declaration."""
    stage = play(Watcher, Ledger, Loud, strict=False)
    entity = stage.spawn(Loud(), Watcher())
    assert [type(script).__name__ for script in stage.world[Scripts].of(entity)] == ["Watcher", "Loud"]
