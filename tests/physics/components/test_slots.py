"""Slots are stable, and reused after they are freed."""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_physics.components.slots import BODY, SHAPE, give_slots, take_slots
from rish_physics.components.tables import Bodies, Free, Shapes


def test_the_last_slot_given_back_is_the_first_to_be_taken():
    """The slot that was freed last is reused first; freed rows are zeros; each table has its own free slots."""
    world = World([Bodies, Shapes, Free])
    bodies, shapes, free = world[Bodies], world[Shapes], world[Free]
    assert take_slots(free, bodies, BODY, 4).tolist() == [0, 1, 2, 3]
    bodies.flags[:] = 7
    give_slots(free, bodies, BODY, np.array([1, 3], np.int32))
    give_slots(free, shapes, SHAPE, take_slots(free, shapes, SHAPE, 1))
    assert bodies.flags.tolist() == [7, 0, 7, 0]
    assert take_slots(free, bodies, BODY, 1).tolist() == [3]
    assert take_slots(free, bodies, BODY, 3).tolist() == [1, 4, 5]
    assert free.table.tolist() == [SHAPE]


def test_many_slots_are_taken_in_the_order_of_single_ones():
    """Several slots taken at once are those that single calls would take, whatever was freed in between."""
    order = [(BODY, 3), (SHAPE, 2), (BODY, 6)]
    taken = list[list[int]]()
    for parts in ([5], [1] * 5):
        world = World([Bodies, Shapes, Free])
        free, tables = world[Free], {BODY: world[Bodies], SHAPE: world[Shapes]}
        for kind, count in order:
            give_slots(free, tables[kind], kind, take_slots(free, tables[kind], kind, count)[::-1])
        taken.append([slot for count in parts for slot in take_slots(free, tables[BODY], BODY, count).tolist()])
        assert [*map(int, free.table)].count(SHAPE) == 2
    assert taken[0] == taken[1]
