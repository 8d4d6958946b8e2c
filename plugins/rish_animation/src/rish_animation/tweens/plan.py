"""The running tweens sorted by field, and their easings as tables, so that a tick is a few operations on arrays.

The plan is made again when the table of tweens has changed, and its rows are found again when rows of a component have
moved. All of it is computed from the table, so it is a derived resource.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Inputs, resource
from rish_jit import Array, easing, maths

from ..clips.clip_library import ClipLibrary, log_missing
from ..clips.model import PlayMode
from ..fields import Field
from ..values import slerp
from .components import Tweens

if TYPE_CHECKING:
    from rish_core import Columns
    from rish_ecs import Table, World

_NEVER = 2**62
"""The tick of an end that is never reached."""
_MAX_VALUES = 4_000_000
"""The number of values in the table of easings from which it is emptied."""
_ONCE, _PING_PONG = (list(PlayMode).index(mode) for mode in (PlayMode.ONCE, PlayMode.PING_PONG))


def _none() -> Array:
    return np.zeros(0, np.int64)


@dataclass
class FieldGroup:
    """The n running tweens of a field.

    tween_rows: int64 (n,), their rows in `Tweens`; None for all. entities: int64 (n,). begin, way: float64 (n, width),
    the values at the beginning, and the differences to the end.
    """

    field: Field
    tween_rows: Array | None
    entities: Array
    begin: Array
    way: Array

    def values(self, share: Array) -> Array:
        """Return float64 (n, width): the values at a share of the change. share: float64 (n,)."""
        if self.field.quat:
            return slerp(self.begin, self.begin + self.way, share)
        return self.begin + self.way * share[:, None]

    def missing(self, world: World, rows: Array) -> Array:
        """Return bool (n,): the entities without a row of the component. A living one is reported once."""
        without_row = rows < 0
        reported = self.entities[without_row][world.alive(self.entities[without_row])]
        if len(reported):
            log_missing(world[ClipLibrary], world, int(reported[0]), self.field, "")
        return without_row


@dataclass
class EaseTable:
    """Easings at whole ticks. Tweens of the same easing and length share the values; n ticks need n + 1.

    values: float64 (m,), one table after another. starts: the index of the first value of each table, by the text
    number of the easing and the length in ticks.
    """

    values: Array = dataclass_field(default_factory=lambda: np.zeros(0))
    starts: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])

    def offsets(self, world: World, easings: Array, lengths: Array) -> Array:
        """Return int64 (n,): the index of the value at tick 0 of tweens. easings: text numbers. lengths: ticks."""
        if len(self.values) > _MAX_VALUES:
            self.values, self.starts = self.values[:0], {}
        pairs, place = np.unique(easings.astype(np.int64) << 32 | lengths, return_inverse=True)
        keys = [(pair >> 32, pair & 0xFFFFFFFF) for pair in pairs.tolist()]
        new = [key for key in keys if key not in self.starts]
        for number in dict.fromkeys(number for number, _ in new):
            lengths_of_easing = [length for easing_of, length in new if easing_of == number]
            values = easing(world.text(number))(np.concatenate([np.arange(n + 1) / n for n in lengths_of_easing]))
            positions = len(self.values) + np.cumsum([0, *(n + 1 for n in lengths_of_easing[:-1])])
            self.starts.update(zip([(number, n) for n in lengths_of_easing], positions.tolist(), strict=True))
            self.values = np.concatenate([self.values, values])
        return np.array([self.starts[key] for key in keys], np.int64)[place]


@resource(derived=True)
class TweenPlan:
    """The running tweens by field; see the module. inputs: what it is computed from; `ticks` is left out.

    waits: whether any tween waits for the end of its delay. All others are (n,), int64 unless stated otherwise. delay:
    ticks. length: ticks of one way. period: ticks of a round. ends: ticks until the end. offset: the index of the first
    value in the table of easings. turns: bool, whether a tween begins again, or None if none does. bounces: bool,
    whether it goes back at its end.
    """

    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs((Tweens,)))
    waits: bool = False
    delay: Array = dataclass_field(default_factory=_none)
    length: Array = dataclass_field(default_factory=_none)
    period: Array = dataclass_field(default_factory=_none)
    ends: Array = dataclass_field(default_factory=_none)
    offset: Array = dataclass_field(default_factory=_none)
    turns: Array | None = None
    bounces: Array = dataclass_field(default_factory=_none)
    table: EaseTable = dataclass_field(default_factory=EaseTable)
    groups: list[FieldGroup] = dataclass_field(default_factory=list[FieldGroup])

    def __post_init__(self) -> None:
        """Create an empty cache of rows by table, each a dict by field that the table clears when rows move."""
        self._rows: dict[Table, dict[str, tuple[Array, bool]]] = {}

    def fill(self, world: World, tweens: Columns) -> None:
        """Compute the plan from the table."""
        self.waits = not tweens.running.all()
        self.delay = tweens.delay.copy()
        self.length = np.maximum(np.rint(tweens.seconds.astype(np.float64) / world.dt), 1).astype(np.int64)
        self.bounces = tweens.mode == _PING_PONG
        self.period = np.where(self.bounces, 2 * self.length, self.length)
        rounds = np.where(tweens.mode == _ONCE, 1, tweens.loops)
        self.ends = np.where((rounds > 0) & tweens.running, rounds * self.period, _NEVER)
        self.offset = self.table.offsets(world, tweens.easing, self.length)
        turns = tweens.mode != _ONCE
        self.turns = turns if turns.any() else None
        self.groups = [_group(world, tweens, number) for number in numbers_in(tweens.field[tweens.running])]
        for rows in self._rows.values():
            rows.clear()

    def rows(self, world: World, group: FieldGroup) -> tuple[Array, bool]:
        """Return int32 (n,): the rows of a group's entities in the table of the component, -1 for none; and whether any
        is missing.
        """
        table = world.table(group.field.cls)
        cached = self._rows.get(table)
        if cached is None:
            cached = self._rows[table] = {}
            table.caches.append(cached)
        rows = cached.get(group.field.text)
        if rows is None:
            found = table.rows_of(group.entities)
            rows = cached[group.field.text] = found, bool((found < 0).any())
        return rows

    def shares(self, ticks: Array) -> tuple[Array, Array]:
        """Return float64 (n,), the share of the change of each tween, and bool (n,), whether it has ended.

        ticks: int64 (n,).
        """
        passed = ticks - self.delay
        over = passed >= self.ends
        at = np.minimum(np.maximum(passed, 0), self.length)
        if self.turns is not None:
            inside = passed % self.period
            inside = np.where(inside > self.length, self.period - inside, inside)
            inside[over] = np.where(self.bounces, 0, self.length)[over]
            at = np.where(self.turns, inside, at)
        return self.table.values.take(self.offset + at), over


def numbers_in(texts: Array) -> list[int]:
    """Return the distinct text numbers, ascending."""
    return np.flatnonzero(np.bincount(texts)).tolist() if len(texts) else []


def _group(world: World, tweens: Columns, number: int) -> FieldGroup:
    field = world[ClipLibrary].field(world, world.text(number))
    tween_rows = np.flatnonzero(tweens.running & (tweens.field == number))
    begin, end = (column[tween_rows, : field.width].astype(np.float64) for column in (tweens.begin, tweens.end))
    entities = tweens.entity[tween_rows].copy()
    selected = None if len(tween_rows) == len(tweens) else tween_rows
    return FieldGroup(field, selected, entities, begin, end - begin)


def begin_tweens(world: World, tweens: Columns) -> None:
    """Read the present values for the tweens whose delay is over, and end earlier tweens of the same fields."""
    due = ~tweens.running & (tweens.ticks >= tweens.delay)
    if not due.any():
        return
    for number in numbers_in(tweens.field[due]):
        field = world[ClipLibrary].field(world, world.text(number))
        tween_rows = np.flatnonzero(due & (tweens.field == number))
        rows = world.table(field.cls).rows_of(tweens.entity[tween_rows])
        tween_rows, rows = tween_rows[rows >= 0], rows[rows >= 0]
        present = field.column(world)[rows].reshape(len(rows), field.width).astype(np.float64)
        end = tweens.end[tween_rows, : field.width].astype(np.float64)
        way = maths.wrap_angle(end - present) if field.angle else end - present
        way = np.where(tweens.relative[tween_rows][:, None], end, way)
        tweens.begin[tween_rows, : field.width] = present
        tweens.end[tween_rows, : field.width] = end if field.quat else present + way
    tweens.running[due] = True
    tweens.mark()
    _displace(tweens, due)


def _displace(tweens: Columns, due: Array) -> None:
    """Remove running tweens if a later tween of the same entity and field has begun now."""
    names = tweens.field.astype(np.int64)
    running = np.flatnonzero(tweens.running)
    order = np.lexsort((running, due[running], names[running], tweens.entity[running]))
    sort = running[order]
    same = (tweens.entity[sort][:-1] == tweens.entity[sort][1:]) & (names[sort][:-1] == names[sort][1:])
    keep = np.ones(len(names), np.bool_)
    keep[sort[:-1][same]] = False
    tweens.keep_rows(keep)
