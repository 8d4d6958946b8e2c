"""The schedule: sorts the systems once and runs them stage by stage, with error handling and timing.

This loop adds overhead to every frame, so it is minimal: for each system it sets one attribute (`World.running`, for
cursors and errors), calls the system and reads the clock once; the reading is the end of this system and the start of
the next. A `try` costs nothing until something is raised.

If a system raises, the error names the system, its plugin and the line. The policy then decides whether the error is
raised, the system is skipped once, or it is disabled until it is enabled again. In the last two cases the others run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any, Literal, Protocol

from rish_ecs import TICK_STAGES, RishError, Stage, UnknownName, describe_error, place_of_error
from rish_ecs.declarations import Condition, SystemSpec, bare_test, condition_text, current

from ..errors import ScheduleError
from .layers import Layers, on_layer
from .order import BoundSystem, order_systems
from .profile import Profiler

if TYPE_CHECKING:
    from rish_ecs import World
    from rish_ecs.storage import Structure

_log = logging.getLogger("rish.schedule")

Policy = Literal["raise", "skip", "disable"]
"""The reaction to a failure: `raise` it, `skip` the system in this tick or frame, or `disable` the system."""

_Entry = tuple[str, Callable[[Any, float], None], int, "Condition | None", "tuple[Callable[[], None], ...] | None"]
"""The name, the function, the profiler's slot, the condition, and the `mark` functions of the tables that it writes."""


class SystemFailed(RishError):
    """Raised when a system raised. system: the system. `__cause__` is the original error."""

    def __init__(self, system: BoundSystem, error: BaseException, note: str = "") -> None:
        self.system = system
        if isinstance(error, RishError) and error.names_culprit:
            super().__init__(f"{error.what} (in system '{system.name}'{note})", where=error.where, hint=error.hint)
            self.__cause__ = error
            return
        super().__init__(
            f"system '{system.name}' of plugin '{system.plugin}' failed in stage {system.spec.stage.name}: "
            f"{describe_error(error)}{note}",
            where=place_of_error(error),
        )
        self.__cause__ = error


OnError = Callable[[BoundSystem, SystemFailed], Policy]
"""A function that is called once per failure of a system and returns the policy."""


class Watcher(Protocol):
    """An object that reads the World before and after each system, as for `--strict`. Its errors are not caught."""

    def enter_stage(self, stage: Stage) -> None:
        """Called before the first system of a stage."""

    def before(self, system: BoundSystem) -> None:
        """Called before each system that is not disabled."""

    def after(self, system: BoundSystem) -> None:
        """Called after the system, also if it raised and the policy continues with the others."""

    def leave_stage(self, stage: Stage) -> None:
        """Called after the queued structure changes of a stage were applied."""

    def tick(self, run: Callable[[], None]) -> None:
        """Called instead of running the stages of a tick; must call `run`, which runs them, and may call it again."""

    def close(self) -> None:
        """Stop watching; called before classes or systems are replaced."""

    def renewed(self) -> Watcher:
        """Return a new watcher of the same kind for the current world and schedule."""
        ...


def _raise(system: BoundSystem, failure: SystemFailed) -> Policy:
    return "raise"


class Schedule:
    """All systems of a game in the order in which they run.

    systems: in order of declaration, which decides ties. plugins: all loaded plugins, see `order_systems`. on_error:
    returns the policy for a failure; None: failures are raised. profiler: receives the times; None: a new one is
    created. watcher: may be set and unset between frames. Raises ScheduleError, see `order_systems`.
    """

    def __init__(
        self,
        systems: Sequence[BoundSystem],
        *,
        plugins: Collection[str] = (),
        on_error: OnError | None = None,
        profiler: Profiler | None = None,
    ) -> None:
        self.on_error: OnError = on_error or _raise
        self.watcher: Watcher | None = None
        self.profiler = profiler or Profiler()
        self._disabled: set[str] = set()
        self._around: Callable[[str, str, Callable[..., Any]], Callable[..., Any]] | None = None
        self._world: World | None = None
        self._structure: Structure
        self._entries: list[tuple[_Entry, ...]] = [()] * len(Stage)
        self.replace(systems, plugins=plugins)

    def replace(self, systems: Sequence[BoundSystem], *, plugins: Collection[str] = ()) -> None:
        """Use these systems from now on; call it only between two ticks.

        Systems are identified by name: a disabled system stays disabled if its name stays. Raises ScheduleError as the
        constructor does, and then changes nothing.
        """
        self.stages = order_systems(systems, plugins)
        self.systems = tuple(bound for stage in Stage for bound in self.stages[stage])
        self.profiler.name_slots([(bound.name, bound.spec.stage) for bound in self.systems])
        self._bound = {bound.name: bound for bound in self.systems}
        self._disabled &= self._bound.keys()
        self._slots = {bound.name: slot for slot, bound in enumerate(self.systems)}
        if self._world is not None:
            self._bind(self._world)

    def wrap_calls(self, around: Callable[[str, str, Callable[..., Any]], Callable[..., Any]] | None) -> None:
        """Call systems through other functions (see `App.wrap_calls`), also the systems of a later `replace`."""
        self._around = around
        if self._world is not None:
            self._bind(self._world)

    def check_layers(self, layers: Collection[str]) -> None:
        """Raise ScheduleError, with the nearest name, if a system names a layer that is not declared."""
        for bound in self.systems:
            if bound.spec.layer is not None and bound.spec.layer not in layers:
                what = f"system '{bound.name}' belongs to layer {bound.spec.layer!r}, which is not declared"
                raise ScheduleError(what, where=bound.place, given=bound.spec.layer, choices=layers)

    def run(self, stage: Stage, world: World, dt: float, *, derive: bool = False, paused: bool = False) -> None:
        """Run the systems of a stage, then apply the structure changes that they queued.

        dt: seconds of the tick in tick stages, of the frame in the others. derive: run only systems with `derive`.
        paused: run only systems with `derive` or `always`. Raises SystemFailed if the policy is `raise`.
        """
        if world is not self._world:
            self._bind(world)
        entries = self._entries[stage]
        if derive or paused:
            specs = {entry[0]: self._bound[entry[0]].spec for entry in entries}
            entries = [entry for entry in entries if (spec := specs[entry[0]]).derive or (paused and spec.always)]
        if self.watcher is not None:
            self._run_watched(self.watcher, stage, entries, world, dt)
            return
        if entries:
            times, clock = self.profiler.times, perf_counter
            world.stage = stage
            start = clock()
            try:
                for name, fn, slot, condition, marks in entries:
                    world.running = name
                    try:
                        if condition is None or condition(world):
                            fn(world, dt)
                            if marks is not None:
                                for mark in marks:
                                    mark()
                    except KeyboardInterrupt:
                        raise
                    except BaseException as error:
                        self._failed(name, error)
                    end = clock()
                    times[slot] += end - start
                    start = end
            finally:
                world.stage, world.running = None, ""
        if self._structure.queue:
            self._flush(stage, world)

    def tick(self, world: World, dt: float) -> None:
        """Run the stages of one tick, INPUT to UPDATE; dt in seconds."""
        if self.watcher is None:
            self._run_stages(world, dt)
        else:
            self.watcher.tick(lambda: self._run_stages(world, dt))

    def disable(self, name: str) -> None:
        """Disable a system from its next run on. Raises UnknownName."""
        self._disabled.add(self._find(name).name)
        self._refreeze(name)

    def enable(self, name: str) -> None:
        """Enable a system that was disabled. Raises UnknownName."""
        self._disabled.discard(self._find(name).name)
        self._refreeze(name)

    @property
    def disabled(self) -> tuple[str, ...]:
        """The names of the disabled systems, in the order of running."""
        return tuple(bound.name for bound in self.systems if bound.name in self._disabled)

    def describe(self) -> str:
        """Return the order of all systems as text, one line each with its conditions and whether it is disabled."""
        lines: list[str] = []
        for bound in self.systems:
            notes = [condition_text(condition) for condition in self._conditions(bound)]
            notes += ["disabled"] if bound.name in self._disabled else []
            lines.append(f"{bound.spec.stage.name:8} {bound.name}" + (f"  [{', '.join(notes)}]" if notes else ""))
        return "\n".join(lines)

    def _run_stages(self, world: World, dt: float) -> None:
        if world is not self._world:
            self._bind(world)
        layers = world.resources.get(Layers)
        for stage in TICK_STAGES:
            if self._entries[stage] or self._structure.queue or self.watcher is not None:
                paused = layers is not None and stage is not Stage.INPUT and layers.all_paused
                self.run(stage, world, dt, paused=paused)

    def _run_watched(self, watcher: Watcher, stage: Stage, entries: Sequence[_Entry], world: World, dt: float) -> None:
        """Run a stage and call the watcher around each system; separate from `run`, so that `run` stays fast."""
        watcher.enter_stage(stage)
        world.stage = stage
        try:
            for entry in entries:
                self._call_watched(watcher, entry, world, dt)
        finally:
            world.stage, world.running = None, ""
        if self._structure.queue:
            self._flush(stage, world)
        watcher.leave_stage(stage)

    def _call_watched(self, watcher: Watcher, entry: _Entry, world: World, dt: float) -> None:
        name, fn, slot, condition, marks = entry
        bound = self._bound[name]
        world.running = name
        failure: BaseException | None = None
        watcher.before(bound)
        start = perf_counter()
        try:
            if condition is None or condition(world):
                fn(world, dt)
                for mark in marks or ():
                    mark()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            failure = error
        self.profiler.times[slot] += perf_counter() - start
        if failure is not None:
            self._failed(name, failure)
        watcher.after(bound)

    def _flush(self, stage: Stage, world: World) -> None:
        """Apply the queued structure changes.

        An error is handled like that of a system and names the systems that may have queued the change; no system is
        disabled.
        """
        start = perf_counter()
        try:
            world.flush()
        except Exception as error:
            names = [bound.name for bound in self.stages[stage] if bound.name not in self._disabled]
            spec = SystemSpec(lambda world, dt: world.flush(), stage, "structure_changes")
            failure = SystemFailed(BoundSystem.of("core", spec), error, f" (queued by {' or '.join(names)})")
            self._settle(failure, error)
        self.profiler.times[len(self.systems) + stage] += perf_counter() - start

    def _failed(self, name: str, error: BaseException) -> None:
        if self._settle(SystemFailed(self._bound[name], error), error) == "disable":
            self.disable(name)

    def _settle(self, failure: SystemFailed, error: BaseException) -> Policy:
        """Call `on_error`; raise the failure, or log it and return the policy."""
        policy = self.on_error(failure.system, failure)
        if policy == "raise":
            raise failure from error
        _log.warning("%s (%s)", failure, "disabled" if policy == "disable" else "skipped once")
        return policy

    def _find(self, name: str) -> BoundSystem:
        bound = self._bound.get(name)
        if bound is None:
            raise UnknownName(f"no system is called {name!r}", given=name, choices=self._bound)
        return bound

    def _bind(self, world: World) -> None:
        """Build the entries of all stages for a world; their `mark` functions belong to the tables of this world."""
        self._world = world
        self._structure = world._structure  # pyright: ignore[reportPrivateUsage]
        self._entries = [self._freeze(stage, world) for stage in Stage]

    def _refreeze(self, name: str) -> None:
        if self._world is not None:
            stage = self._bound[name].spec.stage
            self._entries[stage] = self._freeze(stage, self._world)

    def _freeze(self, stage: Stage, world: World) -> tuple[_Entry, ...]:
        entries: list[_Entry] = []
        for bound in self.stages[stage]:
            if bound.name not in self._disabled:
                writes = () if bound.spec.looks or bound.spec.marks else bound.spec.writes
                written = (world.tables.get(cls, world.columns.get(cls)) for cls in map(current, writes))
                marks = tuple(table.mark for table in written if table is not None)
                condition = bare_test(self._conditions(bound))
                slot = self._slots[bound.name]
                fn = bound.spec.fn
                call = fn if self._around is None else self._around(bound.plugin, bound.name, fn)
                entries.append((bound.name, call, slot, condition, marks or None))
        return tuple(entries)

    def _conditions(self, bound: BoundSystem) -> tuple[Condition, ...]:
        """Return the condition of the system's layer, if it has one, and those of `run_if`."""
        if bound.spec.layer is None:
            return bound.spec.run_if
        return (on_layer(bound.spec.layer, pauses=bound.spec.stage in TICK_STAGES), *bound.spec.run_if)
