"""A script that raises is reported with its line and entity, disabled after some errors, and stops no other script."""

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
    """An entity was touched."""

    who: Entity


class Bad(Script):
    """A script that raises in the method number `where`."""

    where: int = 0
    good: int = 0
    angry: bool = True

    def fail(self, where: int) -> None:
        """Raise if `where` is this number."""
        if self.angry and self.where == where:
            raise ZeroDivisionError(f"at {where}")
        self.good += 1

    def on_create(self) -> None:
        """Fail for 1."""
        self.fail(1)

    def on_fixed_update(self, dt: float) -> None:
        """Fail for 2."""
        self.fail(2)

    def on_update(self, dt: float) -> None:
        """Fail for 3."""
        self.fail(3)

    def on_poke(self, poke: Any) -> None:
        """Fail for 4."""
        self.fail(4)

    def tick(self) -> None:
        """Fail for 5, called by a timer."""
        self.fail(5)

    def on_destroy(self) -> None:
        """Fail for 6."""
        if self.where == 6:
            raise ZeroDivisionError


class Good(Script):
    """A script without errors."""

    updated: int = 0

    def on_update(self, dt: float) -> None:
        """Count the call."""
        self.updated += 1


def lines(caplog: pytest.LogCaptureFixture, level: int = logging.WARNING) -> list[str]:
    """Return the log messages about failures."""
    return [text for text in _said(caplog, level) if "is never called" not in text]


def _said(caplog: pytest.LogCaptureFixture, level: int) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno >= level]


@pytest.mark.parametrize(
    ("where", "doing"), [(1, "on_create"), (2, "on_fixed_update"), (3, "on_update"), (4, "on_poke"), (5, "tick")]
)
def test_it_is_named_and_the_rest_goes_on(play: Any, caplog: Any, where: int, doing: str) -> None:
    """A failure in any method is reported with file:line of the script, its entity and name, and the error."""
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
    """A script is disabled for one entity after the configured number of errors; there are two warnings."""
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


def test_a_script_that_is_set_aside_is_not_called(play: Any) -> None:
    """A disabled script gets no updates, events or timers until it is pardoned; then its timers fire."""
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
    """Faults are restored with the state, are part of the hash, and are removed with the entity."""
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
    """With the policy `raise` the first failure raises, with the place in the script, and the error as the cause."""
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
    """A script that misuses the engine's functions."""

    what: int = 0

    def on_update(self, dt: float) -> None:
        """Raise an error within the engine, caused by one line here."""
        if self.what == 0:
            self.get(Transform)
        elif self.what == 1:
            self.cooldown = 3  # an attribute that is not a field
        else:
            self.world.get(12345, Transform)


@pytest.mark.parametrize(("what", "line"), [(0, "self.get"), (1, "cooldown"), (2, "self.world.get")])
def test_the_line_is_the_scripts_own(play: Any, caplog: Any, what: int, line: str) -> None:
    """The reported line is that of the script, although the engine raised the error."""
    stage = play(Misuser, policy="disable")
    stage.spawn(Misuser(what=what))
    stage.tick()
    place = lines(caplog)[0].split(": ")[0]
    file, number = place.split(":")
    with open(file, encoding="utf-8") as source:
        assert line in source.read().splitlines()[int(number) - 1]


class Reader(Script):
    """A script that reads missing attributes."""

    speed: float = 1
    what: int = 0

    def on_update(self, dt: float) -> None:
        """Read a missing field, of another entity too, and a missing attribute."""
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
    """A missing attribute is reported with the fields of the view and the nearest name."""
    stage = play(Reader, policy="disable")
    stage.spawn(Reader(what=what), Transform())
    stage.tick()
    assert f"AttributeError: {says}" in lines(caplog)[0]


def test_on_destroy_may_fail_without_holding_anything_up(play: Any, caplog: Any) -> None:
    """If `on_destroy` fails, the entity is removed and the other scripts are called."""
    stage = play(Bad, policy="disable")
    handles = [stage.spawn(Bad(where=6)), stage.spawn(Bad())]
    stage.tick()
    stage.world.despawn(handles)
    assert len(stage.world[Bad]) == 0
    assert "failed in on_destroy" in lines(caplog)[0]


class Eye(Script):
    """A script that fails in `on_frame`."""

    glow: float = field(0, view=True)
    state: float = 0

    def on_frame(self, alpha: float) -> None:
        """Write a hashed field, which is not allowed here."""
        self.glow = 0.5
        self.state = 1.0


def test_a_failure_in_the_picture_is_no_state(play: Any, caplog: Any) -> None:
    """A failure in `on_frame` is reported, and no hashed state changes."""
    stage = play(Eye, scene=[{"Eye": {}}], policy="disable")
    stage.app.run(frames=2)
    assert "writing Eye.state in LATE" in lines(caplog)[0]
    assert len(stage.world[Faults]) == 0
    assert (stage.only(Eye).glow, stage.only(Eye).state) == (0.5, 0)


class Herd(Script):
    """A batch script that fails."""

    x: float = 0

    @staticmethod
    def on_update_all(query: Any, world: Any, dt: float) -> None:
        """Raise."""
        raise ValueError("no grass")


def test_a_failing_batch_is_set_aside_as_a_whole(play: Any, caplog: Any) -> None:
    """A failing batch is reported and disabled for all entities of the class."""
    stage = play(Herd, Good, policy="disable")
    stage.spawn(Herd())
    good = stage.script(stage.spawn(Good()), Good)
    stage.tick(5)
    assert "script Herd of all its entities failed in on_update_all: ValueError: no grass (1 of 3)" in lines(caplog)[0]
    assert stage.world[Faults].count.tolist() == [3]
    assert good.updated == 5


class Quitter(Script):
    """A script that calls exit()."""

    def on_update(self, dt: float) -> None:
        """Call exit(), which does not end a game."""
        raise SystemExit


def test_exit_is_an_error_like_others(play: Any, caplog: Any) -> None:
    """A call of exit() in a script is a failure like others, and the game continues."""
    stage = play(Quitter, scene=[{"Quitter": {}}], policy="disable")
    stage.tick(2)
    assert "failed in on_update: SystemExit" in lines(caplog)[0]


def test_a_thousand_with_the_same_fault_are_said_once(play: Any, caplog: Any) -> None:
    """A failure that is the same for a thousand entities is reported once, and their disabling once."""
    stage = play(Bad, policy="disable", strict=False)
    stage.world.spawn_many(300, Bad(where=3))
    stage.tick(4)
    assert len(lines(caplog)) == 2
    assert stage.world[Faults].aside.sum() == 300
    assert not stage.world[Scripts].classes()[0].members()


class Wrong(Script):
    """A script whose method can't be called."""

    def on_update(self) -> None:  # type: ignore[override]
        """An update without the parameter dt."""


def test_a_method_that_can_not_be_called_is_named_where_it_is_written(play: Any, caplog: Any) -> None:
    """A method that can't be called is reported with its own line, not the engine's."""
    stage = play(Wrong, scene=[{"Wrong": {}}], policy="disable")
    stage.tick()
    place, said = lines(caplog)[0].split(": ", 1)
    assert said.startswith("script Wrong of entity 0v1 failed in on_update: TypeError: ")
    with open(place.split(":")[0], encoding="utf-8") as source:
        assert "def on_update(self) -> None:  # type" in source.read().splitlines()[int(place.split(":")[1]) - 1]
