"""The running tweens sorted by field, and their easings as tables, so that a tick is a few operations on arrays.

The plan is made again when the table of tweens has changed, and its rows are found again when rows of a component have
moved. All of it is computed from the table, so it is a derived resource.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_ecs import resource
from rish_jit import easing, maths

from ..clips.clip_library import ClipLibrary, missing
from ..clips.model import PlayMode
from ..fields import Field
from ..values import slerp

if TYPE_CHECKING:
    from rish_core import Columns
    from rish_ecs import World

Array = npt.NDArray[Any]
_NEVER = 2**62
_MOST_VALUES = 4_000_000
_ONCE, _PING_PONG = (list(PlayMode).index(mode) for mode in (PlayMode.ONCE, PlayMode.PING_PONG))


def _none() -> Array:
    return np.zeros(0, np.int64)


@dataclass
class FieldGroup:
    """The running tweens of a field. mine: their rows, None for all. rows: those of the component; membership: of its
    table, when they were found. begin, way: the values at the beginning and the differences, float64 (n, width).
    """

    field: Field
    mine: Array | None
    entities: Array
    begin: Array
    way: Array
    rows: Array
    membership: int

    def values(self, share: Array) -> Array:
        """Return the values at shares of the change (n), float64 (n, width)."""
        if self.field.quat:
            return slerp(self.begin, self.begin + self.way, share)
        return self.begin + self.way * share[:, None]

    def missing(self, world: World) -> Array | None:
        """Find the rows again if rows of the component have moved; return the entities (bool n) without one, or None.

        A living entity without the component is reported once.
        """
        table = world.table(self.field.cls)
        if self.membership == table.membership:
            return None
        self.rows, self.membership = table.rows_of(self.entities), table.membership
        gone = self.rows < 0
        if not gone.any():
            return None
        lacking = self.entities[gone][world.alive(self.entities[gone])]
        if len(lacking):
            missing(world[ClipLibrary], world, int(lacking[0]), self.field, "")
        return gone


@dataclass
class EaseTable:
    """Easings at whole ticks: since time is counted in ticks, a tween of n ticks needs only n + 1 values, and tweens of
    the same easing and length share them. values: float64, one table after another; known: the index of the first value
    by easing (number of its text) and length.
    """

    values: Array = dataclass_field(default_factory=lambda: np.zeros(0))
    known: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])

    def offsets(self, world: World, easings: Array, lengths: Array) -> Array:
        """Return the index of the value at tick 0 for tweens with these easings and lengths (ticks), int64 n."""
        if len(self.values) > _MOST_VALUES:
            self.values, self.known = self.values[:0], {}
        pairs, place = np.unique(easings.astype(np.int64) << 32 | lengths, return_inverse=True)
        keys = [(pair >> 32, pair & 0xFFFFFFFF) for pair in pairs.tolist()]
        new = [key for key in keys if key not in self.known]
        for number in dict.fromkeys(number for number, _ in new):
            mine = [length for easing_of, length in new if easing_of == number]
            made = easing(world.text(number))(np.concatenate([np.arange(n + 1) / n for n in mine]))
            starts = len(self.values) + np.cumsum([0, *(n + 1 for n in mine[:-1])])
            self.known.update(zip([(number, n) for n in mine], starts.tolist(), strict=True))
            self.values = np.concatenate([self.values, made])
        return np.array([self.known[key] for key in keys], np.int64)[place]


@resource(derived=True)
class TweenPlan:
    """See the module. version: of the table of tweens for which the plan was made.

    waits: whether a tween waits for the end of its delay. length: ticks of each tween one way, int64 n. period: ticks
    of a round. ends: ticks until the end. offset: index of the first value in the table of easings. turns: whether a
    tween begins again, None if none does. bounces: whether it turns at its end.
    """

    version: int = -1
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

    def rebuild(self, world: World) -> None:
        """Make the plan again after a restore, in which numbers of texts may have changed."""
        self.version, self.table = -1, EaseTable()

    def refresh(self, world: World, tweens: Columns) -> None:
        """Make the plan again if the table has changed."""
        if self.version == tweens.version:
            return
        self.version = tweens.version
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

    def shares(self, ticks: Array) -> tuple[Array, Array]:
        """Return the share of the change of each tween (float64 n) after some ticks, and whether it has ended."""
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
    """Return the distinct numbers of texts, ascending."""
    return np.flatnonzero(np.bincount(texts)).tolist() if len(texts) else []


def _group(world: World, tweens: Columns, number: int) -> FieldGroup:
    field = world[ClipLibrary].field(world, world.text(number))
    mine = np.flatnonzero(tweens.running & (tweens.field == number))
    begin, end = (column[mine, : field.width].astype(np.float64) for column in (tweens.begin, tweens.end))
    entities = tweens.entity[mine].copy()
    every = None if len(mine) == len(tweens) else mine
    return FieldGroup(field, every, entities, begin, end - begin, np.zeros(0, np.int32), -1)


def begin_tweens(world: World, tweens: Columns) -> None:
    """Read the present values for the tweens whose delay is over, and end earlier tweens of the same fields."""
    due = ~tweens.running & (tweens.ticks >= tweens.delay)
    if not due.any():
        return
    for number in numbers_in(tweens.field[due]):
        field = world[ClipLibrary].field(world, world.text(number))
        mine = np.flatnonzero(due & (tweens.field == number))
        rows = world.table(field.cls).rows_of(tweens.entity[mine])
        mine, rows = mine[rows >= 0], rows[rows >= 0]
        now = field.column(world)[rows].reshape(len(rows), field.width).astype(np.float64)
        end = tweens.end[mine, : field.width].astype(np.float64)
        way = maths.wrap_angle(end - now) if field.angle else end - now
        way = np.where(tweens.relative[mine][:, None], end, way)
        tweens.begin[mine, : field.width] = now
        tweens.end[mine, : field.width] = end if field.quat else now + way
    tweens.running[due] = True
    tweens.mark()
    _displace(tweens, due)


def _displace(tweens: Columns, due: Array) -> None:
    """Remove the running tweens before others of the same entity and field that have begun now."""
    names = tweens.field.astype(np.int64)
    running = np.flatnonzero(tweens.running)
    order = np.lexsort((running, due[running], names[running], tweens.entity[running]))
    sort = running[order]
    same = (tweens.entity[sort][:-1] == tweens.entity[sort][1:]) & (names[sort][:-1] == names[sort][1:])
    keep = np.ones(len(names), np.bool_)
    keep[sort[:-1][same]] = False
    tweens.keep_rows(keep)
