"""The lists of a step agree with the flags in the tables."""

from __future__ import annotations

import numpy as np
from physics_rig import Rig, Scene, empty_world, t

from rish_physics.contacts.state import State

ON = t.USED | t.ENABLED


def test_the_lists_follow_the_flags() -> None:
    """Static, sleeping, disabled and quarantined bodies are not awake; a contact with an awake body is active."""
    world = empty_world()
    flags = [
        t.DYNAMIC | t.AWAKE | ON,
        t.DYNAMIC | ON,
        t.STATIC | t.AWAKE | ON,
        t.KINEMATIC | t.AWAKE | ON,
        t.DYNAMIC | t.AWAKE | t.USED,
        t.DYNAMIC | t.AWAKE | ON | t.QUARANTINED,
    ]
    world[t.Bodies].append(len(flags), flags=np.array(flags, np.int32))
    pair = np.array([[0, 0, 1, 3], [0, 0, 2, 3], [0, 0, 2, 4], [0, 0, 6, 2]], np.int32)
    world[t.Contacts].append(len(pair), pair=pair)
    state = State.of(world)
    state.refresh()
    assert state.awake.tolist() == [1, 4]
    assert state.active.tolist() == [0, 2]
    assert state.asleep == 1
    assert State.of(world) is state


def test_flat_columns_are_looked_up_again_when_rows_come() -> None:
    """Flat columns are the same object while the table keeps its size, and are looked up again after it changes."""
    rig = Rig(Scene())
    state, bodies = rig.state, rig.world[t.Bodies]
    kept = state.flats(bodies)
    assert state.flats(bodies) is kept
    bodies.append(500)
    fresh = state.flats(bodies)
    assert len(fresh.pose) == 4 * 501
    fresh.pose[4] = 3
    assert bodies.pose[1, 0] == 3
    bodies.resize(2)
    assert len(state.flats(bodies).pose) == 8


def test_what_is_to_be_looked_for_is_found_again_from_the_flags() -> None:
    """A state that is made after a restore has the same moved shapes."""
    rig = Rig("pyramid20")
    assert len(rig.state.moved) == 211
    rig.step()
    shapes = rig.world[t.Shapes]
    shapes.flags[[5, 3]] |= t.MOVED
    rig.state.scratch.rebuild(rig.world)
    assert rig.state.moved.tolist() == np.flatnonzero(shapes.flags & t.MOVED).tolist()
