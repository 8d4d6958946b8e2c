"""Walking, jumping and climbing: the robot's box moves along x, z and y in turn, and stops at the first solid."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from rish_core import Input, Stage, World, system
from rish_jit import maths
from rish_scene3d import Animator3D
from rish_space3d import Transform3D, quaternions

from .components import Hanging, Noise, Robot, Solid

SPEED, RUN_UP, GRAVITY, JUMP, FALL = 2.5, 16.0, 17.0, 6.4, 14.0
"""Walking speed, acceleration, gravity, speed of a jump and largest speed of a fall, in m/s and m/s²."""
GRACE = 0.1
"""Seconds after leaving the ground in which a jump is still possible."""
TURN = 9.0
"""Radians a second with which the robot turns."""
STRIDE = 0.72
STEP_UP = 0.12
"""The height in meters of a step that is climbed without a jump."""

Boxes = npt.NDArray[np.float64]


def solids(world: World) -> Boxes:
    """Return float64 (n, 2, 3): the lowest and the highest corner of every solid."""
    query = world.query(Solid, Transform3D)
    at, half = query[Transform3D.position].astype(np.float64), query[Solid.size].astype(np.float64) / 2
    return np.stack([at - half, at + half], axis=1)


@system(Stage.STEP, reads=(Input, Solid), writes=(Robot, Transform3D, Noise))
def walk(world: World, dt: float) -> None:
    """Move every robot by the keys and by gravity."""
    boxes = solids(world)
    for entity in world.query(Robot).entities.tolist():
        robot, place = world.get(entity, Robot), world.get(entity, Transform3D)
        keys = world[Input]
        wanted = np.array([keys.axis("left", "right"), 0.0, keys.axis("forward", "back")])
        if robot.done:
            wanted[:] = 0
        wanted *= SPEED / max(1.0, float(np.sqrt(wanted @ wanted)))
        velocity = np.asarray(robot.velocity, np.float64)
        change = wanted - velocity
        velocity[[0, 2]] += np.clip(change, -RUN_UP * dt, RUN_UP * dt)[[0, 2]]
        late = 0.0 if robot.grounded else robot.late + dt
        if keys.pressed("jump") and late < GRACE and not robot.done:
            velocity[1], late = JUMP, GRACE
            _make_noise(world, "jump", place)
        elif keys.released("jump") and velocity[1] > 0:
            velocity[1] *= 0.5
        velocity[1] = max(-FALL, velocity[1] - GRAVITY * dt)
        before = np.asarray(place.position, np.float64)
        at, velocity, grounded = _move(boxes, before, velocity, dt, np.asarray(robot.size, np.float64))
        landed = 0.0 if grounded and not robot.grounded and robot.late > 0.15 else robot.landed + dt
        if landed == 0.0:
            _make_noise(world, "land", place)
        elif grounded and at[0] // STRIDE != before[0] // STRIDE:
            _make_noise(world, "step", place)
        facing = robot.facing
        if abs(wanted[0]) + abs(wanted[2]) > 0.1:
            aim = float(maths.atan2(wanted[0], wanted[2]))
            left = (aim - facing + maths.TAU / 2) % maths.TAU - maths.TAU / 2
            facing += max(-TURN * dt, min(TURN * dt, left))
        world.set(
            entity,
            Robot(velocity=velocity, grounded=grounded, late=late, landed=landed, facing=facing, height=float(at[1])),
            Transform3D(position=at, rotation=quaternions.from_axis((0, 1, 0), facing)),
        )


def _move(
    boxes: Boxes, at: npt.NDArray[np.float64], velocity: npt.NDArray[np.float64], dt: float, size: Boxes
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], bool]:
    """Return the new place and velocity of a box of this size above its feet, and whether it stands."""
    at, velocity = at.copy(), velocity.copy()
    low, high = np.array([-size[0] / 2, 0, -size[2] / 2]), np.array([size[0] / 2, size[1], size[2] / 2])
    grounded = False
    for axis in (0, 2, 1):
        if velocity[axis] == 0:
            continue
        goal = at.copy()
        goal[axis] += velocity[axis] * dt
        hit = ((boxes[:, 0] < goal + high - 1e-6) & (boxes[:, 1] > goal + low + 1e-6)).all(axis=1)
        if axis != 1 and hit.any():
            top = float(boxes[hit, 1, 1].max())
            if top - at[1] <= STEP_UP:
                goal[1], hit = top, hit & False
        if hit.any():
            if velocity[axis] > 0:
                goal[axis] = float(boxes[hit, 0, axis].min()) - high[axis]
            else:
                goal[axis] = float(boxes[hit, 1, axis].max()) - low[axis]
                grounded = grounded or axis == 1
            velocity[axis] = 0.0
        at = goal
    return at, velocity, grounded


def _make_noise(world: World, what: str, place: Transform3D) -> None:
    world.emit(Noise, what=what, x=float(place.position[0]), y=float(place.position[1]))


@system(Stage.UPDATE, reads=(Robot,), writes=(Animator3D,))
def gesture(world: World, dt: float) -> None:
    """Choose the clip of every robot from what it does."""
    query = world.query(Robot, Animator3D)
    for entity in query.entities.tolist():
        robot = world.get(entity, Robot)
        across = float(np.hypot(robot.velocity[0], robot.velocity[2]))
        if robot.done:
            clip = "cheer" if robot.oil > 0 else "idle"
        elif not robot.grounded and robot.late > 0.06:
            clip = "jump" if robot.velocity[1] > -1 else "fall"
        elif robot.landed < 0.2 and across < 0.5:
            clip = "land"
        else:
            clip = "walk" if across > 0.15 else "idle"
        animator = world.get(entity, Animator3D)
        if animator.clip != clip:
            world.set(entity, Animator3D(clip=clip, fade=0.16))


@system(Stage.UPDATE, after="scene3d.follow_joints", reads=Hanging, writes=Transform3D)
def hang(world: World, dt: float) -> None:
    """Turn what hangs in a hand against the hand, so that it stays upright; the robot itself only turns around y."""
    query, table = world.query(Hanging, Transform3D), world.table(Transform3D)
    hands = table.rows_of(query[Transform3D.parent])
    query[Transform3D.rotation] = quaternions.inverse(table.rotation[hands].astype(np.float64))
