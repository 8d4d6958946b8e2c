"""The scene `rain`: ragdolls are spawned in groups during play; the oldest are removed once all places are taken.

A ragdoll is eleven bodies with a capsule each, polygons for the feet, and ten revolute joints with limits, springs and
friction. Every eighth step a column of twenty-five is spawned above five floors; forty columns are a thousand ragdolls.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

FLOORS, COLUMNS, GROUP, EVERY = 5, 40, 5, 8
TILE, TILES, STOREY, ABOVE = 0.5, 500, 45.0, 40.0
SPRING_HERTZ, SPRING_DAMPING, FRICTION_TORQUE = 5.0, 0.5, 0.05


class Bone(NamedTuple):
    """A capsule around the middle of its body, and the joint to the bone above.

    x, y: of the body, from the feet up. half: half the length of the upright axis. radius: of the capsule. parent:
    index of the bone above, -1 for none. joint_y: height of the joint. lower, upper: its limits in radians.
    """

    x: float
    y: float
    half: float
    radius: float
    parent: int
    joint_y: float
    lower: float
    upper: float


BONES = (
    Bone(0, 0.95, 0.02, 0.095, -1, 0, 0, 0),  # hip
    Bone(0, 1.20, 0.135, 0.09, 0, 1.02, -0.8, 0.0),  # torso
    Bone(0, 1.475, 0.039, 0.075, 1, 1.4, -0.9, 0.3),  # head
    Bone(0, 0.775, 0.125, 0.06, 0, 0.9, -0.2, 1.2),  # left thigh
    Bone(0, 0.475, 0.135, 0.045, 3, 0.625, -1.5, -0.1),  # left shin
    Bone(0, 0.775, 0.125, 0.06, 0, 0.9, -0.2, 1.2),  # right thigh
    Bone(0, 0.475, 0.135, 0.045, 5, 0.625, -1.5, -0.1),  # right shin
    Bone(0, 1.225, 0.1, 0.035, 1, 1.35, -0.3, 2.5),  # left upper arm
    Bone(0, 0.975, 0.1, 0.03, 7, 1.1, -0.6, 0.9),  # left forearm
    Bone(0, 1.225, 0.1, 0.035, 1, 1.35, -0.3, 2.5),  # right upper arm
    Bone(0, 0.975, 0.1, 0.03, 9, 1.1, -0.6, 0.9),  # right forearm
)
SHINS = (4, 6)
FOOT = ((-0.03, -0.185), (0.11, -0.185), (0.11, -0.16), (-0.03, -0.14))
"""The corners of a foot's polygon in the frame of its shin."""
FOOT_RADIUS = 0.015


def floor_tiles() -> np.ndarray:
    """Return float64 (n, 2): the middles of the static squares of all floors."""
    x = (np.arange(TILES + 1) - TILES / 2) * TILE
    return np.array([(at, floor * STOREY) for floor in range(FLOORS) for at in x.tolist()])


def column(number: int) -> np.ndarray:
    """Return float64 (25, 2): the places where the ragdolls of a column are spawned."""
    wide = TILE * TILES / COLUMNS
    x = -TILE * TILES / 2 + wide * (number % COLUMNS + 0.5)
    return np.array([(x + 0.5 * k, ABOVE + STOREY * floor) for floor in range(FLOORS) for k in range(GROUP)])
