"""The harbour at night: the pile, gulls, the beam, boats, the camera."""

from __future__ import annotations

import numpy as np

from rish_core import Input, Stage, World, spawn_prefab, system
from rish_jit import maths
from rish_scene3d import Lamp3D
from rish_space3d import Transform3D, quaternions

from .components import Afloat, Beam, Follow3D, Gull, Pile

FALL = 1.01
"""Distance in meters of crates above each other in a new pile: they fall onto one another."""
ALARM = 7.0
"""Meters that a gull moves away from the beam."""


@system(Stage.STEP, writes=World)
def build_piles(world: World, dt: float) -> None:
    """Spawn the crates of every pile that has none; the first row of a pile lies at the back."""
    query = world.query(Pile)
    if query[Pile.built].all():
        return
    stream = world.random("beacon.pile")
    for entity in query.entities[~query[Pile.built]].tolist():
        pile, corner = world.get(entity, Pile), np.asarray(world.get(entity, Transform3D).position)
        places = [
            (column, 0.5 + FALL * level, row)
            for row, text in enumerate(pile.rows)
            for column, count in enumerate(text)
            for level in range(int(count))
        ]
        at = np.array(places, np.float64) + corner
        turns = stream.uniform(-pile.lean, pile.lean, len(at)) + stream.integers(0, 4, len(at)) * (maths.TAU / 4)
        rotations = quaternions.from_axis((0, 1, 0), turns)
        crates = spawn_prefab(world, pile.crate, n=len(at))
        world.set(crates, Transform3D(position=at, rotation=rotations, last_position=at, last_rotation=rotations))
        world.set(entity, Pile(built=True))


@system(Stage.STEP, writes=Gull)
def gather_gulls(world: World, dt: float) -> None:
    """Give every gull without a speed a way of its own."""
    query = world.query(Gull)
    still = query[Gull.speed] == 0
    count = int(still.sum())
    if not count:
        return
    stream = world.random("beacon.gulls")
    ways = {
        Gull.radius: 3.5 + 26 * stream.uniform(0, 1, count) ** 0.7,
        Gull.height: stream.uniform(-2.5, 9, count),
        Gull.angle: stream.uniform(0, maths.TAU, count),
        Gull.speed: stream.uniform(3.2, 6.2, count) * np.where(stream.uniform(0, 1, count) < 0.8, 1, -1),
    }
    for field, values in ways.items():
        column = query[field].astype(np.float64)
        column[still] = values
        query[field] = column


@system(Stage.STEP, reads=(Beam,), writes=(Gull, Transform3D))
def fly(world: World, dt: float) -> None:
    """Move the gulls on their circles; those in the beam rise and swerve, and all come closer when it is lit."""
    query = world.query(Gull, Transform3D)
    if not len(query.entities):
        return
    beams = world.query(Beam, Transform3D)
    angle, radius = query[Gull.angle].astype(np.float64), query[Gull.radius].astype(np.float64)
    alarm = query[Gull.alarm].astype(np.float64)
    lit = float(beams[Beam.lit].max(initial=0))
    radius = radius * (1 - 0.62 * lit)
    angle += dt * query[Gull.speed] * (1 + alarm) / radius
    center = query[Gull.center].astype(np.float64)
    sway = maths.sin(3 * angle + radius)
    flat = radius + 1.2 * sway + ALARM * 0.3 * alarm
    place = np.column_stack(
        [
            center[:, 0] + flat * maths.cos(angle),
            center[:, 1]
            + query[Gull.height] * (1 - 0.4 * lit)
            + 0.8 * maths.sin(2 * angle - radius)
            + ALARM * alarm * 0.4,
            center[:, 2] - flat * maths.sin(angle),
        ]
    )
    for turn, at in zip(
        beams[Beam.turn].astype(np.float64), beams[Transform3D.position].astype(np.float64), strict=True
    ):
        way = place - at
        along = -way[:, 0] * maths.sin(turn) - way[:, 2] * maths.cos(turn)
        aside = np.sqrt(np.maximum((way[:, [0, 2]] ** 2).sum(axis=1) - along**2, 0))
        alarm = np.maximum(alarm - 0.5 * dt, (along > 0) & (aside < 0.22 * along + 0.5))
    ahead = place - query[Transform3D.position]
    bank = np.where(query[Gull.speed] > 0, 1.0, -1.0) * (0.25 + 0.3 * alarm)
    up = np.column_stack([-bank * maths.cos(angle), np.ones_like(bank), bank * maths.sin(angle)])
    moved = (np.abs(ahead).max(axis=1) > 1e-4) & (world.tick > 1)
    query[Transform3D.rotation] = np.where(
        moved[:, None], quaternions.look_rotation(-ahead, up), query[Transform3D.rotation]
    )
    query[Transform3D.position] = place
    query[Gull.angle], query[Gull.alarm] = angle % maths.TAU, alarm


@system(Stage.STEP, writes=(Beam, Lamp3D, Transform3D))
def turn_beam(world: World, dt: float) -> None:
    """Turn the beam, and set the brightness of its lamp."""
    for entity in world.query(Beam, Lamp3D).entities.tolist():
        beam = world.get(entity, Beam)
        turn = (beam.turn + beam.speed * dt) % maths.TAU
        across = quaternions.from_axis((0, 1, 0), turn)
        rotation = quaternions.product(across, quaternions.from_axis((1, 0, 0), beam.tilt))
        intensity = beam.dim + (beam.bright - beam.dim) * beam.lit * beam.lit
        world.set(entity, Beam(turn=turn), Lamp3D(intensity=intensity), Transform3D(rotation=rotation))


@system(Stage.STEP, writes=(Afloat, Transform3D))
def float_on_sea(world: World, dt: float) -> None:
    """Lift and roll what is afloat."""
    query = world.query(Afloat, Transform3D)
    phase = maths.TAU * world.time / query[Afloat.period].astype(np.float64)
    place = query[Transform3D.position].astype(np.float64)
    place[:, 1] = query[Afloat.rest] + query[Afloat.lift] * maths.sin(phase)
    turn = quaternions.from_axis((0, 1, 0), query[Afloat.turn])
    roll = quaternions.from_axis((0, 0, 1), query[Afloat.roll] * maths.sin(phase * 0.7 + 1))
    query[Transform3D.position], query[Transform3D.rotation] = place, quaternions.product(turn, roll)


@system(Stage.UPDATE, reads=(Follow3D, Input), writes=Transform3D)
def follow(world: World, dt: float) -> None:
    """Move each camera towards its place beside what it follows."""
    for entity in world.query(Follow3D, Transform3D).entities.tolist():
        rule = world.get(entity, Follow3D)
        if not world.alive(rule.target):
            continue
        place = np.asarray(world.get(entity, Transform3D).position, np.float64)
        goal = np.asarray(world.get(rule.target, Transform3D).position, np.float64) + rule.offset
        share = 1.0 if world.tick <= 1 else 1 - float(maths.exp(-dt / rule.smoothing))
        world.set(entity, Transform3D(position=place + (goal - place) * share))
