"""Systems: the data that `@system` stores, and the declarations that it refuses."""

from __future__ import annotations

from typing import Any

import pytest

from rish_ecs.declarations.component import component
from rish_ecs.declarations.system import TICK_STAGES, Stage, system, system_spec
from rish_jit.errors import DeclarationError


@component
class Body:
    """A mass."""


@component
class Wind:
    """A push."""


def test_stages() -> None:
    """The stages are in the order of a frame, and six of them belong to the tick."""
    assert [stage.name for stage in sorted(Stage)] == [
        "FIRST", "INPUT", "PRE", "FORCES", "STEP", "POST", "UPDATE", "LATE", "EXTRACT", "DRAW", "LAST",
    ]  # fmt: skip
    assert [stage.name for stage in TICK_STAGES] == ["INPUT", "PRE", "FORCES", "STEP", "POST", "UPDATE"]


def test_the_function_stays_itself() -> None:
    """A decorated system is still a normal function; single values become tuples."""

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
    """A system can have another name than its function, and lists are accepted."""

    @system(Stage.UPDATE, name="think", after=["a", "b.*"])
    def run(world: Any, dt: float) -> None:
        pass

    spec = system_spec(run)
    assert spec is not None
    assert (spec.name, spec.after) == ("think", ("a", "b.*"))


def test_more_arguments_with_defaults() -> None:
    """A system function may have further arguments with defaults."""

    @system(Stage.UPDATE)
    def run(world: Any, dt: float, scale: float = 2.0) -> None:
        pass

    assert system_spec(run) is not None


def test_forgotten_stage() -> None:
    """`@system` without a stage is refused with the correct form."""
    with pytest.raises(
        DeclarationError,
        match=r"test_system.py:\d+: a system's stage is no Stage but run.*Write @system\(Stage.UPDATE\)",
    ):

        @system  # pyright: ignore[reportArgumentType]
        def run(world: Any, dt: float) -> None:
            pass


@pytest.mark.parametrize("stage", ["UPDATE", 3, None])
def test_wrong_stage(stage: Any) -> None:
    """A stage must be a Stage; the choices are listed."""
    with pytest.raises(DeclarationError, match=r"is no Stage but .*Choices: Stage.DRAW"):
        system(stage)


def test_wrong_arguments() -> None:
    """A function that cannot be called with world and dt is refused."""
    with pytest.raises(DeclarationError, match=r"system 'run' can't be called with \(world, dt\)"):

        @system(Stage.UPDATE)
        def run(world: Any) -> None:
            pass


def test_generators_and_coroutines_are_no_systems() -> None:
    """Generators and coroutines are refused, because calling them would do nothing."""

    def waits(world: Any, dt: float) -> Any:
        yield

    async def sleeps(world: Any, dt: float) -> None:
        pass

    for fn in (waits, sleeps):
        with pytest.raises(DeclarationError, match=rf"test_system.py:\d+: system '{fn.__name__}' is a generator or a"):
            system(Stage.UPDATE)(fn)
