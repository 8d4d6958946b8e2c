"""The forces of characters on dynamic bodies: they push what stops them, and press on what they stand on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_jit import Array

from ...components.bodies import DYNAMIC, Body3D
from ...components.settings import Physics3DSettings
from .planes import dot, length

if TYPE_CHECKING:
    from .walk import Walkers


def press_and_push(walkers: Walkers, dt: float) -> None:
    """Add the forces of characters in this tick to `Body3D.force` and `torque` of the bodies that they touch.

    A push accelerates a body to the velocity with which the character walks against it, with at most its force. It
    acts at the height of the body's center, so that nothing topples.
    """
    table, rows = walkers.table, walkers.rows
    push, mass = table.push[rows].astype(np.float64), table.mass[rows].astype(np.float64)
    if push.any():
        velocity = table.velocity[rows].astype(np.float64)
        for who, shapes, normals, slope in walkers.stopped:
            pushes = (push[who] > 0) & (slope < walkers.minimum[who])
            for k in np.flatnonzero(pushes).tolist():
                _push(walkers, int(who[k]), int(shapes[k]), normals[k], velocity[who[k]], float(push[who[k]]), dt)
    if mass.any():
        gravity = float(length(np.array(walkers.world[Physics3DSettings].gravity, np.float64)))
        shapes = walkers.obstacles.index.shapes_of(walkers.ground)
        for n in np.flatnonzero(walkers.grounded & (mass > 0) & (shapes >= 0)).tolist():
            up = walkers.up[n]
            _load(walkers, n, int(shapes[n]), walkers.normal[n], -mass[n] * gravity * up, np.zeros(3))


def _push(walkers: Walkers, n: int, shape: int, normal: Array, velocity: Array, most: float, dt: float) -> None:
    """Push the body of a shape against its normal."""
    layout = walkers.obstacles.index.layout
    assert layout is not None
    body = int(layout.form[shape, 1])
    inverse = float(layout.mass[body, 7])
    if not inverse:
        return
    bodies: Any = walkers.world.table(Body3D)
    lacks = float(dot(bodies.velocity[layout.rows[body]].astype(np.float64) - velocity, normal))
    if lacks > 0:
        force = min(most, lacks / (inverse * dt))
        _load(walkers, n, shape, normal, -force * normal, walkers.up[n])


def _load(walkers: Walkers, n: int, shape: int, normal: Array, force: Array, level: Array) -> None:
    """Add a force to the body of a shape where the character touches it. level: the direction in which the place of the
    force counts as that of the center; 0 for none.
    """
    index = walkers.obstacles.index
    layout = index.layout
    assert layout is not None
    body = int(layout.form[shape, 1])
    if layout.types[body] != DYNAMIC:
        return
    at = walkers.place[n] + walkers.obstacles.support(np.array([n]), normal[None])[0]
    arm = at - index.body_poses[8 * body : 8 * body + 3]
    arm = arm - level * dot(arm, level)
    bodies: Any = walkers.world.table(Body3D)
    row = int(layout.rows[body])
    bodies.force[row] += force
    bodies.torque[row] += np.cross(arm, force)
    bodies.mark(np.array([row]))
