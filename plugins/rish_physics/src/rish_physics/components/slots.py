"""Slots: rows of `Bodies`, `Shapes` and `Joints` that keep their index as long as the entity they belong to exists.

A freed slot is filled with zeros, so that equal worlds have equal bytes. It is recorded in the table `Free` and used
again, last in first out. A table grows only if it has no free slot.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

BODY, SHAPE, JOINT = 0, 1, 2
"""The numbers of the tables in `Free.table`."""

_FEW = 4
"""The number of slots up to which a loop is faster than numpy."""

Ints = npt.NDArray[np.int32]


def take_slots(free: Any, table: Any, number: int, count: int) -> Ints:
    """Return `count` slots of a table as int32: free slots first, then new ones. Their rows are zeros.

    free: the `Free` table. table: the table of the slots. number: BODY, SHAPE or JOINT.
    """
    last = free.flat("table")[-count:].tolist()
    if last == [number] * count:  # the slots that were freed last
        slots = free.flat("slot")[: -count - 1 : -1].copy()
        free.resize(free.used - count)
        return slots
    slots: Ints = np.empty(count, np.int32)
    waiting = (free.table == number).nonzero()[0][::-1][:count]
    if len(waiting):
        slots[: len(waiting)] = free.slot[waiting]
        _drop_rows(free, waiting)
    if len(waiting) < count:
        new_rows = table.resize(len(table) + count - len(waiting))
        _clear(table, new_rows)
        slots[len(waiting) :] = np.arange(new_rows.start, new_rows.stop)
    return slots


def give_slots(free: Any, table: Any, number: int, slots: Ints) -> None:
    """Free slots, and set their rows to zero."""
    if len(slots):
        if len(slots) <= _FEW:
            for slot in slots.tolist():
                _clear(table, slice(slot, slot + 1))
        else:
            for name in table.schema.fields:
                table.column(name)[slots] = 0
        rows = free.resize(len(free) + len(slots))
        free.flat("table")[rows], free.flat("slot")[rows] = number, slots


def _clear(table: Any, rows: slice) -> None:
    """Set rows of a table to zero."""
    first, end = rows.start, rows.stop
    for column, width in table.cached(_columns_of):
        column[first * width : end * width] = 0


def _columns_of(table: Any) -> list[tuple[Any, int]]:
    """Return the columns as flat arrays, and the numbers in a row of each."""
    return [(table.flat(name), field.type.width) for name, field in table.schema.fields.items()]


def _drop_rows(free: Any, rows: npt.NDArray[Any]) -> None:
    """Remove descending rows from the table `Free`, keeping the order of the others."""
    first, left = int(rows[-1]), len(free) - len(rows)
    if first < left:
        stay = np.ones(len(free) - first, np.bool_)
        stay[rows - first] = False
        free.move_rows(np.arange(first, left), first + stay.nonzero()[0])
    free.resize(left)
