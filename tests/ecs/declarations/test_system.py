"""Systems: what `@system` notes, and what it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from rish_ecs.declarations.component import component
from rish_ecs.declarations.system import TICK_STAGES, Stage, system, system_spec
from rish_ecs.errors import DeclarationError


@component
class Body:
    """A mass."""


@component
class Wind:
    """A push."""


def test_stages() -> None:
    """The stages come in the order of a frame; six of them make a tick."""
    assert [stage.name for stage in sorted(Stage)] == [
        "FIRST", "INPUT", "PRE", "FORCES", "STEP", "POST", "UPDATE", "LATE", "EXTRACT", "DRAW", "LAST",
    ]  # fmt: skip
    assert [stage.name for stage in TICK_STAGES] == ["INPUT", "PRE", "FORCES", "STEP", "POST", "UPDATE"]


def test_the_function_stays_itself() -> None:
    """A system is an ordinary function with a note on it; single values become tuples."""

    def awake(world: Any) -> bool:
        return True

    @system(Stage.FORCES, reads=Wind, writes=(Body,), before="physics.step", run_if=awake, layer="world")
    def blow(world: Any, dt: float) -> None:
        world.append(dt)

    told: list[float] = []
    blow(told, 0.5)
    assert told == [0.5]
    spec = system_spec(blow)
    assert spec is not None
    assert (spec.fn, spec.stage, spec.name, spec.layer) == (blow, Stage.FORCES, "blow", "world")
    assert (spec.reads, spec.writes, spec.before, spec.after, spec.run_if) == (
        (Wind,), (Body,), ("physics.step",), (), (awake,),
    )  # fmt: skip
    assert system_spec(awake) is None


def test_names() -> None:
    """A system can be called otherwise than its function; lists are taken as well."""

    @system(Stage.UPDATE, name="think", after=["a", "b.*"])
    def run(world: Any, dt: float) -> None:
        pass

    spec = system_spec(run)
    assert spec is not None
    assert (spec.name, spec.after) == ("think", ("a", "b.*"))


def test_more_arguments_with_defaults() -> None:
    """Further arguments are fine where they have defaults."""

    @system(Stage.UPDATE)
    def run(world: Any, dt: float, scale: float = 2.0) -> None:
        pass

    assert system_spec(run) is not None


def test_forgotten_stage() -> None:
    """`@system` without a stage is refused at once, with how to write it."""
    with pytest.raises(
        DeclarationError,
        match=r"test_system.py:\d+: a system's stage is no Stage but run.*Write @system\(Stage.UPDATE\)",
    ):

        @system  # pyright: ignore[reportArgumentType]
        def run(world: Any, dt: float) -> None:
            pass


@pytest.mark.parametrize("stage", ["UPDATE", 3, None])
def test_wrong_stage(stage: Any) -> None:
    """A stage is a Stage; the choices are listed."""
    with pytest.raises(DeclarationError, match=r"is no Stage but .*Choices: Stage.DRAW"):
        system(stage)


def test_wrong_arguments() -> None:
    """A function that can't be called with world and dt is refused."""
    with pytest.raises(DeclarationError, match=r"system 'run' can't be called with \(world, dt\)"):

        @system(Stage.UPDATE)
        def run(world: Any) -> None:
            pass


def test_generators_and_coroutines_are_no_systems() -> None:
    """Their calls would do nothing, so the declaration is refused with its place."""

    def waits(world: Any, dt: float) -> Any:
        yield

    async def sleeps(world: Any, dt: float) -> None:
        pass

    for fn in (waits, sleeps):
        with pytest.raises(DeclarationError, match=rf"test_system.py:\d+: system '{fn.__name__}' is a generator or a"):
            system(Stage.UPDATE)(fn)
