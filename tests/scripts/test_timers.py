"""Timers and sequences are rows of a table: they fire at a tick, are saved, and are removed with their script."""

from __future__ import annotations

from typing import Any

import pytest

from rish_core import Disabled, field
from rish_ecs import UsageError
from rish_scripts import Script, Timers, repeat, until, wait

DT = 1 / 60


class Bell(Script):
    """A script with methods for timers."""

    rings: int = 0
    last: int = field(-1, doc="the tick of the last ring")
    tolls: int = 0

    def ring(self) -> None:
        """Count a call."""
        self.rings += 1
        self.last = self.world.tick

    def toll(self) -> None:
        """Count in another field."""
        self.tolls += 1

    def ring_and_stop(self) -> None:
        """Count, and cancel the other timers."""
        self.ring()
        self.cancel()

    def ring_again(self) -> None:
        """Count, and start a new timer."""
        self.ring()
        self.after(0, self.ring_again)


@pytest.fixture
def bell(play: Any) -> Any:
    """A bell that has existed for one tick."""
    stage = play(Bell, scene=[{"Bell": {}}])
    stage.tick()
    found = stage.only(Bell)
    found_stage[found.entity] = stage
    return found


found_stage: dict[int, Any] = {}


def tick(bell: Any, count: int = 1) -> None:
    """Run ticks on the bell's stage."""
    found_stage[bell.entity].tick(count)


@pytest.mark.slow
@pytest.mark.parametrize(("seconds", "ticks"), [(0, 1), (0.001, 1), (DT, 1), (0.1, 6), (0.5, 30), (2 * DT + 0.001, 2)])
def test_after(bell: Any, seconds: float, ticks: int) -> None:
    """`after` calls a method once, given by method or name, after whole ticks, at least one."""
    bell.after(seconds, bell.ring)
    number = bell.after(seconds, "toll")
    assert bell.waits(number)
    tick(bell, ticks)
    assert bell.rings == 0
    tick(bell)
    assert (bell.rings, bell.tolls) == (1, 1)
    assert not bell.waits(number)
    tick(bell, 40)
    assert (bell.rings, len(bell.world[Timers])) == (1, 0)


def test_every(bell: Any) -> None:
    """`every` calls a method repeatedly at equal intervals, until it is cancelled."""
    number = bell.every(0.05, bell.ring)
    tick(bell, 10)
    assert (bell.rings, bell.last) == (3, 10)
    tick(bell, 3)
    assert (bell.rings, bell.last) == (4, 13)
    assert bell.cancel(number) == 1
    assert bell.cancel(number) == 0
    tick(bell, 9)
    assert bell.rings == 4


def test_cancel_by_method_and_all(bell: Any) -> None:
    """Timers can be cancelled by number, by method, by name, or all of the script."""
    bell.after(1, bell.ring)
    bell.every(1, "ring")
    bell.after(1, "toll")
    assert bell.waits("ring")
    assert bell.cancel(bell.ring) == 2
    assert not bell.waits(bell.ring)
    assert bell.cancel() == 1
    assert bell.cancel("toll") == 0


def test_one_that_is_due_may_cancel_the_next(bell: Any) -> None:
    """A timer may cancel a later one of the same tick; they fire in the order in which they were started."""
    bell.after(DT, bell.ring_and_stop)
    bell.after(DT, bell.toll)
    bell.every(DT, bell.toll)
    tick(bell, 4)
    assert (bell.rings, bell.tolls, len(bell.world[Timers])) == (1, 0, 0)


def test_a_timer_started_by_a_timer_is_for_the_next_tick(bell: Any) -> None:
    """A timer started by a timer fires in the next tick at the earliest."""
    bell.after(0, bell.ring_again)
    tick(bell, 5)
    assert (bell.rings, bell.last) == (4, 5)


def test_they_are_called_in_the_order_of_being_due(play: Any) -> None:
    """Timers fire in the order of their ticks, then of their start, over all entities."""
    said: list[tuple[int, str]] = []

    class Sayer(Script):
        def one(self) -> None:
            said.append((self.entity, "one"))

        def two(self) -> None:
            said.append((self.entity, "two"))

    stage = play(Sayer, strict=False)
    first, second = (stage.script(stage.spawn(Sayer()), Sayer) for _ in range(2))
    second.after(0.05, "two")
    first.after(0.05, "one")
    second.after(0.02, "one")
    first.after(0.05, "two")
    stage.tick(6)
    a, b = first.entity, second.entity
    assert said == [(b, "one"), (b, "two"), (a, "one"), (a, "two")]


def test_they_go_with_their_script(play: Any) -> None:
    """Timers are removed with the entity or the component; a new component has none."""
    stage = play(Bell)
    first, second = (stage.script(stage.spawn(Bell()), Bell) for _ in range(2))
    for script in (first, second):
        script.every(DT, "ring")
    stage.world.despawn(first.entity)
    assert stage.world[Timers].who.tolist() == [second.entity]
    stage.world.remove(second.entity, Bell)
    stage.world.add(second.entity, Bell())
    stage.tick(3)
    assert stage.script(second.entity, Bell).rings == 0


def test_those_of_disabled_entities_wait(play: Any) -> None:
    """Timers of disabled entities fire in the first tick after they are enabled; a repeating one does not catch up."""
    stage = play(Bell)
    bell = stage.script(stage.spawn(Bell(), Disabled()), Bell)
    bell.after(DT, "toll")
    bell.every(DT, "ring")
    stage.tick(10)
    assert (bell.rings, bell.tolls) == (0, 0)
    stage.world.remove(bell.entity, Disabled)
    stage.tick()
    assert (bell.rings, bell.tolls) == (1, 1)


def test_a_restore_brings_them_back(bell: Any) -> None:
    """A restore restores the timers with their remaining ticks."""
    world = bell.world
    bell.after(0.2, bell.ring)
    bell.every(0.05, bell.toll)
    tick(bell, 5)
    before = world.snapshot()
    tick(bell, 20)
    then, counts = world.hash(), (bell.rings, bell.last, bell.tolls)
    bell.cancel()
    world.restore(before)
    tick(bell, 20)
    assert (world.hash(), (bell.rings, bell.last, bell.tolls)) == (then, counts)


@pytest.mark.parametrize("seconds", [-1, float("nan"), float("inf"), "soon", True, None])
def test_what_is_no_time_is_refused(bell: Any, seconds: Any) -> None:
    """An invalid time is rejected and shown."""
    with pytest.raises(UsageError, match="is no time in seconds"):
        bell.after(seconds, "ring")
    with pytest.raises(UsageError, match="is no time in seconds"):
        wait(seconds)


def test_what_is_no_method_is_refused(bell: Any) -> None:
    """An unknown name is rejected with the nearest method; a function that is not a method can't be saved."""
    with pytest.raises(UsageError, match=r"Bell has no method 'rign' \(did you mean 'ring'"):
        bell.after(1, "rign")
    with pytest.raises(UsageError, match=r"is not a method of a script, so it can't be saved.*self\.open"):
        bell.after(1, lambda: None)
    with pytest.raises(UsageError):
        bell.after(1, print)


class Robot(Script):
    """A script with sequences."""

    log: list[int]
    ready: bool = False
    x: float = 0

    def note(self, number: int) -> None:
        """Record a number."""
        self.log = [*self.log.tolist(), number]

    def one(self) -> None:
        """Do the first step."""
        self.note(1)

    def two(self) -> None:
        """Do the second step."""
        self.note(2)

    def three(self) -> None:
        """Do the third step."""
        self.note(3)

    def is_ready(self) -> bool:
        """Return the condition that the sequence waits for."""
        return self.ready

    def work(self) -> tuple[Any, ...]:
        """Return the steps."""
        return (self.one, wait(0.05), self.two, until(self.is_ready), wait(0), self.three)

    def blink(self) -> tuple[Any, ...]:
        """Return steps that repeat for ever."""
        return (self.one, wait(0.05), repeat())

    def again(self) -> tuple[Any, ...]:
        """Return steps that begin the sequence again in the middle, once."""
        return (self.one, self.restart, self.two)

    def restart(self) -> None:
        """Begin the sequence again."""
        if len(self.log) < 3:
            self.begin(self.again)

    def broken(self) -> Any:
        """Return None instead of steps."""
        return self.one

    def half(self) -> Any:
        """Return a wrong step."""
        return (self.one, 3)


@pytest.fixture
def robot(play: Any) -> Any:
    """A robot that has existed for one tick."""
    stage = play(Robot, scene=[{"Robot": {}}])
    stage.tick()
    found = stage.only(Robot)
    found_stage[found.entity] = stage
    return found


def test_a_sequence_goes_step_by_step(robot: Any) -> None:
    """Steps without a wait run in one tick, waits last whole ticks, conditions are evaluated once a tick."""
    number = robot.begin(robot.work)
    tick(robot)
    assert robot.log.tolist() == [1]
    tick(robot, 2)
    assert robot.log.tolist() == [1]
    tick(robot)
    assert robot.log.tolist() == [1, 2]
    tick(robot, 10)
    assert robot.waits(number)
    assert robot.waits(robot.work)
    robot.ready = True
    tick(robot)
    assert robot.log.tolist() == [1, 2]
    tick(robot)
    assert robot.log.tolist() == [1, 2, 3]
    assert not robot.waits("work")
    assert len(robot.world[Timers]) == 0


def test_its_place_is_state(robot: Any) -> None:
    """Name, step and tick of a sequence are columns, so it continues after a restore."""
    robot.begin("work")
    tick(robot, 2)
    row = {name: robot.world[Timers].read_row(name, 0) for name in ("script", "method", "step", "waiting", "due")}
    assert row == {"script": "game.Robot", "method": "work", "step": 1, "waiting": True, "due": 4}
    before = robot.world.snapshot()
    tick(robot, 5)
    robot.cancel()
    robot.world.restore(before)
    robot.ready = True
    tick(robot, 4)
    assert robot.log.tolist() == [1, 2, 3]


def test_beginning_again_begins_anew(robot: Any) -> None:
    """A method has one running sequence; `begin` restarts it, also from within."""
    robot.begin(robot.work)
    tick(robot, 2)
    robot.begin(robot.work)
    tick(robot)
    assert robot.log.tolist() == [1, 1]
    assert robot.cancel("work") == 1
    robot.log = []
    robot.begin(robot.again)
    tick(robot, 5)
    assert robot.log.tolist() == [1, 1, 1, 2]


def test_repeat_goes_round(robot: Any) -> None:
    """A repeated sequence starts again one tick later, so it never loops within a tick."""
    robot.begin(robot.blink)
    tick(robot, 9)
    assert robot.log.tolist() == [1, 1, 1]


@pytest.mark.parametrize(("name", "says"), [("broken", "returns a tuple of steps"), ("half", "3 is no step")])
def test_what_is_no_sequence_is_named(robot: Any, name: str, says: str) -> None:
    """A wrong sequence is reported when it runs, with script and entity."""
    robot.begin(name)
    with pytest.raises(Exception, match=rf"script Robot of entity 0v1 failed in {name}: UsageError: .*{says}"):
        tick(robot)


def test_until_asks_something() -> None:
    """`until` rejects a value that was already computed, since it needs a method."""
    with pytest.raises(UsageError, match=r"until\(self\.landed\)"):
        until(True)  # type: ignore[arg-type]
