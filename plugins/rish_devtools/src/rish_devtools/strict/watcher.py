"""Strict mode: checks around every system for rules that are easy to break without an error.

* A system writes only the classes that it declares in `writes`: the checksums of all others are the same before and
  after it, except for events for drawing, whose plugin may be absent. It writes no NaN into a component.
* No system keeps a reference to a column: growth replaces columns, and the engine no longer reads the old ones.
* No state is kept outside the World: each tick is run twice from the same state, and must give the same result.
* Derived values read only what they declare, and a patched value is equal to a computed one.

Each violation raises a StrictError that names the system. The tests of Rish run in strict mode; a game does with
`--strict`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rish_core.loop import BoundSystem, Schedule
from rish_ecs import Columns, Stage, World, kind_of
from rish_ecs.declarations import Column, current, fields_of, resource_spec
from rish_ecs.storage import describe

from .errors import StrictError
from .fingerprint import QUEUED, STATE, VIEW, Cache, Parts, changed, checksum, fingerprint
from .references import find_array

_STRUCTURE = "what it spawns, adds or removes"


@dataclass(eq=False)
class _Outgrown:
    """A column that growth has replaced, with its checksum at that time."""

    kind: str
    field: str
    array: Column
    sum: int


@dataclass(frozen=True)
class _Step:
    """The checksums at the begin or end of a stage, or after a system."""

    who: BoundSystem | Stage
    when: str
    parts: Parts


def _references(outgrown: _Outgrown) -> int:
    return sys.getrefcount(outgrown.array)


class Strict:
    """The watcher of strict mode: `schedule.watcher = Strict(world, schedule)`; `close()` removes it.

    replay: whether each tick is run twice (side effects of systems outside the World, such as printing, then happen
    twice). Raises StrictError from within the schedule; the World may then be in the middle of a tick.
    """

    def __init__(self, world: World, schedule: Schedule, *, replay: bool = True) -> None:
        self.world = world
        self.schedule = schedule
        self.replay = replay
        self._parts: Parts = {}
        self._queued = False
        self._cache: Cache = {}
        self._trail: list[_Step] | None = None
        self._outgrown: list[_Outgrown] = []
        self._search_needed = False
        world.check_derived()
        self._min_references = _references(_Outgrown("", "", world.entities.signature[:0].copy(), 0))
        self._tables = (*world.tables.values(), *world.columns.values())
        for table in self._tables:
            table.on_grow.append(self._grown)

    def close(self) -> None:
        """Stop watching."""
        if self.schedule.watcher is self:
            self.schedule.watcher = None
        for table in self._tables:
            if self._grown in table.on_grow:
                table.on_grow.remove(self._grown)

    def renewed(self) -> Strict:
        """Return a new watcher for the same world and schedule, whose tables and systems may have changed."""
        return Strict(self.world, self.schedule, replay=self.replay)

    # Methods that the schedule calls

    def enter_stage(self, stage: Stage) -> None:
        """Take a new fingerprint, since anything may have changed before the first stage of a tick, or of a frame."""
        if self._trail:
            return  # in a tick nothing runs between two stages
        self._look()
        self._check_kept()
        self._note(stage, "begins")

    def before(self, system: BoundSystem) -> None:
        """Do nothing: the state after the last system is the state before this one."""

    def after(self, system: BoundSystem) -> None:
        """Raise StrictError if the system wrote a class that it did not declare, NaN, or a replaced column."""
        before = self._parts
        self._look()
        parts = changed(before, self._parts)
        self._check_writes(system, parts)
        self._check_numbers(system, parts)
        self._check_written(system)
        self._check_kept()
        self._note(system, "runs")

    def leave_stage(self, stage: Stage) -> None:
        """Record the state after the structure changes; raise StrictError if a replaced column is still kept."""
        self._check_kept()
        if self._trail is not None:
            if self._queued:
                self._look()
            self._note(stage, "ends")

    def tick(self, run: Callable[[], None]) -> None:
        """Run a tick twice from the same state and compare the results, system by system."""
        if not self.replay:
            run()
            return
        start = self.world.snapshot(transient=True)
        border = self.world._border  # pyright: ignore[reportPrivateUsage]
        border_length = len(border)
        disabled = self.schedule.disabled
        first = self._run_noting(run)
        if self.schedule.disabled != disabled:
            return  # without the system that failed, a second run would be another tick
        end = self.world.hashes()
        self.world.restore(start)
        del border[border_length:]  # the second run adds the calls that the first one deferred to the border again
        second = self._run_noting(run)
        self._compare(first, second)
        self._compare_ends(end, self.world.hashes())

    def _look(self) -> None:
        """Take a fingerprint, and whether structure changes are queued, which are applied at the end of the stage."""
        self._parts = fingerprint(self.world, self._cache)
        self._queued = self.world.pending

    # Undeclared writes

    def _check_writes(self, system: BoundSystem, parts: list[tuple[type, str]]) -> None:
        writes = {current(cls) for cls in system.spec.writes}
        writes |= {cls for cls in self.world.queues if kind_of(cls).view}
        undeclared = [cls for cls, what in parts if what != QUEUED and World not in writes and cls not in writes]
        if undeclared:
            names = " and ".join(dict.fromkeys(cls.__name__ for cls in undeclared))
            all_writes = [cls.__name__ for cls in (*system.spec.writes, *dict.fromkeys(undeclared))]
            declared, comma = ", ".join(all_writes), "," if len(all_writes) == 1 else ""
            raise StrictError(
                f"system '{system.name}' wrote {names}, which it does not declare",
                rule="writes",
                system=system.name,
                where=system.place,
                hint=f"Declare it: @system(Stage.{system.spec.stage.name}, writes=({declared}{comma}))",
            )
        hashed = [cls for cls, what in parts if what == STATE] if system.spec.looks else []
        if hashed:
            names = " and ".join(dict.fromkeys(cls.__name__ for cls in hashed))
            raise StrictError(
                f"system '{system.name}' of stage {system.spec.stage.name} wrote hashed state of {names}; "
                "in this stage only view fields may be written",
                rule="writes",
                system=system.name,
                where=system.place,
                hint="Move it to a tick stage such as Stage.UPDATE, or mark the fields view=True",
            )

    def _check_numbers(self, system: BoundSystem, parts: list[tuple[type, str]]) -> None:
        """Raise StrictError for a NaN in a component that the system wrote; fields whose default is NaN are skipped."""
        for cls in dict.fromkeys(cls for cls, _ in parts):
            table = self.world.tables.get(cls)
            for name, spec in table.schema.fields.items() if table is not None else ():
                if table is None or spec.type.pooled or spec.type.dtype.kind != "f" or np.isnan(spec.default).any():
                    continue
                rows = np.flatnonzero(np.isnan(table.flat(name)))
                if len(rows):
                    row = int(rows[0]) // spec.type.width
                    raise StrictError(
                        f"system '{system.name}' wrote NaN into {cls.__name__}.{name} of entity "
                        f"{describe(int(table.entities[row]))}",
                        rule="numbers",
                        system=system.name,
                        where=system.place,
                        hint="Look for a division by zero or the root of a negative number",
                    )

    # Replaced columns

    def _grown(self, table: Columns, old: dict[str, Column]) -> None:
        kind = table.schema.name
        self._outgrown += [_Outgrown(kind, name, array, checksum(array)) for name, array in old.items()]
        self._search_needed = True

    def _check_written(self, system: BoundSystem) -> None:
        for old in self._outgrown:
            if checksum(old.array) != old.sum:
                raise self._kept(system.name, old, "wrote into", system)

    def _check_kept(self) -> None:
        """Drop the replaced columns without other references; raise StrictError if a system or resource keeps one.

        The search through all systems and resources is repeated only after further growth.
        """
        if not self._outgrown:
            return
        self._outgrown = [old for old in self._outgrown if _references(old) > self._min_references]
        if not self._search_needed:
            return
        self._search_needed = False
        arrays = [old.array for old in self._outgrown]
        for system in self.schedule.systems if arrays else ():
            reference = find_array(system.spec.fn, arrays, self)
            if reference is not None:
                raise self._kept(system.name, self._outgrown[reference[0]], "keeps", system, reference[1])
        for cls, instance in self.world.resources.items() if arrays else ():
            reference = find_array(fields_of(instance), arrays, self) if resource_spec(cls) is not None else None
            if reference is not None:
                raise self._kept(cls.__name__, self._outgrown[reference[0]], "keeps", None, reference[1])

    def _kept(self, culprit: str, old: _Outgrown, does: str, system: BoundSystem | None, path: str = "") -> StrictError:
        return StrictError(
            f"{'system' if system else 'resource'} '{culprit}' {does} a column of {old.kind}.{old.field} "
            f"that growth has replaced{f', in {path}' if path else ''}",
            rule="kept",
            system=system.name if system else None,
            where=system.place if system else None,
            hint=f"Fetch world[{old.kind}].{old.field} each time it is needed",
        )

    # Hidden state

    def _note(self, who: BoundSystem | Stage, when: str) -> None:
        if self._trail is not None:
            self._trail.append(_Step(who, when, self._parts))

    def _run_noting(self, run: Callable[[], None]) -> list[_Step]:
        trail: list[_Step] = []
        self._trail = trail
        try:
            run()
        finally:
            self._trail = None
        return trail

    def _compare(self, first: list[_Step], second: list[_Step]) -> None:
        for first_step, second_step in zip(first, second, strict=False):
            if first_step.who is not second_step.who:
                return  # a system was disabled meanwhile: the two runs can't be compared any further
            parts = [(cls, what) for cls, what in changed(first_step.parts, second_step.parts) if what != VIEW]
            if parts:
                names = ["what it spawns, adds or removes" if what == QUEUED else cls.__name__ for cls, what in parts]
                raise self._hidden(first_step, " and ".join(dict.fromkeys(names)))

    def _hidden(self, step: _Step, what: str) -> StrictError:
        if isinstance(step.who, Stage):
            return StrictError(
                f"a tick that runs twice from the same state has different {what} when stage "
                f"{step.who.name} {step.when}",
                hint="State is missing from the snapshot, or a structure change holds hidden state",
            )
        return StrictError(
            f"system '{step.who.name}' gives different results for {what} when it runs twice "
            "from the same state, so it hides state outside the world",
            system=step.who.name,
            where=step.who.place,
            hint="Keep what it remembers in a component or a @resource; take chance from world.random(...)",
        )

    def _compare_ends(self, first: dict[str, str], second: dict[str, str]) -> None:
        parts = [name for name in dict.fromkeys((*first, *second)) if first.get(name) != second.get(name)]
        if parts:
            raise StrictError(
                f"a tick that runs twice from the same state ends with different {', '.join(parts[:6])}",
                hint="Something outside the systems hides state, or the state is not all in the snapshot",
            )
