"""The schedule runs, guards and times its systems in order, and applies structure changes after each stage."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_core.errors import ScheduleError
from rish_core.loop.layers import Layer, Layers, put_layers
from rish_core.loop.schedule import BoundSystem, OnError, Schedule, SystemFailed
from rish_ecs import TICK_STAGES, Stage, UnknownName, World, component, system


@component
class Spark:
    """A component to spawn."""

    heat: float = 1.0


def bind(fn: Callable[..., None], plugin: str = "game") -> BoundSystem:
    """Return a bound system for a system function."""
    return BoundSystem.of(plugin, fn.__system__)  # type: ignore[attr-defined]


def recorder(log: list[str], name: str, stage: Stage, **marks: Any) -> BoundSystem:
    """Return a system that appends its name to the log."""

    @system(stage, name=name, **marks)
    def note(world: World, dt: float) -> None:
        log.append(name)

    return bind(note)


def frame(schedule: Schedule, world: World) -> None:
    """Run a frame of one tick."""
    schedule.run(Stage.FIRST, world, 0.02)
    schedule.tick(world, world.dt)
    for stage in (Stage.LATE, Stage.EXTRACT, Stage.DRAW, Stage.LAST):
        schedule.run(stage, world, 0.02)


def test_a_frame_runs_all_stages_in_order() -> None:
    """The stages run from FIRST to LAST, whatever the order of declaration."""
    log: list[str] = []
    world = World()
    frame(Schedule([recorder(log, stage.name, stage) for stage in reversed(Stage)]), world)
    assert log == [stage.name for stage in Stage]


def test_systems_get_the_world_and_dt() -> None:
    """A system is called with the world and the seconds of its stage."""
    seen: list[tuple[World, float]] = []

    @system(Stage.LATE)
    def look(world: World, dt: float) -> None:
        seen.append((world, dt))

    world = World()
    Schedule([bind(look)]).run(Stage.LATE, world, 0.125)
    assert seen == [(world, 0.125)]


def test_the_world_knows_which_system_runs() -> None:
    """While a system runs, the world holds its name and stage; afterwards both are empty."""
    seen: list[tuple[str, Stage | None]] = []

    @system(Stage.POST)
    def look(world: World, dt: float) -> None:
        seen.append((world.running, world.stage))

    world = World()
    Schedule([bind(look)]).run(Stage.POST, world, 0.1)
    assert seen == [("game.look", Stage.POST)]
    assert (world.running, world.stage) == ("", None)


def test_structure_changes_come_at_the_end_of_the_stage() -> None:
    """An entity that a system spawns exists from the next stage on."""
    seen: list[int] = []

    @system(Stage.PRE)
    def spawn(world: World, dt: float) -> None:
        world.spawn(Spark())

    @system(Stage.PRE, after="spawn")
    def count_now(world: World, dt: float) -> None:
        seen.append(len(world[Spark]))

    @system(Stage.FORCES)
    def count_later(world: World, dt: float) -> None:
        seen.append(len(world[Spark]))

    Schedule([bind(spawn), bind(count_now), bind(count_later)]).tick(World([Spark]), 1 / 60)
    assert seen == [0, 1]


def test_a_declared_writer_raises_the_version() -> None:
    """`table.version` rises with each run of a system that declares to write the table, and with no other."""

    @system(Stage.PRE, writes=Spark)
    def heat(world: World, dt: float) -> None:
        pass

    @system(Stage.POST, reads=Spark)
    def look(world: World, dt: float) -> None:
        pass

    world = World([Spark])
    schedule = Schedule([bind(heat), bind(look)])
    before = world[Spark].version
    schedule.tick(world, 1 / 60)
    schedule.tick(world, 1 / 60)
    assert world[Spark].version == before + 2


def test_a_writer_that_marks_tells_which_rows() -> None:
    """A writer with `marks=True` raises the version only of the rows that it marks."""

    @system(Stage.PRE, writes=Spark, marks=True)
    def heat(world: World, dt: float) -> None:
        if world.tick:
            world[Spark].mark(1)

    world = World([Spark])
    world.spawn_many(3, Spark)
    schedule = Schedule([bind(heat)])
    before = world[Spark].version
    schedule.tick(world, 1 / 60)
    assert world[Spark].version == before
    world.tick = 1
    schedule.tick(world, 1 / 60)
    assert world[Spark].changes(before).rows.tolist() == [1]


def failing(policy: OnError | None) -> tuple[Schedule, list[str]]:
    """Return a schedule whose second of three systems raises."""
    log: list[str] = []

    @system(Stage.UPDATE)
    def broken(world: World, dt: float) -> None:
        log.append("broken")
        raise KeyError("speed")

    systems = [recorder(log, "a", Stage.UPDATE), bind(broken, "wind"), recorder(log, "z", Stage.UPDATE)]
    return Schedule(systems, on_error=policy), log


def test_a_failure_names_system_plugin_and_line() -> None:
    """Without a policy a failure is raised with the system, its plugin, the stage and file:line."""
    schedule, log = failing(None)
    world = World()
    with pytest.raises(SystemFailed) as caught:
        schedule.tick(world, 1 / 60)
    caught.match(r"test_schedule\.py:\d+: system 'wind\.broken' of plugin 'wind' failed in stage UPDATE: KeyError")
    assert isinstance(caught.value.__cause__, KeyError)
    assert log == ["a", "broken"]
    assert (world.running, world.stage) == ("", None)


def test_skip_lets_the_others_run_and_tries_again(caplog: pytest.LogCaptureFixture) -> None:
    """With `skip` the other systems run, and the failed one is tried again in the next tick."""
    schedule, log = failing(lambda bound, failure: "skip")
    world = World()
    schedule.tick(world, 1 / 60)
    schedule.tick(world, 1 / 60)
    assert log == ["a", "broken", "z"] * 2
    assert "wind.broken" in caplog.text


def test_disable_sets_the_system_aside() -> None:
    """With `disable` the failed system is left out from then on, and can be enabled again."""
    asked: list[str] = []

    def policy(bound: BoundSystem, failure: SystemFailed) -> Any:
        asked.append(f"{bound.name}: {type(failure.__cause__).__name__}")
        return "disable"

    schedule, log = failing(policy)
    world = World()
    schedule.tick(world, 1 / 60)
    schedule.tick(world, 1 / 60)
    assert log == ["a", "broken", "z", "a", "z"]
    assert asked == ["wind.broken: KeyError"]
    assert schedule.disabled == ("wind.broken",)
    schedule.enable("wind.broken")
    schedule.tick(world, 1 / 60)
    assert log[-3:] == ["a", "broken", "z"]


def test_a_system_that_exits_is_a_failure() -> None:
    """`sys.exit()` in a system is a failure like any other; KeyboardInterrupt is not caught."""

    def raise_it(error: BaseException) -> BoundSystem:
        @system(Stage.UPDATE, name="leave")
        def leave(world: World, dt: float) -> None:
            raise error

        return bind(leave)

    Schedule([raise_it(SystemExit(3))], on_error=lambda bound, failure: "skip").tick(World(), 1 / 60)
    with pytest.raises(KeyboardInterrupt):
        Schedule([raise_it(KeyboardInterrupt())], on_error=lambda bound, failure: "skip").tick(World(), 1 / 60)


def test_a_failing_condition_is_the_systems_failure() -> None:
    """An error in a run condition is reported as a failure of its system."""
    log: list[str] = []

    def bad(world: World) -> bool:
        raise ZeroDivisionError

    schedule = Schedule([recorder(log, "a", Stage.UPDATE, run_if=bad)])
    with pytest.raises(SystemFailed, match=r"'game\.a'.*ZeroDivisionError"):
        schedule.tick(World(), 1 / 60)
    assert log == []


def test_a_structure_change_that_fails_names_the_systems_that_may_have_queued_it() -> None:
    """A structure change that fails at the end of a stage is passed to the error policy, and the game continues."""
    asked: list[str] = []

    def policy(bound: BoundSystem, failure: SystemFailed) -> Any:
        asked.append(str(failure))
        return "disable"

    @system(Stage.PRE)
    def wrong(world: World, dt: float) -> None:
        world.set(world.spawn(), Spark(heat=2))

    log: list[str] = []
    world = World([Spark])
    Schedule([bind(wrong), recorder(log, "z", Stage.POST)], on_error=policy).tick(world, 1 / 60)
    assert log == ["z"]
    assert len(asked) == 1
    assert "'core.structure_changes' of plugin 'core' failed in stage PRE" in asked[0]
    assert "has no Spark" in asked[0]
    assert "(queued by game.wrong)" in asked[0]
    with pytest.raises(SystemFailed, match=r"queued by game\.wrong"):
        Schedule([bind(wrong)]).tick(World([Spark]), 1 / 60)


def test_conditions_must_all_hold() -> None:
    """A system runs only if all its conditions hold."""
    log: list[str] = []
    even, early = (lambda world: world.tick % 2 == 0), (lambda world: world.tick < 3)
    schedule = Schedule([recorder(log, "a", Stage.UPDATE, run_if=(even, early))])
    world = World()
    for _ in range(6):
        schedule.tick(world, 1 / 60)
        world.end_tick()
    assert log == ["a", "a"]


def test_a_paused_layer_stops_its_tick_systems_only() -> None:
    """Pausing a layer stops its tick systems; its other systems and other layers continue."""
    log: list[str] = []
    world = World()
    put_layers(world, [Layer("play"), Layer("hud")])
    schedule = Schedule(
        [
            recorder(log, "move", Stage.UPDATE, layer="play"),
            recorder(log, "draw", Stage.EXTRACT, layer="play"),
            recorder(log, "blink", Stage.UPDATE, layer="hud"),
        ]
    )
    world[Layers].pause("play")
    frame(schedule, world)
    assert log == ["blink", "draw"]
    world[Layers].pause("play", False)
    frame(schedule, world)
    assert log[2:] == ["move", "blink", "draw"]
    world[Layers].pop("play")
    frame(schedule, world)
    assert log[5:] == ["blink"]


def test_unknown_layers_are_reported_with_the_nearest() -> None:
    """A system with an unknown layer is refused, with the nearest name."""
    systems = [recorder([], "move", Stage.UPDATE, layer="wrold")]
    schedule = Schedule(systems)
    schedule.check_layers(["wrold"])
    with pytest.raises(ScheduleError, match="did you mean 'world'"):
        schedule.check_layers(["world", "hud"])


def test_unknown_systems_are_reported_with_the_nearest() -> None:
    """Disabling an unknown system is refused, with the nearest name."""
    schedule, _ = failing(None)
    with pytest.raises(UnknownName, match=r"did you mean 'wind\.broken'"):
        schedule.disable("wind.borken")


def test_describe_shows_order_and_conditions() -> None:
    """`describe` lists stage, name and conditions, and marks disabled systems."""
    log: list[str] = []
    schedule = Schedule([recorder(log, "b", Stage.LATE, layer="hud"), recorder(log, "a", Stage.PRE)])
    schedule.disable("game.a")
    assert schedule.describe().splitlines() == [
        "PRE      game.a  [disabled]",
        "LATE     game.b  [layer 'hud']",
    ]


def test_one_schedule_serves_several_worlds() -> None:
    """A schedule can run several worlds, and raises the versions of the tables of the current one."""

    @system(Stage.PRE, writes=Spark)
    def heat(world: World, dt: float) -> None:
        pass

    one, other = World([Spark]), World([Spark])
    schedule = Schedule([bind(heat)])
    for world in (one, other, one):
        schedule.tick(world, 1 / 60)
    assert (one[Spark].version, other[Spark].version) == (2, 1)


def test_a_watcher_sees_every_call_and_none_costs_nothing() -> None:
    """A watcher is called for stages, systems and ticks in order, and its errors are not caught."""
    told: list[str] = []

    class Watch:
        def enter_stage(self, stage: Stage) -> None:
            told.append(f"+{stage.name}")

        def leave_stage(self, stage: Stage) -> None:
            told.append(f"-{stage.name}")

        def before(self, bound: BoundSystem) -> None:
            told.append(f"<{bound.name}")

        def after(self, bound: BoundSystem) -> None:
            told.append(f">{bound.name}")

        def tick(self, run: Callable[[], None]) -> None:
            told.append("tick")
            run()

    schedule = Schedule([recorder(told, "a", Stage.PRE)], on_error=lambda bound, failure: "skip")
    schedule.watcher = Watch()
    schedule.tick(World(), 1 / 60)
    stages = [told.index(f"+{stage.name}") for stage in TICK_STAGES]
    assert stages == sorted(stages)
    assert told[:8] == ["tick", "+INPUT", "-INPUT", "+PRE", "<game.a", "a", ">game.a", "-PRE"]


def test_systems_are_replaced_while_it_runs() -> None:
    """When systems are replaced, disabled ones stay disabled, new ones are sorted in, and missing ones are removed."""
    log: list[str] = []
    world = World()
    old = [recorder(log, name, Stage.UPDATE) for name in ("a", "b", "c")]
    schedule = Schedule(old)
    schedule.tick(world, world.dt)
    schedule.disable("game.b")
    schedule.disable("game.c")
    new = recorder(log, "n", Stage.UPDATE, before="a")
    again = recorder(log, "a", Stage.UPDATE)
    schedule.replace([again, old[1], new])
    log.clear()
    schedule.tick(world, world.dt)
    assert log == ["n", "a"]
    assert schedule.disabled == ("game.b",)
    schedule.enable("game.b")
    assert [name for name, _ in schedule.profiler.slots] == ["game.b", "game.n", "game.a"]
    schedule.replace(old)
    assert schedule.disabled == ()


def test_systems_that_can_not_be_sorted_change_nothing() -> None:
    """Systems with a cycle are refused, and the previous systems continue to run."""
    log: list[str] = []
    world = World()
    schedule = Schedule([recorder(log, "a", Stage.UPDATE)])
    circle = [recorder(log, "a", Stage.UPDATE, before="b"), recorder(log, "b", Stage.UPDATE, before="a")]
    with pytest.raises(ScheduleError):
        schedule.replace(circle)
    schedule.tick(world, world.dt)
    assert log == ["a"]


def test_a_paused_game_still_gets_input() -> None:
    """While the whole game is paused, a tick has the stage INPUT, and the systems that derive or always run."""
    log: list[str] = []
    world = World()
    put_layers(world, [Layer("water")])
    systems = [recorder(log, stage.name, stage) for stage in TICK_STAGES]
    systems += [recorder(log, "sound", Stage.UPDATE, always=True), recorder(log, "walls", Stage.PRE, derive=True)]
    schedule = Schedule([*systems, recorder(log, "fish", Stage.UPDATE, layer="water")])
    world[Layers].pause_all()
    schedule.tick(world, world.dt)
    assert log == ["INPUT", "walls", "sound"]
    log.clear()
    world[Layers].pause_all(False)
    schedule.tick(world, world.dt)
    assert len(log) == len(TICK_STAGES) + 3


def test_a_system_of_the_stage_input_may_pause_the_tick_that_runs() -> None:
    """A pause takes effect in the tick in which it begins."""
    log: list[str] = []
    world = World()
    put_layers(world, [])

    @system(Stage.INPUT)
    def stop(world: World, dt: float) -> None:
        world[Layers].pause_all()

    Schedule([bind(stop), recorder(log, "step", Stage.STEP)]).tick(world, world.dt)
    assert log == []
