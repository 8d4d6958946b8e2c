"""A script that raises is named with its line and its entity, is set aside after some errors, and stops nobody else."""

from __future__ import annotations

import logging
import re
from typing import Any

import numpy as np
import pytest

from rish_core import Entity, Name, Transform, event, field
from rish_core.loop.schedule import SystemFailed
from rish_scripts import Faults, Script, ScriptFailed, Scripts, pardon


@event(script="on_poke")
class Poke:
    """Touched."""

    who: Entity


class Bad(Script):
    """Raises where it is told to."""

    where: int = 0
    good: int = 0
    angry: bool = True

    def fail(self, where: int) -> None:
        """Raise, if it is here."""
        if self.angry and self.where == where:
            raise ZeroDivisionError(f"at {where}")
        self.good += 1

    def on_create(self) -> None:
        """1."""
        self.fail(1)

    def on_fixed_update(self, dt: float) -> None:
        """2."""
        self.fail(2)

    def on_update(self, dt: float) -> None:
        """3."""
        self.fail(3)

    def on_poke(self, poke: Any) -> None:
        """4."""
        self.fail(4)

    def tick(self) -> None:
        """5, by a timer."""
        self.fail(5)

    def on_destroy(self) -> None:
        """6."""
        if self.where == 6:
            raise ZeroDivisionError


class Good(Script):
    """Goes on."""

    updated: int = 0

    def on_update(self, dt: float) -> None:
        """Count."""
        self.updated += 1


def lines(caplog: pytest.LogCaptureFixture, level: int = logging.WARNING) -> list[str]:
    """What was said of failures."""
    return [text for text in _said(caplog, level) if "is never called" not in text]


def _said(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= level]


@pytest.mark.parametrize(
    ("where", "doing"), [(1, "on_create"), (2, "on_fixed_update"), (3, "on_update"), (4, "on_poke"), (5, "tick")]
)
def test_it_is_named_and_the_rest_goes_on(play: Any, caplog: Any, where: int, doing: str) -> None:
    """Whatever method it was: file:line of the script, its entity and name, what was raised."""
    stage = play(Bad, Good, events=[Poke], policy="disable")
    bad = stage.script(stage.spawn(Bad(where=where), Name(value="gate")), Bad)
    other = stage.script(stage.spawn(Bad()), Bad)
    good = stage.script(stage.spawn(Good()), Good)
    for script in (bad, other):
        script.after(0, "tick")
    stage.world.emit(Poke, who=np.array([bad.entity, other.entity]))
    stage.tick(2)
    found = lines(caplog)[0]
    assert re.match(
        rf"tests/scripts/test_faults\.py:\d+: script Bad of entity 0v1 \('gate'\) failed in {doing}: "
        rf"ZeroDivisionError: at {where} \(1 of 3\)",
        found,
    ), found
    assert (other.good, good.updated) == (7, 2)


def test_it_is_set_aside_after_some_errors(play: Any, caplog: Any) -> None:
    """Of this entity only; said once as a warning, and once that it is set aside. The count is a setting."""
    caplog.set_level(logging.INFO, logger="rish.scripts")
    stage = play(Bad, policy="disable", settings={"errors": 4})
    bad = stage.script(stage.spawn(Bad(where=3)), Bad)
    other = stage.script(stage.spawn(Bad()), Bad)
    stage.tick(10)
    assert (bad.good, other.good) == (1 + 4, 1 + 20)
    assert (stage.world[Faults].count.tolist(), stage.world[Faults].aside.tolist()) == ([4], [True])
    warnings = lines(caplog)
    assert [text.split(" (")[-1] for text in warnings] == ["1 of 4)", "4 of 4, set aside)"]
    assert len([text for text in lines(caplog, logging.INFO) if "failed in on_update" in text]) >= 4


def test_who_is_set_aside_hears_nothing_and_waits(play: Any) -> None:
    """No updates, events or timers, until it is pardoned; then its timers come."""
    stage = play(Bad, events=[Poke], policy="disable", settings={"errors": 1})
    bad = stage.script(stage.spawn(Bad(where=3)), Bad)
    stage.tick()
    bad.angry = False
    good = bad.good
    bad.after(0, "tick")
    stage.world.emit(Poke, who=bad.entity)
    stage.tick(3)
    assert bad.good == good
    assert pardon(stage.world, "game.Bad") == 1
    stage.tick()
    assert bad.good == good + 3
    assert pardon(stage.world) == 0


def test_faults_are_state(play: Any) -> None:
    """A restore takes them back, equal runs have equal hashes, and they go with the entity."""
    stage = play(Bad, policy="disable", settings={"errors": 2})
    bad = stage.script(stage.spawn(Bad(where=3)), Bad)
    stage.tick()
    before = stage.world.snapshot()
    stage.tick(3)
    then = stage.world.hash()
    stage.world.restore(before)
    assert stage.world[Faults].aside.tolist() == [False]
    stage.tick(3)
    assert stage.world.hash() == then
    stage.world.despawn(bad.entity)
    assert len(stage.world[Faults]) == 0


def test_policy_raise_ends_at_the_first(play: Any) -> None:
    """With the place in the script, and what it raised as the cause."""
    stage = play(Bad, scene=[{"Bad": {"where": 3}}])
    with pytest.raises(
        SystemFailed, match=r"^tests/scripts/test_faults\.py:\d+: script Bad of entity .* \(in system 'scripts\.update'"
    ) as told:
        stage.tick()
    failed = told.value.__cause__
    assert isinstance(failed, ScriptFailed)
    assert isinstance(failed.__cause__, ZeroDivisionError)
    assert failed.entity == stage.only(Bad).entity
    assert "test_faults.py" in str(told.value.where)


class Misuser(Script):
    """Makes mistakes within the engine's functions."""

    what: int = 0

    def on_update(self, dt: float) -> None:
        """Errors raised by the engine are those of this line."""
        if self.what == 0:
            self.get(Transform)
        elif self.what == 1:
            self.cooldown = 3  # an attribute that is no field
        else:
            self.world.get(12345, Transform)


@pytest.mark.parametrize(("what", "line"), [(0, "self.get"), (1, "cooldown"), (2, "self.world.get")])
def test_the_line_is_the_scripts_own(play: Any, caplog: Any, what: int, line: str) -> None:
    """Not one of the engine, though it was the engine that raised."""
    stage = play(Misuser, policy="disable")
    stage.spawn(Misuser(what=what))
    stage.tick()
    place = lines(caplog)[0].split(": ")[0]
    file, number = place.split(":")
    with open(file, encoding="utf-8") as source:
        assert line in source.read().splitlines()[int(number) - 1]


class Reader(Script):
    """Reads what is not there."""

    speed: float = 1
    what: int = 0

    def on_update(self, dt: float) -> None:
        """A field that is none, of a neighbour too, and what is no view's."""
        if self.what == 0:
            print(self.sped)
        elif self.what == 1:
            print(self.get(Transform).place)
        else:
            print(self.speed.x)


@pytest.mark.parametrize(
    ("what", "says"),
    [
        (0, "'Reader' object has no attribute 'sped' (did you mean 'speed'?). Its fields: speed, what (1"),
        (1, "'Transform' object has no attribute 'place'. Its fields: position, rotation, scale"),
        (2, "'float' object has no attribute 'x' (1 of 3)"),
    ],
)
def test_reading_what_is_not_there_names_what_is(play: Any, caplog: Any, what: int, says: str) -> None:
    """Fields of the view that was read, with the nearest name of a field or method."""
    stage = play(Reader, policy="disable")
    stage.spawn(Reader(what=what), Transform())
    stage.tick()
    assert f"AttributeError: {says}" in lines(caplog)[0]


def test_on_destroy_may_fail_without_holding_anything_up(play: Any, caplog: Any) -> None:
    """The entity goes, and the others are told."""
    stage = play(Bad, policy="disable")
    handles = [stage.spawn(Bad(where=6)), stage.spawn(Bad())]
    stage.tick()
    stage.world.despawn(handles)
    assert len(stage.world[Bad]) == 0
    assert "failed in on_destroy" in lines(caplog)[0]


class Eye(Script):
    """Fails in the picture."""

    glow: float = field(0, view=True)
    state: float = 0

    def on_frame(self, alpha: float) -> None:
        """What is hashed is out of bounds."""
        self.glow = 0.5
        self.state = 1.0


def test_a_failure_in_the_picture_is_no_state(play: Any, caplog: Any) -> None:
    """It is told, and nothing that is hashed changes."""
    stage = play(Eye, scene=[{"Eye": {}}], policy="disable")
    stage.app.run(frames=2)
    assert "writing Eye.state in LATE" in lines(caplog)[0]
    assert len(stage.world[Faults]) == 0
    assert (stage.only(Eye).glow, stage.only(Eye).state) == (0.5, 0)


class Herd(Script):
    """Fails for all at once."""

    x: float = 0

    @staticmethod
    def on_update_all(query: Any, world: Any, dt: float) -> None:
        """Raise."""
        raise ValueError("no grass")


def test_a_failing_batch_is_set_aside_as_a_whole(play: Any, caplog: Any) -> None:
    """It is named as all entities of the class."""
    stage = play(Herd, Good, policy="disable")
    stage.spawn(Herd())
    good = stage.script(stage.spawn(Good()), Good)
    stage.tick(5)
    assert "script Herd of all its entities failed in on_update_all: ValueError: no grass (1 of 3)" in lines(caplog)[0]
    assert stage.world[Faults].count.tolist() == [3]
    assert good.updated == 5


class Quitter(Script):
    """Calls exit()."""

    def on_update(self, dt: float) -> None:
        """No way to end a game."""
        raise SystemExit


def test_exit_is_an_error_like_others(play: Any, caplog: Any) -> None:
    """The game goes on."""
    stage = play(Quitter, scene=[{"Quitter": {}}], policy="disable")
    stage.tick(2)
    assert "failed in on_update: SystemExit" in lines(caplog)[0]


def test_a_thousand_with_the_same_fault_are_said_once(play: Any, caplog: Any) -> None:
    """Once the line, once that they are set aside."""
    stage = play(Bad, policy="disable", strict=False)
    stage.world.spawn_many(300, Bad(where=3))
    stage.tick(4)
    assert len(lines(caplog)) == 2
    assert stage.world[Faults].aside.sum() == 300
    assert not stage.world[Scripts].classes()[0].members()


class Wrong(Script):
    """Can't even be called."""

    def on_update(self) -> None:  # type: ignore[override]
        """Without dt."""


def test_a_method_that_can_not_be_called_is_named_where_it_is_written(play: Any, caplog: Any) -> None:
    """Not where the engine calls it."""
    stage = play(Wrong, scene=[{"Wrong": {}}], policy="disable")
    stage.tick()
    place, said = lines(caplog)[0].split(": ", 1)
    assert said.startswith("script Wrong of entity 0v1 failed in on_update: TypeError: ")
    with open(place.split(":")[0], encoding="utf-8") as source:
        assert "def on_update(self) -> None:  # type" in source.read().splitlines()[int(place.split(":")[1]) - 1]
