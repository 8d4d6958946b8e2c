"""A tick, system by system: which one wrote something else first.

Two machines run the same tick from the same state. After each system the hashes of all parts of the state are noted,
and the first step with another hash names the system and the part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any, cast

import numpy as np

from rish_core import InputRecord, Name, Stage
from rish_ecs.states import SavedState

Step = tuple[str, dict[str, int]]
"""The name of a system, and 32 bits of the hash of each part that changed since the step before; 0: it is gone."""
Rows = dict[str, Any]
"""Values as JSON has them, by entity or by the name in a resource."""
_BEGIN = "before the first system"
_MOST_ROWS = 5000
"""The most values of a part that are compared."""
_MOST_TEXT = 80


class Trail:
    """A watcher of the schedule that notes the steps of a tick.

    stop: the number of the step after which the values of `part` are read into `rows`; -1: none.
    """

    def __init__(self, world: Any, stop: int = -1, part: str = "") -> None:
        self.steps: list[Step] = []
        self.rows: Rows = {}
        self._world, self._stop, self._part = world, stop, part
        self._hashes: dict[str, int] = {}

    def enter_stage(self, stage: Stage) -> None:
        """Note the state before the first system."""
        if not self.steps:
            self._note(_BEGIN)

    def before(self, system: Any) -> None:
        """Do nothing: the state is that after the last system."""

    def after(self, system: Any) -> None:
        """Note what a system changed."""
        self._note(system.name)

    def leave_stage(self, stage: Stage) -> None:
        """Note what the structure changes of a stage changed."""
        self._note(f"what the systems of stage {stage.name} spawn, add and remove")

    def tick(self, run: Callable[[], None]) -> None:
        """Run the stages of a tick."""
        run()

    def close(self) -> None:
        """Do nothing."""

    def renewed(self) -> Trail:
        """Return a trail of the same world."""
        return Trail(self._world, self._stop, self._part)

    def _note(self, name: str) -> None:
        before, self._hashes = self._hashes, hashes_of(self._world)
        changed = {part: value for part, value in self._hashes.items() if before.get(part) != value}
        changed |= dict.fromkeys(before.keys() - self._hashes.keys(), 0)
        self.steps.append((name, changed))
        if len(self.steps) - 1 == self._stop:
            self.rows = rows_of(self._world, self._part)


class Rerun:
    """Ticks that ran again from a state, beside the game. hashes: 64 bits of each state after a tick."""

    def __init__(self, app: Any, begin: int, state: SavedState, records: Sequence[InputRecord]) -> None:
        self.begin, self.state, self.records = begin, state, records
        self.hashes: list[int] = []
        self._app = app
        self._states: list[SavedState] = []
        with self._aside(state) as world:
            for record in records:
                self._states.append(world.save_state())
                app.simulate(record)
                self.hashes.append(int(world.hash()[:16], 16))

    @property
    def end(self) -> int:
        """The tick after the last one."""
        return self.begin + len(self.records)

    def trail(self, tick: int, stop: int = -1, part: str = "") -> Trail:
        """Run a tick once more and return its trail."""
        schedule = self._app.schedule
        trail, watcher = Trail(self._app.world, stop, part), schedule.watcher
        with self._aside(self._states[tick - self.begin]):
            schedule.watcher = trail
            try:
                self._app.simulate(self.records[tick - self.begin])
            finally:
                schedule.watcher = watcher
        return trail

    @contextmanager
    def _aside(self, state: SavedState) -> Iterator[Any]:
        """Load a state for the block, and then the present one again."""
        world = self._app.world
        now = world.save_state()
        try:
            world.load_state(state)
            yield world
        finally:
            world.load_state(now)


def hashes_of(world: Any) -> dict[str, int]:
    """Return 32 bits of the hash of each part of a state."""
    return {name: int(digest[:8], 16) for name, digest in world.hashes().items()}


def first_difference(own: Sequence[Step], other: Sequence[Step]) -> tuple[int, str] | None:
    """Return the number of the first step that differs, and a part that does; "" if other systems ran. None: none."""
    for number, (one, two) in enumerate(zip(own, other, strict=False)):
        if one[0] != two[0]:
            return number, ""
        parts = sorted(part for part in one[1].keys() | two[1].keys() if one[1].get(part) != two[1].get(part))
        if parts:
            return number, parts[0]
    return None if len(own) == len(other) else (min(len(own), len(other)), "")


def rows_of(world: Any, part: str) -> Rows:
    """Return the values of a part by entity, or by the names in a resource; empty if it has too many."""
    kind, _, name = part.rpartition(".")
    names = {int(e): world.table(Name).read_row("value", row) for row, e in enumerate(world.table(Name).entities)}
    for table in world.tables.values():
        if len(table) <= _MOST_ROWS and part == f"{table.schema.key}:entities":
            return {_label(entity, names): True for entity in table.entities.tolist()}
        if len(table) <= _MOST_ROWS and table.schema.key == kind and name in table.schema.fields:
            handles = table.entities.tolist()
            return {_label(entity, names): _plain(table.read_row(name, row)) for row, entity in enumerate(handles)}
    resource = world.resource(part.removesuffix(":resource")) if part.endswith(":resource") else None
    return dict([*_flattened("", resource)][:_MOST_ROWS]) if resource is not None else {}


def difference_of_rows(guest: Rows, host: Rows) -> str:
    """Return a sentence part that names the first value that differs, such as ` of entity 7v0 'ball': 1.0 at ...`."""
    for label in dict.fromkeys((*guest, *host)):
        if guest.get(label) != host.get(label):
            values = [str(rows[label])[:_MOST_TEXT] if label in rows else "nothing" for rows in (guest, host)]
            return f" of {label}: {values[0]} at the guest, {values[1]} at the host"
    return ""


def _label(entity: int, names: dict[int, str]) -> str:
    name = names.get(entity, "")
    return f"entity {entity & 0xFFFFFFFF}v{entity >> 32}" + (f" '{name}'" if name else "")


def _flattened(path: str, value: Any) -> Iterable[tuple[str, Any]]:
    """Yield the values of a dataclass and of dicts in it, with their names joined by dots."""
    if is_dataclass(value):
        items: Iterable[tuple[Any, Any]] = ((field.name, getattr(value, field.name, None)) for field in fields(value))
    elif isinstance(value, dict):
        items = cast("dict[Any, Any]", value).items()
    else:
        yield path, _plain(value)
        return
    for name, inner in items:
        yield from _flattened(f"{path}.{name}" if path else str(name), inner)


def _plain(value: Any) -> Any:
    """Return a value as JSON has it; the text of what JSON has not."""
    if isinstance(value, np.ndarray | np.generic):
        value = cast("Any", value).tolist()
    if isinstance(value, tuple | list):
        return [_plain(item) for item in cast("Sequence[Any]", value)]
    return value if isinstance(value, bool | int | float | str) or value is None else repr(value)[:_MOST_TEXT]
