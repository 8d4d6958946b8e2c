"""The autopilot: climbs the pile with the same keys as a person, when there is no player."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Scenes, Stage, World, system
from rish_physics3d import Character3D
from rish_space3d import Transform3D

from .components import Pilot, Robot

AFTER = 1.5
"""Seconds without input after which it plays."""
WAY = (
    (-7.0, 1.0, 0), (-6.0, 1.0, 1), (-5.0, 0.0, 2), (-4.0, 0.0, 3), (-4.0, -1.0, 4), (-4.0, -2.0, 5), (-3.0, -2.0, 5),
    (-2.0, -2.0, 6), (0.0, -2.0, 6), (0.9, -2.2, 6.44),
)  # fmt: skip
"""Places on the way up: x, z and height, meters."""
NEAR = 0.22
KEYS = (("left", "right"), ("forward", "back"))


@system(Stage.INPUT, writes=World, reads=(Input, Scenes, Character3D, Transform3D))
def autopilot(world: World, dt: float) -> None:
    """Press the keys for the next place of the way."""
    keys = world[Input]
    robots = world.query(Robot).entities
    for entity in world.query(Pilot).entities.tolist():
        pilot = world.get(entity, Pilot)
        if keys.touched:
            if pilot.idle >= AFTER:
                keys.release_all()
            world.set(entity, Pilot(idle=0.0))
            continue
        world.set(entity, Pilot(idle=pilot.idle + dt))
        if pilot.idle < AFTER or not len(robots):
            continue
        robot, place = world.get(int(robots[0]), Character3D), world.get(int(robots[0]), Transform3D).position
        step = _nearest(pilot.step, place)
        world.set(entity, Pilot(step=step))
        _steer(keys, robot, np.asarray(place, np.float64), WAY[step])


def _nearest(step: int, place: np.ndarray[tuple[int], np.dtype[np.float32]]) -> int:
    """Return the step after this one if it is reached, or an earlier one after a fall."""
    x, z, height = WAY[step]
    if abs(place[0] - x) < NEAR and abs(place[2] - z) < NEAR and place[1] > height - 0.1:
        return min(step + 1, len(WAY) - 1)
    while step > 0 and place[1] < WAY[step - 1][2] - 1.2:
        step -= 1
    return step


def _steer(
    keys: Input, robot: Character3D, place: np.ndarray[tuple[int], np.dtype[np.float64]], goal: tuple[float, ...]
) -> None:
    ways = (goal[0] - place[0], goal[1] - place[2])
    for (less, more), way in zip(KEYS, ways, strict=True):
        for key, wanted in ((less, way < -0.08), (more, way > 0.08)):
            if wanted and not keys.down(key):
                keys.press(key)
            elif not wanted and keys.down(key):
                keys.release(key)
    climbs = goal[2] > place[1] + 0.15 and max(map(abs, ways)) < 1.25
    if climbs and robot.grounded and not keys.down("jump"):
        keys.press("jump")
    elif keys.down("jump") and (robot.grounded or robot.velocity[1] < 0):
        keys.release("jump")
