"""Events on demand are emitted only if a system of the simulation declares that it reads them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_ecs.declarations.component import event
from rish_ecs.declarations.system import Stage, SystemSpec, system, system_spec
from rish_ecs.storage import EventReaders
from rish_ecs.world import World
from rish_jit.errors import UsageError


@event(on_demand=True, script="on_bump")
class Bump:
    """An event that takes time to emit."""

    force: int = 0


@event(on_demand=True)
class Scrape:
    """Another one."""


@event
class Score:
    """An event that is always emitted."""


def _spec(**declared: Any) -> SystemSpec:
    @system(Stage.UPDATE, **declared)
    def listen(world: World, dt: float) -> None: ...

    spec = system_spec(listen)
    assert spec is not None
    return spec


def _world(*reactions: str, **systems: SystemSpec) -> World:
    world = World([Bump, Scrape, Score])
    specs = {f"game.{name}": spec for name, spec in systems.items()}
    every = {name for name, spec in specs.items() if spec.events is None and World in spec.writes}
    world.readers = EventReaders(specs, every, {"audio": {world.kind(name) for name in reactions}})
    return world


def _read(world: World, running: str, cls: type = Bump, stage: Stage = Stage.UPDATE) -> Any:
    world.stage, world.running = stage, running
    return world.events(cls)


def test_a_world_without_a_game_emits_everything() -> None:
    """A World of its own, whose readers are unknown, emits all events, and anyone may read them."""
    world = World([Bump])
    world.emit(Bump, force=3)
    assert world.is_read(Bump)
    assert world.events(Bump).force.tolist() == [3]


@pytest.mark.parametrize(
    ("declared", "read"),
    [
        ({}, False),
        ({"reads": Scrape}, False),
        ({"reads": Bump}, True),
        ({"reads": (Score, Bump)}, True),
        ({"writes": World}, True),
        ({"writes": World, "reads": Score}, True),
        ({"writes": World, "events": ()}, False),
        ({"writes": World, "events": (), "reads": Bump}, True),
        ({"writes": World, "events": lambda world: {Bump}}, True),
        ({"writes": World, "events": lambda world: {Scrape}}, False),
    ],
)
def test_an_event_is_emitted_if_a_system_declares_it(declared: dict[str, Any], read: bool) -> None:
    """What a system reads are the types in `reads`; with `writes=World` all, unless `events` says which."""
    world = _world(listen=_spec(**declared), other=_spec(reads=Score))
    world.emit(Bump, force=1)
    world.emit(Score)
    assert world.is_read(Bump) == read
    assert len(world.queues[Bump].columns) == read
    assert (world.is_read(Score), len(world.queues[Score].columns)) == (True, 1)
    if read:
        assert len(_read(world, "game.listen")) == 1


def test_an_undeclared_read_fails_with_the_declaration_to_add() -> None:
    """A system that reads an event without declaring it raises an error with its place, whoever else reads it."""
    spec = _spec(reads=Scrape)
    for others in ({}, {"other": _spec(reads=Bump)}, {"other": _spec(writes=World)}):
        world = _world(listen=spec, **others)
        for stage in (Stage.UPDATE, Stage.EXTRACT):
            with pytest.raises(
                UsageError, match=r"'game.listen' reads .*Bump, which it does not declare to read"
            ) as error:
                _read(world, "game.listen", stage=stage)
            assert "reads=Bump" in str(error.value)
            assert "test_event_readers.py" in str(error.value.where)
        assert _read(world, "game.listen", Scrape) is not None


def test_others_may_look_at_what_is_emitted_anyway() -> None:
    """Code outside of the simulation, such as a view, reads what the simulation reads; the rest is an error."""
    world = _world(listen=_spec(reads=Bump))
    world.emit(Bump)
    assert len(_read(world, "audio.step")) == 1
    assert len(_read(world, "")) == 1
    for name in ("audio.step", ""):
        with pytest.raises(UsageError, match=r"no system of the simulation declares to read.*reads=Scrape"):
            _read(world, name, Scrape)


def test_reactions_in_the_text_count() -> None:
    """Events of the text that a plugin reads are emitted, also if the plugin is absent; other names are ignored."""
    world = _world("Bump", "scene main", step=_spec())
    assert (world.is_read(Bump), world.is_read(Scrape)) == (True, False)
    assert len(_read(world, "audio.step")) == 0
    assert not _world("scene", "Score").is_read(Bump)


def test_a_function_is_asked_each_time() -> None:
    """Events that only the game decides, such as those of rules, follow the result of the function at once."""
    now: set[type] = set()
    asked: Callable[[World], Any] = lambda world: now  # noqa: E731
    world = _world(rules=_spec(writes=World, events=asked))
    world.emit(Bump, force=1)
    now.add(Bump)
    world.emit(Bump, force=2)
    assert _read(world, "game.rules").force.tolist() == [2]
    now.clear()
    assert not world.is_read(Bump)
    with pytest.raises(UsageError, match="reads=Bump"):
        _read(world, "game.rules")


@given(st.lists(st.tuples(st.sampled_from(["emit", "look", "peek"]), st.integers(0, 3))), st.booleans())
def test_who_looks_changes_neither_queues_nor_hashes(steps: list[tuple[str, int]], read: bool) -> None:
    """Two worlds with the same declarations have equal hashes, however often one of them is looked at."""
    worlds = [_world(listen=_spec(reads=Bump if read else Score)) for _ in range(2)]
    for does, force in steps:
        for world, looks in zip(worlds, (False, True), strict=True):
            if does == "emit":
                world.emit(Bump, force=force)
            elif looks and (does == "peek" or read):
                world.stage, world.running = Stage.LAST, "tool.look"
                assert len(world.bus.of_frame(Bump) if does == "peek" else world.events(Bump)) >= 0
                world.stage, world.running = None, ""
            world.end_tick()
    assert worlds[0].hash() == worlds[1].hash()
    assert worlds[0].bus.queues[Bump].end == (sum(does == "emit" for does, _ in steps) if read else 0)
