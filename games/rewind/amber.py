"""The parts of the puzzles: keys, gates, plates and doors."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Scenes, Stage, Transform, World, system
from rish_jit import maths
from rish_render import Shape

from .components import Door, Drift, Eye, Gate, Hero, Key, Noise, Opened, Plate

ORDER = ("title", "pit", "gate", "both", "end")
"""The scenes in the order of play; the door of the title leads to the first level."""
TICK = 0.25
"""Seconds between the ticks of a gate that is going to close."""
REACH = 34.0
"""The distance, in units, at which a key is taken."""


def hero_of(world: World) -> tuple[int, float, float]:
    """Return the hero's handle and place; handle 0 if there is no hero."""
    query = world.query(Hero, Transform)
    if not len(query):
        return 0, 0.0, 0.0
    x, y = (float(v) for v in query[Transform.position][0])
    return int(query.entities[0]), x, y


@system(Stage.POST, reads=Hero, writes=(Key, Transform, Noise), layer="world")
def carry(world: World, dt: float) -> None:
    """Take the keys that the hero touches, and let taken keys float behind it. A taken key is not lost by a rewind."""
    hero, x, y = hero_of(world)
    for entity in world.query(Key).entities.tolist() if hero else ():
        key, place = world.get(entity, Key), world.get(entity, Transform)
        kx, ky = (float(v) for v in place.position)
        if not key.taken:
            if abs(kx - x) < REACH and abs(ky - y) < REACH:
                world.set(entity, Key(taken=True))
                world.emit(Noise, what="key", x=kx, y=ky)
            continue
        bob = 5 * maths.sin(4 * world.time)
        goal = (x - 26 * world.get(hero, Hero).facing, y + 34 + bob)
        share = min(1.0, 9 * dt)
        world.set(entity, Transform(position=(kx + (goal[0] - kx) * share, ky + (goal[1] - ky) * share)))


@system(Stage.PRE, reads=Hero, writes=(Plate, Gate, Transform, Shape, Noise), layer="world")
def open_gates(world: World, dt: float) -> None:
    """Open the gates while the hero is on a plate, and for the plate's `seconds` after that."""
    hero, x, y = hero_of(world)
    seconds = 0.0
    for entity in world.query(Plate).entities.tolist():
        plate, place = world.get(entity, Plate), world.get(entity, Transform)
        bx, by = (float(v) for v in place.position)
        down = bool(hero) and abs(bx - x) < 36 and -4 < y - by < 40
        seconds = max(seconds, plate.seconds if down else 0.0)
        if down != plate.down:
            world.set(entity, Plate(down=down))
            world.set(entity, Shape(size=(52, 4 if down else 10)))
            world.emit(Noise, what="press" if down else "release", x=bx, y=by)
    for entity in world.query(Gate).entities.tolist():
        gate, place = world.get(entity, Gate), world.get(entity, Transform)
        gx, gy = (float(v) for v in place.position)
        home = gate.home if gate.known else gy
        left = max(seconds, gate.left - dt, 0.0)
        lift = min(1.0, gate.lift + 5 * dt) if left > 0 else max(0.0, gate.lift - 4 * dt)
        _sound_gate(world, gate.left, left, gx, gy)
        world.set(entity, Gate(left=left, lift=lift, home=home, known=True))
        world.set(entity, Transform(position=(gx, home + 150 * lift)))


def _sound_gate(world: World, before: float, left: float, x: float, y: float) -> None:
    """Emit what is heard of a gate: it begins to rise or to fall, and ticks while its time runs out.

    before, left: seconds until it closes, in the tick before and now.
    """
    if (left > 0) != (before > 0):
        world.emit(Noise, what="lift" if left > 0 else "lower", x=x, y=y)
    elif left < before and left // TICK != before // TICK:
        world.emit(Noise, what="tick", x=x, y=y, strength=left)


@system(Stage.POST, reads=(Hero, Key, Input), writes=(Door, Shape, Scenes, Opened), after="game.carry", layer="world")
def leave(world: World, dt: float) -> None:
    """Open the door near a hero that has all keys, and go through an open door to the next level.

    Backspace restarts the level.
    """
    scenes = world[Scenes]
    if world[Input].pressed("restart"):
        scenes.restart()
    hero, x, y = hero_of(world)
    ready = bool(world[Key].taken.all())
    for entity in world.query(Door).entities.tolist():
        door, place = world.get(entity, Door), world.get(entity, Transform)
        dx, dy = (float(v) for v in place.position)
        near = bool(hero) and abs(dx - x) < 90 and abs(dy - y) < 80
        opened = min(1.0, door.open + 4 * dt) if ready and near else max(0.0, door.open - 4 * dt)
        if opened == 1.0 and door.open < 1.0:
            world.emit(Opened)
        if opened != door.open:
            world.set(entity, Door(open=opened))
            warm = np.array([0.27, 0.23, 0.48]) + opened * np.array([0.73, 0.62, 0.22])
            world.set(entity, Shape(color=(*warm.tolist(), 1.0)))
        if opened == 1.0 and abs(dx - x) < 16 and abs(dy - y) < 40:
            scenes.go(ORDER[ORDER.index(scenes.current) + 1])


@system(Stage.UPDATE, reads=(Hero, Drift), writes=Transform, layer="world")
def look(world: World, dt: float) -> None:
    """Move the hero's eyes in the direction it faces, and drift the clouds."""
    hero, _, _ = hero_of(world)
    if hero:
        facing = world.get(hero, Hero).facing
        for entity in world.query(Eye).entities.tolist():
            home = world.get(entity, Eye).home
            at = world.get(entity, Transform).position
            goal = home + 4 * facing
            world.set(entity, Transform(position=(float(at[0]) + 0.25 * (goal - float(at[0])), 7)))
    query = world.query(Drift, Transform)
    if len(query):
        places = query[Transform.position].copy()
        places[:, 0] += query[Drift.speed] * np.float32(dt)
        places[places[:, 0] > 1080, 0] = -120
        query[Transform.position] = places
