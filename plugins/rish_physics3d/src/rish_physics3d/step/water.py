"""Buoyancy and drag of bodies in water."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_jit import Array
from rish_space3d import quaternions

from ..bodies.hull_triangles import HullTriangles
from ..bodies.layout import Layout
from ..contacts.shapes import BOX, CAPSULE, HULL, SPHERE
from ..geometry.immersion import ball_below, capsule_faces, faces_below

if TYPE_CHECKING:
    from rish_core import World

    from .areas import Area, Pushed

dot, turned = quaternions.dot, quaternions.turned


def lift(world: World, layout: Layout, area: Area, bodies: Pushed, rules: tuple[Array, float], total: Array) -> None:
    """Add buoyancy and drag of a `WaterArea3D` at the center of what is below its surface.

    rules: gravity (3,), and the length of the step, s. total: float64 (n, 6), the forces and torques on the bodies.
    """
    (gravity, dt), half = rules, area.half()
    owner, volume, center = _submerged(world, layout, area, bodies, half)
    wet = (volume > 0) & (np.abs(center[:, [0, 2]]) <= half[[0, 2]]).all(axis=1) & (center[:, 1] >= -half[1])
    if not wet.any():
        return
    n, owner, displaced = len(total), owner[wet], volume[wet] * area.number("density")
    inverse, mass = bodies.inverse_masses, layout.mass[bodies.numbers].astype(np.float64)
    arm = area.position + turned(area.rotation, center[wet]) - bodies.centers[owner]
    speed = bodies.velocities[owner] + np.cross(bodies.spins[owner], arm)
    # Drag is implicit in the sum over all shapes, so that it never reverses the velocity of a light body.
    easiest = mass[:, 4:7].max(axis=1)
    rate = displaced * area.number("drag") * (inverse[owner] + dot(arm, arm) * easiest[owner])
    drag = displaced * area.number("drag") / (1 + dt * np.bincount(owner, rate, n)[owner])
    # Archimedes: the buoyancy is the weight of the displaced liquid.
    force = drag[:, None] * (area.vector("flow") - speed) - displaced[:, None] * gravity
    np.add.at(total, owner, np.concatenate([force, np.cross(arm, force)], axis=1))
    # Angular drag on the share of the body's mass that is under water: T = -share I w.
    share = area.number("angular_drag") * np.minimum(np.bincount(owner, displaced * inverse[owner], n), 1)
    momentum = turned(quaternions.inverse(bodies.axes), bodies.spins) * mass[:, :3]
    total[:, 3:] -= turned(bodies.axes, momentum) * (share / (1 + dt * share))[:, None]


def _submerged(
    world: World, layout: Layout, area: Area, bodies: Pushed, half: Array
) -> tuple[Array, Array, Array]:  # fmt: skip
    """Return, for the shapes near the water, the index of the body, the volume below the surface, and the center of
    that along the axes of the area.
    """
    middle, far = area.local(bodies.centers), layout.extents[bodies.numbers].astype(np.float64)
    near = (np.abs(middle) <= half + far[:, None]).all(axis=1)
    index = np.full(len(layout.entities), -1)
    index[bodies.numbers[near]] = np.flatnonzero(near)
    shapes = np.flatnonzero((index[layout.form[:, 1]] >= 0) & ~layout.sensors & (layout.form[:, 0] <= HULL))
    owner, place = index[layout.form[shapes, 1]], layout.place[shapes].astype(np.float64)
    back = quaternions.inverse(area.rotation)
    middle = middle[owner] + turned(back, turned(bodies.axes[owner], place[:, :3]))
    middle[:, 1] -= half[1]  # about the surface
    turns = quaternions.product(back, quaternions.product(bodies.axes[owner], place[:, 4:]))
    volume, center = _parts_below(world, layout, shapes, middle, turns)
    center[:, 1] += half[1]
    return owner, volume, center


def _parts_below(world: World, layout: Layout, shapes: Array, middle: Array, turns: Array) -> tuple[Array, Array]:
    """Return volume (n,) and center (n, 3) of the parts of shapes below y = 0. middle, turns: of the shapes."""
    kinds, sizes = layout.form[shapes, 0], layout.size[shapes].astype(np.float64)
    volume, center = np.zeros(len(shapes)), middle.copy()
    balls, rounds = np.flatnonzero(kinds == SPHERE), np.flatnonzero(kinds == CAPSULE)
    volume[balls], center[balls, 1] = ball_below(sizes[balls, 0], middle[balls, 1])
    solids = np.flatnonzero((kinds == BOX) | (kinds == HULL))
    corners, owner = world[HullTriangles].of(layout.form[solids, 2])
    if len(rounds):
        faces = capsule_faces(sizes[rounds, 0], sizes[rounds, 1])
        corners = np.concatenate([corners, faces.reshape(-1, 3, 3)])
        owner = np.concatenate([owner, len(solids) + np.repeat(np.arange(len(rounds)), faces.shape[1])])
        solids = np.concatenate([solids, rounds])
    if len(solids):
        corners = turned(turns[solids[owner]][:, None], corners)
        corners[..., 1] += middle[solids[owner], 1][:, None]
        volume[solids], below = faces_below(corners, owner, len(solids))
        center[solids] = below + middle[solids] * [1, 0, 1]
    return volume, center
