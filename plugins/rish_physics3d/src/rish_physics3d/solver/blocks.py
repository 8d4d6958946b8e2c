"""The memory of the contact solver: one block holds eight contacts, number by number.

Lane l of a block is one contact: number k of it is at `block * SIZE + k + l`, so all offsets here are multiples of
eight. `A` and `B` are the two bodies, the normal points from A to B, and anchors are relative to the centers of mass,
in world axes.
"""

from __future__ import annotations

from rish_jit.simd import LANES

POINTS = 4
"""The greatest number of points of a contact."""

NORMAL = 0
"""The normal, 3 numbers."""
TANGENT = 3 * LANES
"""The first tangent, 3 numbers; the second one is normal x tangent."""
CENTER_A, CENTER_B = 6 * LANES, 9 * LANES
"""The mean of the anchors, where friction acts, 3 numbers each."""
INERTIA_A, INERTIA_B = 12 * LANES, 18 * LANES
"""The inverse inertia of each body in world axes, 6 numbers: xx, yy, zz, xy, xz, yz."""
SLIDE_MASS = 24 * LANES
"""The inverse of the 2 x 2 matrix of friction, 3 numbers: 11, 22, 12."""
TWIST_MASS = 27 * LANES
"""The effective mass of rotation about the normal."""
FRICTION = 28 * LANES
SLIDE = 29 * LANES
"""The friction impulse along both tangents, 2 numbers."""
TWIST = 31 * LANES
"""The angular impulse of friction about the normal."""
FIRST = 32 * LANES
"""The first of `POINTS` points."""

# The numbers of a point, relative to it
ARM_A, ARM_B = 0, 3 * LANES
"""Anchor x normal, 3 numbers each."""
TURN_A, TURN_B = 6 * LANES, 9 * LANES
"""The inverse inertia times the arm: how an impulse of 1 changes the angular velocity. 3 numbers each."""
GAP = 12 * LANES
"""The separation at the beginning of the step; negative if the shapes overlap."""
MASS = 13 * LANES
"""The effective mass along the normal; 0 for a missing point."""
IMPULSE = 14 * LANES
LEVER = 15 * LANES
"""The distance of the point from the center, for the limit of `TWIST`."""
PEAK = 16 * LANES
"""The greatest impulse of the step, for restitution."""
POINT = 17 * LANES
"""The size of a point."""

SIZE = FIRST + POINTS * POINT
"""The size of a block in float32."""
