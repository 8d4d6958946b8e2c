"""The system that moves all characters."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from rish_core import Stage, Transform, World, system

from ...components.bodies import Body, Collider
from ...components.links import Links
from ...components.notices import notify
from ...components.tables import KINEMATIC, TYPE
from ...contacts.state import State
from .component import Character
from .motions import Motion, Motions
from .riders import find_riders
from .walk import Walk

Array = npt.NDArray[Any]


@system(Stage.FORCES, writes=(Character, Transform, Links), marks=True, name="characters")
def move_characters(world: World, dt: float) -> None:
    """The system `physics.characters`: move all characters, in the order of their table, but each after the one that it
    stands on.
    """
    if not world.tables[Character].used:
        return
    state, links = State.of(world), world[Links]
    links.tick.riders = None
    if not state.dt or not len(links.slots):  # time is stopped, or the first step has not read the bodies
        return
    entities = world.query(Character, Transform, Body, Collider).entities
    slots = links.body_slots(entities)
    there = (slots > 0) & (state.bodies.entity[slots] == entities)
    kinematic = (state.bodies.flags[slots] & TYPE) == KINEMATIC
    for entity in entities[there & ~kinematic].tolist():
        notify(world, f"character {entity}", "a Character needs a Body of type kinematic", entity)
    entities, slots = entities[there & kinematic], slots[there & kinematic]
    placed = _placed(world, state, links, entities)
    motions = Motions(world, state, links)
    order, above = _order(world, entities)
    for k in order.tolist():
        entity, slot = int(entities[k]), int(slots[k])
        walk = Walk(world, state, entity, slot)
        walk.go(state.dt, motions, above.get(entity, frozenset()), placed=bool(placed[k]))
        motions.remove(slot)
        x, y = state.bodies.seen[slot, :2].tolist()
        way = walk.place - (x, y)
        if way.any():
            motions.add(Motion(slot, x, y, float(way[0]), float(way[1]), 0.0, dynamic=False))
    links.tick.riders = find_riders(world, state, entities[order], slots[order], motions)


def _placed(world: World, state: State, links: Links, entities: Array) -> Array:
    """Return which characters' own Transforms were written since the last step, bool (n,)."""
    places, none = world.tables[Transform], np.zeros(len(entities), np.bool_)
    if not links.read.versions or places.version == links.read.versions[0]:
        return none
    rows = places.written_since(links.read.versions[0])
    return none if rows is None else np.isin(places.rows_of(entities), rows)


def _order(world: World, entities: Array) -> tuple[Array, dict[int, frozenset[int]]]:
    """Return the order of the characters, int64 indices, and by character those that stand on it."""
    table = world.tables[Character]
    rows = table.rows_of(entities)
    ground = np.where(table.grounded[rows], table.ground[rows], 0)
    on = np.flatnonzero(np.isin(ground, entities))
    depth = np.zeros(len(entities), np.int64)
    index = {entity: k for k, entity in enumerate(entities.tolist())} if len(on) else {}
    above: dict[int, frozenset[int]] = {}
    for k in on.tolist():
        below = int(ground[k])
        above[below] = above.get(below, frozenset()) | {int(entities[k])}
        while below in index and depth[k] < len(on):
            depth[k] += 1
            below = int(ground[index[below]])
    return np.argsort(depth, kind="stable"), above
