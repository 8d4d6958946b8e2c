"""Bodies as arrays from the columns alone, which are those of the solver's own tables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_physics import Body, Collider, read_solids, world_centers, write_poses
from rish_physics.components.tables import Bodies, Shapes


def test_solids_have_the_masses_and_forms_of_the_solver(yard: Callable[..., Any]) -> None:
    """Masses, centers and pieces from the columns equal those in the tables, with parents, scales and compounds."""
    made = yard(layers={"walls": "all"})
    top = made.put(4, 2, rotation=0.4)
    made.box(0, 0, 2, 1, angle=0.3, density=2)
    hammer = made.put(3, 3, Body(fixed_rotation=True), Collider(size=(1, 3)), scale=(2, 2))
    made.world.spawn(Transform(position=(0, 2), parent=hammer), Collider(shape="circle", radius=0.5))
    made.world.spawn(Transform(position=(1, 1), parent=top), Body(mass=3), Collider(shape="capsule", size=(1, 3)))
    made.wall(0, -5, 9, 1, collision_layer="walls")
    made.run()
    solids, bodies, shapes = read_solids(made.world), made.world[Bodies], made.world[Shapes]
    slots = [int(np.flatnonzero(bodies.entity == entity)[0]) for entity in solids.entities]
    assert len(slots) == 4
    assert solids.inverse_masses == pytest.approx(bodies.state[slots, 3].astype(float), rel=1e-5)
    assert solids.inverse_inertias == pytest.approx(bodies.state[slots, 7].astype(float), rel=1e-5)
    assert world_centers(solids) == pytest.approx(bodies.pose[slots, :2].astype(float), abs=1e-4)
    for k, corners in enumerate(solids.corners):
        (slot,) = np.flatnonzero(shapes.entity == solids.colliders[k])
        hull = shapes.hull[slot, : 2 * len(corners)].reshape(-1, 2).astype(float)
        assert corners - solids.centers[solids.bodies[k]] == pytest.approx(hull, abs=1e-4)
        assert shapes.filter[slot].tolist() == solids.filters[k].tolist()


def test_poses_written_in_the_world_are_read_again(yard: Callable[..., Any]) -> None:
    """A pose that is written to a child of a turned parent is the pose of its body."""
    made = yard()
    parent = made.put(4, 2, rotation=0.7)
    made.world.spawn(Transform(position=(1, 1), parent=parent), Body(), Collider(size=(1, 1)))
    solids = read_solids(made.world)
    write_poses(made.world, solids.entities, np.array([[9.0, -3.0, 0.25]]))
    assert read_solids(made.world).poses == pytest.approx(np.array([[9, -3, 0.25]]), abs=1e-5)
