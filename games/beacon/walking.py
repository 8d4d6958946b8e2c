"""Walking: the keys set the velocity of the robot's Character3D; its steps and landings become sounds and clips."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Stage, World, system
from rish_jit import maths
from rish_physics3d import Character3D
from rish_scene3d import Animator3D
from rish_space3d import Transform3D, quaternions

from .components import Hanging, Noise, Robot

SPEED, RUN_UP, GRAVITY, JUMP, FALL = 2.5, 16.0, 17.0, 6.4, 14.0
"""Walking speed, acceleration, gravity, speed of a jump and largest speed of a fall, in m/s and m/s²."""
GRACE = 0.1
"""Seconds after leaving the ground in which a jump is still possible."""
TURN = 9.0
"""Radians a second with which the robot turns."""
STRIDE = 0.72
"""Meters between the sounds of two steps."""


@system(Stage.PRE, reads=Input, writes=(Robot, Character3D, Transform3D, Noise))
def walk(world: World, dt: float) -> None:
    """Set the velocity of every robot by the keys and by gravity, and turn it."""
    keys = world[Input]
    for entity in world.query(Robot, Character3D).entities.tolist():
        robot, me = world.get(entity, Robot), world.get(entity, Character3D)
        place = world.get(entity, Transform3D)
        wanted = np.array([keys.axis("left", "right"), 0.0, keys.axis("forward", "back")])
        if robot.done:
            wanted[:] = 0
        wanted *= SPEED / max(1.0, float(np.sqrt(wanted @ wanted)))
        velocity = np.asarray(me.velocity, np.float64)
        velocity[[0, 2]] += np.clip(wanted - velocity, -RUN_UP * dt, RUN_UP * dt)[[0, 2]]
        if keys.pressed("jump") and me.air_time < GRACE and velocity[1] <= 0 and not robot.done:
            velocity[1] = JUMP
            _make_noise(world, "jump", place)
        elif keys.released("jump") and velocity[1] > 0:
            velocity[1] *= 0.5
        velocity[1] = max(-FALL, velocity[1] - GRAVITY * dt)
        facing = robot.facing
        if abs(wanted[0]) + abs(wanted[2]) > 0.1:
            aim = float(maths.atan2(wanted[0], wanted[2]))
            left = (aim - facing + maths.TAU / 2) % maths.TAU - maths.TAU / 2
            facing += max(-TURN * dt, min(TURN * dt, left))
        rotation = quaternions.from_axis((0, 1, 0), facing)
        world.set(entity, Robot(facing=facing), Character3D(velocity=velocity), Transform3D(rotation=rotation))


@system(Stage.STEP, after="physics3d.correct_characters", reads=(Character3D, Transform3D), writes=(Robot, Noise))
def land(world: World, dt: float) -> None:
    """Note the height and the landings of every robot, and let its steps be heard."""
    for entity in world.query(Robot, Character3D).entities.tolist():
        robot, me = world.get(entity, Robot), world.get(entity, Character3D)
        place = world.get(entity, Transform3D)
        landed = 0.0 if me.grounded and robot.fell > 0.15 else robot.landed + dt
        x = float(place.position[0])
        if landed == 0.0:
            _make_noise(world, "land", place)
        elif me.grounded and x // STRIDE != (x - float(me.velocity[0]) * dt) // STRIDE:
            _make_noise(world, "step", place)
        world.set(entity, Robot(landed=landed, fell=me.air_time, height=float(place.position[1])))


def _make_noise(world: World, what: str, place: Transform3D) -> None:
    world.emit(Noise, what=what, x=float(place.position[0]), y=float(place.position[1]))


@system(Stage.UPDATE, reads=(Robot, Character3D), writes=(Animator3D,))
def gesture(world: World, dt: float) -> None:
    """Choose the clip of every robot from what it does."""
    for entity in world.query(Robot, Character3D, Animator3D).entities.tolist():
        robot, me = world.get(entity, Robot), world.get(entity, Character3D)
        across = float(np.hypot(me.velocity[0], me.velocity[2]))
        if robot.done:
            clip = "cheer" if robot.oil > 0 else "idle"
        elif not me.grounded and me.air_time > 0.06:
            clip = "jump" if me.velocity[1] > -1 else "fall"
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
