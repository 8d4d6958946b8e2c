"""Events call the methods that they name on the scripts of the entities in their fields, each once and in order."""

from __future__ import annotations

import enum
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rish_core import Disabled, Entity, Stage, Str, Vec2, event, system
from rish_scripts import Script, Vector


class How(enum.Enum):
    """The strength of a hit."""

    SOFT = 0
    HARD = 1


@event(script="on_hit")
class Hit:
    """Two things touched."""

    a: Entity
    b: Entity
    point: Vec2
    how: How = How.SOFT
    word: Str = ""
    speed: float = 1.0


@event(script="on_shout")
class Shout:
    """Something was said."""

    who: Entity


@event
class Silent:
    """An event that names no method."""

    who: Entity


class Ear(Script):
    """Adds up the events that it receives."""

    hits: int = 0
    shouts: int = 0
    speed: float = 0
    order: int = 0

    def on_hit(self, hit: Any) -> None:
        """Add the event's fields, which are Python values."""
        assert self.entity in (hit.a, hit.b)
        assert isinstance(hit.point, Vector)
        assert hit.how in How
        assert hit.word == "bump"
        self.hits += 1
        self.speed += hit.speed
        self.order = self.order * 10 + int(hit.point.x)

    def on_shout(self, shout: Any) -> None:
        """Count the event."""
        self.shouts += 1


class Second(Script):
    """Another script on the same entities."""

    hits: int = 0

    def on_hit(self, hit: Any) -> None:
        """Count the event."""
        self.hits += 1


class Deaf(Script):
    """A script without such methods."""


EVENTS = [Hit, Shout, Silent]


def test_both_sides_are_called(play: Any) -> None:
    """Every script of both entities is called; other entities are not."""
    stage = play(Ear, Second, Deaf, events=EVENTS)
    a, b = stage.spawn(Ear(), Second()), stage.spawn(Ear(), Deaf())
    other, bare = stage.spawn(Ear()), stage.spawn()
    stage.world.emit(Hit, a=a, b=b, point=(1, 2), how="hard", word="bump", speed=3)
    stage.world.emit(Hit, a=b, b=bare, point=(2, 2), word="bump", speed=4)
    stage.world.emit(Silent, who=a)
    stage.tick(3)
    assert (stage.script(a, Ear).hits, stage.script(a, Second).hits) == (1, 1)
    assert (stage.script(b, Ear).hits, stage.script(b, Ear).speed, stage.script(b, Ear).order) == (2, 7, 12)
    assert stage.script(other, Ear).hits == 0


def test_an_entity_in_two_fields_is_called_once(play: Any) -> None:
    """An entity in two fields of an event is called once, as for a collider that is its own body."""
    stage = play(Ear, events=EVENTS)
    a = stage.spawn(Ear())
    stage.world.emit(Hit, a=a, b=a, point=(1, 1), word="bump")
    stage.tick()
    assert stage.script(a, Ear).hits == 1


@pytest.mark.parametrize("at", [Stage.INPUT, Stage.STEP, Stage.UPDATE])
def test_each_event_is_received_once_wherever_it_was_emitted(play: Any, at: Stage) -> None:
    """An event emitted before UPDATE is received in the same tick, a later one in the next; each once."""

    @system(at, writes=Shout)
    def shout(world: Any, dt: float) -> None:
        if world.tick % 2 == 0:
            world.emit(Shout, who=world.table(Ear).entities)

    stage = play(Ear, events=EVENTS, systems=[shout])
    ear = stage.script(stage.spawn(Ear()), Ear)
    stage.tick()
    assert ear.shouts == (0 if at is Stage.UPDATE else 1)
    stage.tick(9)
    assert ear.shouts == 5


def test_the_dead_and_the_disabled_hear_nothing(play: Any) -> None:
    """Dead and disabled entities receive nothing, nor does a new entity in a dead entity's slot."""
    stage = play(Ear, events=EVENTS)
    dead, off = stage.spawn(Ear()), stage.spawn(Ear(), Disabled())
    stage.world.emit(Shout, who=np.array([dead, off, 0, 1 << 40]))
    stage.world.despawn(dead)
    born = stage.spawn(Ear())
    stage.tick(2)
    assert stage.script(born, Ear).shouts == 0
    assert stage.script(off, Ear).shouts == 0


class Fragile(Script):
    """Despawns the other entity of a hit."""

    hits: int = 0

    def on_hit(self, hit: Any) -> None:
        """Despawn the other entity at the end of the stage."""
        self.hits += 1
        self.despawn(hit.b if hit.a == self.entity else hit.a)


def test_despawning_while_hearing(play: Any) -> None:
    """All events of a stage are still passed on after a callback despawns an entity."""
    stage = play(Fragile, Ear, events=EVENTS)
    a, b = stage.spawn(Fragile()), stage.spawn(Ear())
    stage.world.emit(Hit, a=a, b=b, point=(1, 1), word="bump")
    stage.world.emit(Hit, a=a, b=b, point=(2, 1), word="bump")
    stage.tick()
    assert stage.script(a, Fragile).hits == 2
    assert not stage.world.alive(b)


class Log(Script):
    """Records which entity received an event, for comparison with the plain reference."""

    def on_hit(self, hit: Any) -> None:
        """Record the call."""
        HEARD.append((int(hit.point.x), self.entity, "Log"))


class Log2(Script):
    """The same, declared later."""

    def on_hit(self, hit: Any) -> None:
        """Record the call."""
        HEARD.append((int(hit.point.x), self.entity, "Log2"))


HEARD: list[tuple[int, int, str]] = []
FIELDS = st.integers(0, 5)


@pytest.mark.slow
@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(
    carry=st.lists(st.integers(0, 3), min_size=6, max_size=6), events=st.lists(st.tuples(FIELDS, FIELDS), max_size=8)
)
def test_the_order_is_that_of_events_then_fields_then_classes(
    play: Any, carry: list[int], events: list[tuple[int, int]]
) -> None:
    """The order of calls equals that of three nested loops over events, fields and classes."""
    stage = play(Log, Log2, events=EVENTS, strict=False)
    parts = [[cls for bit, cls in ((1, Log), (2, Log2)) if mask & bit] for mask in carry]
    handles = [stage.spawn(*part) for part in parts]
    expected = []
    for number, (a, b) in enumerate(events):
        stage.world.emit(Hit, a=handles[a], b=handles[b], point=(number, 0), word="bump")
        for place in dict.fromkeys((a, b)):
            expected += [(number, handles[place], cls.__name__) for cls in parts[place]]
    HEARD.clear()
    stage.tick()
    assert expected == HEARD
    stage.app.close()
