"""What the game is about: oil, flasks, and the beacon that is to be lit."""

from __future__ import annotations

import numpy as np

from rish_core import Stage, World, find, system
from rish_jit import maths
from rish_scene3d import Lamp3D
from rish_space3d import Transform3D
from rish_ui import Label, Screen

from .components import Beam, Flask, Goal, Noise, Robot

LANTERN = 6.0
"""Intensity of a full lantern."""
MIDDLE = np.array((0.0, 0.6, 0.0))
"""From the feet of the robot to its middle, meters."""
RISE = 0.55
"""Share of its brightness that the beacon gains in a second."""


@system(Stage.STEP, after="game.land", reads=(Goal, Transform3D), writes=(Robot, Flask, Noise, Label, Screen))
def carry(world: World, dt: float) -> None:
    """Burn oil, take flasks, and end the game at the beacon or without oil."""
    for entity in world.query(Robot).entities.tolist():
        robot, place = world.get(entity, Robot), np.asarray(world.get(entity, Transform3D).position, np.float64)
        if robot.done:
            continue
        oil, flasks = robot.oil - robot.burns * dt, robot.flasks
        query = world.query(Flask, Transform3D)
        for flask, at, reach in zip(
            query.entities.tolist(), query[Transform3D.position], query[Flask.reach].tolist(), strict=True
        ):
            if np.abs(place + MIDDLE - at).max() < reach:
                oil, flasks = min(1.0, oil + world.get(flask, Flask).fills), flasks + 1
                world.despawn(flask)
                _make_noise(world, "flask", place)
        goals = world.query(Goal, Transform3D)
        way = np.abs(goals[Transform3D.position] - place - MIDDLE).max(axis=1)
        won = bool((way < goals[Goal.reach]).any())
        if won or oil <= 0:
            _make_noise(world, "win" if won else "lose", place)
            world.set(find(world, "ending"), Screen(visible=True))
            world.set(find(world, "verdict"), Label(text="$hud.won" if won else "$hud.lost"))
        world.set(entity, Robot(oil=max(0.0, oil), flasks=flasks, done=won or oil <= 0))


@system(Stage.UPDATE, reads=Robot, writes=(Lamp3D, Beam))
def shine(world: World, dt: float) -> None:
    """Set the brightness of the lantern from its oil, and let the beacon flare up when it is reached."""
    robots = world.query(Robot)
    if not len(robots.entities):
        return
    oil, won = float(robots[Robot.oil].max()), bool((robots[Robot.done] & (robots[Robot.oil] > 0)).any())
    lantern = find(world, "lantern")
    if lantern:
        flicker = 1 + 0.04 * float(maths.sin(7 * world.time) + maths.sin(11.3 * world.time))
        world.set(lantern, Lamp3D(intensity=LANTERN * flicker * min(1.0, 0.25 + oil)))
    beams = world.query(Beam)
    beams[Beam.lit] = np.clip(beams[Beam.lit] + RISE * dt * won, 0, 1)


def _make_noise(world: World, what: str, place: np.ndarray[tuple[int], np.dtype[np.float64]]) -> None:
    world.emit(Noise, what=what, x=float(place[0]), y=float(place[1]))
