"""The systems of tweens: starting those of components, and moving all of them in one pass.

The time of a tween is a whole number of ticks, so it does not drift, and its last tick is exact. All tweens are eased
together by easing, and written together by field.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, World, system
from rish_ecs import RishError, maths, resource

from ..clips.library import ClipLibrary, missing
from ..clips.model import PlayMode
from ..easings import easing
from ..fields import Field, world_field
from ..values import read, slerp, write
from .components import Tween, TweenFinished, Tweens
from .tweens import tween

if TYPE_CHECKING:
    from rish_core import Columns

Array = npt.NDArray[Any]
_ONCE, _PING_PONG = (list(PlayMode).index(mode) for mode in (PlayMode.ONCE, PlayMode.PING_PONG))


@resource(derived=True)
class TweenFields:
    """The fields of running tweens by the numbers of their texts."""

    known: dict[int, Field] = dataclass_field(default_factory=dict[int, Field])

    def rebuild(self, world: World) -> None:
        """Forget the fields, because numbers of texts or classes may have changed."""
        self.known.clear()

    def get(self, world: World, number: int) -> Field:
        """Return the field of a text."""
        found = self.known.get(number)
        if found is None or world.tables.get(found.cls) is None:
            found = self.known[number] = world_field(world, world.text(number))
        return found


def _any_tween(world: World) -> bool:
    return len(world[Tweens]) > 0 or len(world.table(Tween)) > 0


@system(Stage.PRE, writes=World, after="scripts.*", run_if=_any_tween)
def start_tweens(world: World, dt: float) -> None:
    """Start the tweens of the components that were added."""
    table = world.table(Tween)
    for entity in world.added(Tween).tolist():
        row = table.row_of(entity)
        given = {name: table.read_row(name, row) for name in ("field", "easing", "mode", "loops", "then")}
        to, times = table.read_row("to", row), {name: table.read_row(name, row) for name in ("seconds", "delay")}
        try:
            tween(world, entity, given.pop("field"), to[0] if len(to) == 1 else to, **times, **given)
        except RishError as error:
            world[ClipLibrary].say(f"Tween: {error}")


@system(Stage.PRE, writes=World, after=("start_tweens", "advance_animators"), run_if=_any_tween)
def advance_tweens(world: World, dt: float) -> None:
    """Move the fields of all tweens, and remove the tweens that have ended."""
    tweens = world[Tweens]
    if not len(tweens):
        return
    tweens.ticks[:] += 1
    tweens.mark()
    if not tweens.running.all():
        _begin(world, tweens)
    gone = ~world.alive(tweens.entity)
    share, over = _shares(world, tweens, dt)
    live = tweens.running & ~gone
    for number in _numbers_in(tweens.field, live):
        field = world[TweenFields].get(world, number)
        mine = np.flatnonzero(live & (tweens.field == number))
        rows = _rows(world, field, tweens.entity[mine])
        if rows is None:
            rows = world.table(field.cls).rows_of(tweens.entity[mine])
            gone[mine[rows < 0]] = True
            mine, rows = mine[rows >= 0], rows[rows >= 0]
        begin, end = (column[mine, : field.width].astype(np.float64) for column in (tweens.begin, tweens.end))
        u = share[mine]
        values = slerp(begin, end, u) if field.quat else begin + (end - begin) * u[:, None]
        write(world, field, rows, values)
    done = over & ~gone
    if done.any():
        columns = {name: tweens.column(name)[done].copy() for name in ("entity", "field", "then")}
        world.emit(TweenFinished, **columns)
    if (done | gone).any():
        tweens.keep_rows(~(done | gone))


def _rows(world: World, field: Field, entities: Array) -> Array | None:
    """Return the rows of entities in the table of a field; None if some lack the component, which is logged once."""
    rows = world.table(field.cls).rows_of(entities)
    if len(rows) and rows.min() < 0:
        missing(world[ClipLibrary], world, int(entities[rows < 0][0]), field, "")
        return None
    return rows


def _numbers_in(texts: Array, chosen: Array) -> list[int]:
    """Return the distinct numbers of texts among the chosen rows, ascending."""
    return np.flatnonzero(np.bincount(texts[chosen])).tolist() if len(texts) else []


def _shares(world: World, tweens: Columns, dt: float) -> tuple[Array, Array]:
    """Return the share of the change of each tween (float64 n), and whether it has ended (bool n)."""
    length = np.maximum(np.rint(tweens.seconds.astype(np.float64) / dt), 1.0)
    passed = np.maximum(tweens.ticks - tweens.delay, 0).astype(np.float64)
    bounces = tweens.mode == _PING_PONG
    once = tweens.mode == _ONCE
    rounds = np.where(once, 1, tweens.loops)
    period = np.where(bounces, 2 * length, length)
    over = tweens.running & (rounds > 0) & (passed >= rounds * period)
    u = np.minimum(passed, length)
    turns = ~once
    if turns.any():
        folded = passed - np.floor(passed / period) * period
        u = np.where(turns, np.where(folded > length, period - folded, folded), u)
        u = np.where(over, np.where(bounces, 0.0, length), u)
    u /= length
    share = np.empty_like(u)
    for number in _numbers_in(tweens.easing, np.ones(len(u), np.bool_)):
        mine = tweens.easing == number
        share[mine] = easing(world.text(number))(u[mine])
    return share, over


def _begin(world: World, tweens: Columns) -> None:
    """Read the present values for the tweens whose delay is over, and end earlier tweens of the same fields."""
    due = ~tweens.running & (tweens.ticks > tweens.delay)
    if not due.any():
        return
    for number in _numbers_in(tweens.field, due):
        field = world[TweenFields].get(world, number)
        mine = np.flatnonzero(due & (tweens.field == number))
        rows = world.table(field.cls).rows_of(tweens.entity[mine])
        mine, rows = mine[rows >= 0], rows[rows >= 0]
        now, width = read(world, field, rows), field.width
        end = tweens.end[mine, :width].astype(np.float64)
        relative = tweens.relative[mine]
        way = np.where(relative[:, None], end, end - now)
        if field.angle:
            way = np.where(relative[:, None], end, maths.wrap_angle(end - now))
        tweens.begin[mine, :width] = now
        if not field.quat:
            tweens.end[mine, :width] = now + way
    tweens.running[due] = True
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
    if not keep.all():
        tweens.keep_rows(keep)
