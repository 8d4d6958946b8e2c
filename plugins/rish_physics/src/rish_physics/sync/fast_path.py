"""Runs a complete step in one kernel call, for worlds that have only bodies and plain contacts.

Calling a kernel costs as much as solving some contacts, and the Python code between two kernels costs more than that. A
small world would spend most of its step on it. So the stages of the step, from the narrow phase to the columns, are one
kernel here, which gets one argument (`packed`). It calls the same functions in the same order, so the bits are the
same. If something happens that it does not support, it stops and returns the stage that it has reached.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import njit
from rish_jit.simd import LANES

from ..contacts.islands import find_touched
from ..contacts.narrow import TIE
from ..contacts.narrow_kernels import meet_simple
from ..solver.blocks import SIZE
from ..solver.color import COLD, STILL, color
from ..solver.finalize import finalize
from ..solver.overlap import limit_overlap
from ..solver.packed import Packed, floats, ints, longs, truths, words
from ..solver.prepare import bring_together, prepare, remember
from ..solver.soft import CLOSED, numbers_of
from ..solver.solve import solver_of
from ..solver.substeps import substeps
from .kernels import write_bodies

if TYPE_CHECKING:
    from ..components.links import Links
    from ..contacts.state import State

IDLE, MET, SETTLED, WRITTEN, QUIET = range(5)
"""The stage that `run` has reached: IDLE nothing was done; MET the contacts were evaluated; SETTLED poses and boxes
were written; WRITTEN the columns were written too, but other work remains; QUIET no work remains, except that shapes
may have left their fat boxes.
"""

# The indices of the arrays. Those of the tables:
_BODIES = ("flags", "state", "drive", "pose", "extent", "rest", "first_shape", "seen")
_SHAPES = ("flags", "next", "surface", "size", "hull", "tight", "fat")
_CONTACTS = ("pair", "info", "manifold", "ids")
_FLAGS, _STATE, _DRIVE, _POSE, _EXTENT, _REST, _FIRST_SHAPE, _SEEN = range(8)
_SHAPE_FLAGS, _NEXT, _SURFACE, _SIZE, _HULL, _TIGHT, _FAT = range(8, 15)
_PAIR, _INFO, _MANIFOLD, _IDS = range(15, 19)
# The lists of the step, and the columns of components:
_AWAKE, _ACTIVE = 19, 20
_BODY_ROW, _PLACE_ROW, _POSITION, _ROTATION, _VELOCITY, _SPIN, _ASLEEP = range(21, 28)
# PhysicsSettings, and memory:
_NUMBERS, _LIMITS, _CHOICES, _FOUND = range(28, 32)
_WHO, _WHAT, _ROWS, _POINTS, _COUNTS, _PARTS, _USED = range(32, 39)
_LEFT, _GONE, _CHANGED, _HARD, _CHAINED, _SENSED, _CHOSEN = range(39, 46)
_MOVED, _FAST, _LOST, _ORDER, _LANES, _BLOCKS = range(46, 52)
_ARRAYS = 52

# float32 of _LIMITS: arguments of `meet_simple`, `prepare` and `limit_overlap`, and the rest time after which a body
# sleeps
_SPECULATIVE, _RECYCLE, _TIE, _SHARE, _PATIENCE, _SLOP, _RESTED = range(7)
# int64 of _CHOICES: sub-steps, passes and relaxing passes in each, the friction mix, and whether there is continuous
# collision, bodies sleep, kinematic bodies move beside them, and the columns are to be written
_PASSES, _ITERATIONS, _RELAXATIONS, _MIX, _CONTINUOUS, _SLEEPERS, _MOVERS, _WRITES = range(8)
# int64 of _FOUND: five counts of `meet_simple`, the number of lanes needed, and the counts of `finalize`
_N_CHANGED = 1
_NEED, _N_MOVED, _N_FAST, _N_LOST, _N_SLOWED, _ASCENDING = range(5, 11)

_NONE = np.zeros(0, np.int32)


class Course:
    """The argument of `run` in one World: its arrays, packed once.

    The arrays are packed again after a table has grown; their lengths are updated after rows were added or removed.
    """

    def __init__(self, state: State) -> None:
        self.packed = Packed(_ARRAYS)
        self.table = self.packed.table
        self.limits, self.choices = np.zeros(7, np.float32), np.zeros(8, np.int64)
        self.found = np.zeros(11, np.int64)
        self.rooms: tuple[int, ...] = ()
        self.counts: list[int] = [-1] * 3
        self.scaled: Any = None
        self.rows: tuple[Any, Any] | None = None
        self.lanes = 64 * LANES
        packed, solver = self.packed, solver_of(state)
        packed.put(_LIMITS, self.limits, self.choices, self.found)
        packed.put(_WHO, np.zeros(5 * LANES, np.int32), np.zeros(2 * LANES, np.float32), *solver.work)
        packed.put(_COUNTS, solver.counts, solver.parts)
        packed.put(_BODY_ROW, *[_NONE] * 7)
        self.widths = [
            np.array([table.schema.fields[name].type.width for name in names], np.uint64)
            for table, names in ((state.bodies, _BODIES), (state.shapes, _SHAPES), (state.contacts, _CONTACTS))
        ]

    def cut(self, state: State) -> None:
        """Update the packed arrays' lengths and addresses, and the numbers from the settings."""
        bodies, shapes, contacts, packed = state.bodies, state.shapes, state.contacts, self.packed
        rooms = bodies.room, shapes.room, contacts.room, self.lanes
        if rooms != self.rooms:
            self.rooms, self.counts = rooms, [-1] * 3
            self._pack(state)
        tables = ((_FLAGS, bodies), (_SHAPE_FLAGS, shapes), (_PAIR, contacts))
        for k, (first, table) in enumerate(tables):
            if table.used != self.counts[k]:
                self.counts[k] = table.used
                packed.shorten(first, self.widths[k] * np.uint64(table.used))
        packed.put(_AWAKE, state.awake, state.active)
        packed.put(_NUMBERS, numbers_of(state))
        self.choices[_SLEEPERS] = state.asleep > 0
        self.choices[_MOVERS] = state.asleep > 0 and len(state.movers) > 0
        scaled = state.scaled
        if self.scaled is scaled:
            return
        self.scaled = scaled
        self.limits[:6] = (
            scaled.speculative, scaled.recycle, TIE * scaled.slop, 1 if scaled.warm_starting else 0,
            scaled.sleep_time if scaled.sleeping else np.inf, scaled.slop,
        )  # fmt: skip
        self.choices[:_SLEEPERS] = (
            scaled.substeps,
            scaled.iterations,
            scaled.relaxations,
            scaled.friction_mix,
            scaled.continuous,
        )

    def _pack(self, state: State) -> None:
        """Pack the tables, and working memory for as many rows as the tables have room."""
        take, packed = state.scratch.take, self.packed
        bodies, shapes, contacts, lanes = self.rooms
        packed.put(_FLAGS, *(state.bodies.flat(name) for name in _BODIES))
        packed.put(_SHAPE_FLAGS, *(state.shapes.flat(name) for name in _SHAPES))
        packed.put(_PAIR, *(state.contacts.flat(name) for name in _CONTACTS))
        packed.put(_USED, take("plain.used", bodies, np.uint64))
        packed.put(_LEFT, *(take(f"plain.{k}", contacts, np.int32) for k in range(_LEFT, _MOVED)))
        packed.put(_MOVED, take("plain.moved", shapes, np.int32))
        packed.put(_FAST, take("plain.fast", bodies, np.int32), take("plain.lost", bodies, np.int32))
        packed.put(_ORDER, take("plain.order", lanes, np.int32)[:lanes], take("plain.lanes", 2 * lanes, np.int32))
        packed.put(_BLOCKS, take("plain.blocks", lanes // LANES * SIZE))

    def open_columns(self, state: State, links: Links | None) -> None:
        """Pack the columns of components if they may have been replaced. links: None if `run` must not write the
        columns.
        """
        places, table = state.columns[:2]
        self.choices[_WRITES] = links is not None
        rows = None if links is None else (links.body_row, links.place_row)
        before, self.rows = self.rows, rows
        if rows is not None and (before is None or rows[0] is not before[0] or rows[1] is not before[1]):
            self.packed.put(_BODY_ROW, *rows)
            self.packed.put(_POSITION, places.flat("position"), places.flat("rotation"))
            self.packed.put(_VELOCITY, *(table.flat(name) for name in ("velocity", "angular_velocity", "asleep")))

    def met(self) -> tuple[Any, ...]:
        """Return the counts of `meet_simple`, and its lists; see `narrow`."""
        return tuple(self.found[:5].tolist()), tuple(self.packed.arrays[_GONE : _SENSED + 1])


def _course_of(state: State) -> Course | None:
    """Return the argument of `run`; None if there are joints, cold contacts or contacts to evaluate of sleeping bodies,
    or nothing moves.
    """
    if state.joints.used or state.fresh or solver_of(state).cold or not len(state.awake):
        return None
    course: Course = state.course or Course(state)
    state.course = course
    course.cut(state)
    state.arguments["plain"] = course
    return course


def advance(state: State, links: Links | None = None, stage: int = IDLE) -> int:
    """Run as much of the step as one kernel can; return the stage that it has reached. The results are the same as
    those of the separate stages.

    links: to write the columns as well. stage: MET if the contacts were evaluated, and the lists are up to date.
    """
    if state.timings.wanted or len(state.moved):
        return stage
    course = state.arguments.get("plain") or _course_of(state)
    if course is None:
        return stage
    course.open_columns(state, links)
    reached = run(course.table, stage)
    if reached == QUIET:
        state.fast = state.quarantined = _NONE
        state.slowed, state.rested = 0, 0.0
        if course.found[_N_MOVED]:
            state.moved = _moved(course)
    else:
        _take(state, course, stage, reached)
    return reached


def _take(state: State, course: Course, stage: int, reached: int) -> None:
    """Copy the results to the lists of the step. stage: that before `run`."""
    need, _, n_fast, n_lost, state.slowed, _ = course.found[_NEED:].tolist()
    if reached == MET:
        if need > course.lanes:
            course.lanes = need + need // 2
            del state.arguments["plain"]
        elif need:  # there are cold contacts; `solve` counts them
            solver_of(state).cold = 1
            del state.arguments["plain"]
        return
    n_changed = int(course.found[_N_CHANGED]) if stage == IDLE else 0
    if n_changed:
        state.changed = np.sort(course.packed.arrays[_CHANGED][:n_changed])
    fast, lost = course.packed.arrays[_FAST : _LOST + 1]
    state.moved = _moved(course)
    state.fast = fast[:n_fast] if n_fast else _NONE
    state.quarantined = lost[:n_lost] if n_lost else _NONE
    state.rested = course.limits[_RESTED]


def _moved(course: Course) -> Any:
    """Return the shapes whose fat boxes are new, ascending."""
    count, ascending = course.found[_N_MOVED], course.found[_ASCENDING]
    moved = course.packed.arrays[_MOVED][:count]
    return moved if ascending else np.sort(moved)


@njit(borrows=True)
def run(table: Any, stage: int) -> int:
    """Run narrow phase, solver, finalization and writing of columns; return the stage that was reached.

    table: the packed arrays of a `Course`. stage: MET to begin with the solver, IDLE to begin with the narrow phase.
    """
    results, choices, limits = longs(table, _FOUND), longs(table, _CHOICES), floats(table, _LIMITS)
    active, awake = ints(table, _ACTIVE), ints(table, _AWAKE)
    pair, info, manifold = ints(table, _PAIR), ints(table, _INFO), floats(table, _MANIFOLD)
    flags, speeds, pose = ints(table, _FLAGS), floats(table, _STATE), floats(table, _POSE)
    extent, size, fat = floats(table, _EXTENT), floats(table, _SIZE), floats(table, _FAT)
    shape_flags, numbers = ints(table, _SHAPE_FLAGS), floats(table, _NUMBERS)
    results[_NEED] = 0
    if stage == IDLE:
        n_gone, n_changed, n_hard, n_chained, n_sensed = meet_simple(
            active, (pair, manifold, ints(table, _IDS), info), pose, (shape_flags, size, fat),
            (limits[_SPECULATIVE], limits[_RECYCLE], limits[_TIE]),
            (ints(table, _WHO), floats(table, _WHAT), ints(table, _LEFT)),
            (ints(table, _GONE), ints(table, _CHANGED), ints(table, _HARD), ints(table, _CHAINED),
             ints(table, _SENSED)),
        )  # fmt: skip
        results[0], results[1], results[2], results[3], results[4] = n_gone, n_changed, n_hard, n_chained, n_sensed
        if n_gone + n_hard + n_chained + n_sensed or (n_changed and choices[_MOVERS] != 0):
            return MET
        if choices[_SLEEPERS] != 0:
            joined = active[:0]
            if find_touched(active, pair, info, joined, joined, flags, speeds, ints(table, _CHOSEN)):
                return MET
    order, parts = ints(table, _ORDER), longs(table, _PARTS)
    need = color(
        active, pair, info, flags, words(table, _USED), ints(table, _CHOSEN), order, longs(table, _COUNTS), parts
    )
    results[_NEED] = need
    if need > len(order) or parts[COLD + 1] > parts[COLD] or parts[STILL + COLD + 1] > parts[STILL + COLD]:
        return MET
    lanes, blocks = ints(table, _LANES), floats(table, _BLOCKS)
    prepare(
        order, parts, pair, info, manifold, flags, speeds, floats(table, _SURFACE), choices[_MIX], limits[_SHARE],
        (ints(table, _ROWS), floats(table, _POINTS)), lanes, blocks,
    )  # fmt: skip
    if numbers[CLOSED] > np.float32(0):
        bring_together(order, need // LANES, pair, pose, speeds, lanes, blocks)
    substeps(
        choices[_PASSES], choices[_ITERATIONS], choices[_RELAXATIONS], awake, flags, floats(table, _DRIVE), parts,
        speeds, blocks, lanes, numbers,
    )  # fmt: skip
    if parts[2 * STILL] > parts[STILL]:
        limit_overlap(parts, speeds, extent, blocks, lanes, limits[_SLOP], floats(table, _POINTS))
    remember(order, need // LANES, info, manifold, blocks)
    n_moved, n_fast, n_lost, n_slowed, longest, ascending = finalize(
        awake, numbers, choices[_CONTINUOUS] != 0,
        (flags, pose, speeds, extent, floats(table, _REST), ints(table, _FIRST_SHAPE)),
        (shape_flags, ints(table, _NEXT), size, floats(table, _HULL), floats(table, _TIGHT), fat),
        (ints(table, _MOVED), ints(table, _FAST), ints(table, _LOST)),
    )  # fmt: skip
    results[_N_MOVED], results[_N_FAST], results[_N_LOST], results[_N_SLOWED] = n_moved, n_fast, n_lost, n_slowed
    results[_ASCENDING], limits[_RESTED] = ascending, longest
    if choices[_WRITES] == 0 or n_fast + n_lost + n_slowed or longest >= limits[_PATIENCE]:
        return SETTLED
    hung = write_bodies(
        (awake, ints(table, _BODY_ROW), ints(table, _PLACE_ROW)),
        (floats(table, _POSITION), floats(table, _ROTATION), floats(table, _VELOCITY), floats(table, _SPIN),
         truths(table, _ASLEEP)),
        (pose, speeds, extent, floats(table, _SEEN), flags),
    )  # fmt: skip
    return WRITTEN if hung or stage == MET or results[_N_CHANGED] else QUIET
