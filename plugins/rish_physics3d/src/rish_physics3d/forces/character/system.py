"""Moves all characters: they walk before the step, and are corrected after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Disabled, Stage, system
from rish_jit import Array
from rish_space3d import Transform3D, poses_at

from ...components.bodies import KINEMATIC, STATIC, Body3D, Collider3D
from ...components.characters import Character3D
from ...components.notices import notify
from ...components.settings import Physics3DSettings
from ...queries.index import ShapeIndex
from .forms import form_of, placed
from .heights import fit_heights
from .loads import press_and_push
from .obstacles import Obstacles
from .walk import Walkers

if TYPE_CHECKING:
    from rish_core import World


@system(
    Stage.FORCES,
    reads=(Physics3DSettings, Disabled),
    writes=(Character3D, Body3D, Collider3D, Transform3D),
    after=("scripts.*",),
    marks=True,
    name="characters",
)
def move_characters(world: World, dt: float) -> None:
    """The system `physics3d.characters`: move all characters, but each after the one that it stands on."""
    if dt <= 0 or not len(world.table(Character3D)):
        return
    fit_heights(world)
    furthest = float(world[Physics3DSettings].max_speed) * dt
    for walkers in _groups(world):
        walkers.carry(furthest)
        walkers.come_out()
        walkers.walk(dt)
        press_and_push(walkers, dt)
        walkers.write(dt)


@system(
    Stage.STEP,
    reads=(Physics3DSettings, Body3D, Collider3D, Disabled),
    writes=(Character3D, Transform3D),
    after=("physics3d.step",),
    marks=True,
    name="correct_characters",
)
def correct_characters(world: World, dt: float) -> None:
    """The system `physics3d.correct_characters`: move the characters as the step has moved their grounds, and out of
    what it has moved into them.
    """
    if dt <= 0 or not len(world.table(Character3D)) or not _anything_moved(world):
        return
    furthest = float(world[Physics3DSettings].max_speed) * dt
    for walkers in _groups(world):
        walkers.carry(furthest)
        walkers.come_out()
        walkers.write_place()


def _anything_moved(world: World) -> bool:
    """Return whether the step may have moved the ground of a character, or a kinematic body into one."""
    table, bodies = world.table(Character3D), world.table(Body3D)
    moves = (bodies.type != STATIC) & (bodies.velocity.any(axis=1) | bodies.angular_velocity.any(axis=1))
    if not moves.any():
        return False
    if (moves & (bodies.type == KINEMATIC)).any():
        return True
    index = world[ShapeIndex]
    shapes = index.shapes_of(table.ground[table.grounded])
    rows = bodies.rows_of(index.bodies[shapes[shapes >= 0]])
    return bool(moves[rows[rows >= 0]].any())


def _groups(world: World) -> Iterator[Walkers]:
    """Yield the characters that can be moved together; the next ones after these have moved. Log those that can't."""
    table, places, bodies = world.table(Character3D), world.table(Transform3D), world.table(Body3D)
    entities = np.sort(table.entities[world.table(Disabled).rows_of(table.entities) < 0])
    rows = bodies.rows_of(entities)
    sound = (rows >= 0) & (places.rows_of(entities) >= 0)
    sound[sound] = bodies.type[rows[sound]] == KINEMATIC
    for entity in entities[~sound].tolist():
        notify(world, f"character {entity}", "a Character3D needs a Body3D of type kinematic", entity)
    entities = entities[sound]
    level, through = _levels(world, entities)
    for height in range(int(level.max(initial=-1)) + 1):
        index = world[ShapeIndex]
        index.update(world)
        yield from _alike(world, index, entities[level == height], through)


def _alike(world: World, index: ShapeIndex, entities: Array, through: dict[int, list[int]]) -> Iterator[Walkers]:
    """Yield characters that have the same number of points, radius and mask."""
    table, layout = world.table(Character3D), index.layout
    assert layout is not None
    masks = table.mask[table.rows_of(entities)].tolist()
    groups: dict[tuple[int, float, int], list[tuple[int, int, Array]]] = {}
    for entity, shape, mask in zip(entities.tolist(), index.shapes_of(entities).tolist(), masks, strict=True):
        form = form_of(layout, shape) if shape >= 0 else None
        if form is None:
            notify(world, f"form {entity}", "a Character3D needs a convex Collider3D", entity)
            continue
        groups.setdefault((len(form.points), form.radius, mask), []).append((entity, shape, form.points))
    for (_, radius, mask), members in groups.items():
        who, own = np.array([each[0] for each in members], np.int64), np.array([each[1] for each in members])
        points = np.stack([each[2] for each in members])
        places = poses_at(world, world.table(Transform3D).rows_of(who))[0]
        obstacles = Obstacles(world, own, placed(index, own, points, places), radius, mask)
        pairs = [(k, above) for k, entity in enumerate(who.tolist()) for above in through.get(entity, ())]
        obstacles.through = np.array(pairs, np.int64).reshape(-1, 2)
        yield Walkers(world, who, places, obstacles)


def _levels(world: World, entities: Array) -> tuple[Array, dict[int, list[int]]]:
    """Return how many characters are below each one, int64, and for each character those that stand on it."""
    table = world.table(Character3D)
    rows = table.rows_of(entities)
    ground = np.where(table.grounded[rows], table.ground[rows], 0)
    level = np.zeros(len(entities), np.int64)
    above: dict[int, list[int]] = {}
    index = {entity: k for k, entity in enumerate(entities.tolist())}
    on = [k for k, below in enumerate(ground.tolist()) if below in index]
    for k in on:
        below = int(ground[k])
        above.setdefault(below, []).append(int(entities[k]))
        while below in index and level[k] < len(on):
            level[k] += 1
            below = int(ground[index[below]])
    return level, above
