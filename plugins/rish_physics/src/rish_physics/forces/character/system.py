"""Moves all characters: they walk before the step, and are corrected after it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rish_core import Stage, Transform, World, system
from rish_jit import Array

from ...bodies.assembly import box_shapes, first_shapes, shapes_of
from ...bodies.registry import poses_of_rows
from ...components.bodies import Body, Collider
from ...components.links import Links
from ...components.notices import notify
from ...components.tables import KINEMATIC, TYPE, Bodies, Contacts, Ended, Free, Shapes, Woken
from ...contacts import rows as contacts
from ...contacts.state import State
from ..forces import slots_of
from .component import Character
from .motions import Motions, Poses, errors_of, predicted_motions
from .walk import Walk
from .weight import release_grounds

_TOLERANCE = 1e-3
"""The difference from the prediction that is not corrected, as a share of the slop."""
_NOBODY: frozenset[int] = frozenset()


class Walked(NamedTuple):
    """The results of `move_characters`, which `correct_characters` needs.

    slots: int32, the bodies of the characters; a character comes after the one on which it stands. above: for each
    character, the characters that stand on it. motions: the predicted motions. before: the poses before the step.
    """

    slots: Array
    above: dict[int, frozenset[int]]
    motions: Motions
    before: Poses

    def forget(self, slots: Array) -> None:
        """Remove bodies that were teleported: they are not corrected and carry no character."""
        self.before.entity[slots] = 0


@system(
    Stage.FORCES,
    writes=(Character, Body, Transform, Bodies, Shapes, Contacts, Free, Ended, Woken, Links),
    after=("scripts.*",),
    marks=True,
    name="characters",
)
def move_characters(world: World, dt: float) -> None:
    """The system `physics.characters`: move all characters, in the order of their table, but each after the one that it
    stands on.
    """
    if not world.tables[Character].used:
        return
    state, links = State.of(world), world[Links]
    links.tick.walked = None
    if not state.dt:  # time is stopped
        return
    slots_of(world, np.zeros(0, np.int64))  # registers the bodies that were added in this tick
    if not len(links.slots):  # after a restore, which the step has not noticed yet
        links.link(world)
    entities, slots = _characters(world, state, links)
    motions, before = predicted_motions(world, state, links), Poses.of(state)
    order, above = _order(world, entities)
    for k in order.tolist():
        entity, slot = int(entities[k]), int(slots[k])
        walk = Walk(world, state, entity, slot)
        walk.go(state.dt, motions, above.get(entity, _NOBODY))
        x, y = state.bodies.seen[slot, :2].tolist()
        motions.put(slot, x, y, float(walk.place[0]) - x, float(walk.place[1]) - y)
    links.tick.walked = Walked(slots[order], above, motions, before)
    release_grounds(state, slots, _grounds(world, state, links, entities))


@system(
    Stage.STEP,
    writes=(Character, Transform, Bodies, Shapes, Contacts, Links),
    after=("physics.step",),
    marks=True,
    name="correct_characters",
)
def correct_characters(world: World, dt: float) -> None:
    """The system `physics.correct_characters`: correct the characters after the step, if bodies ended elsewhere than
    predicted: dynamic ones, and those that were moved after the characters.
    """
    links: Links = world[Links]
    walked, links.tick.walked = links.tick.walked, None
    if walked is None:
        return
    state = State.of(world)
    is_current = links.read.columns.look(world) is None
    errors = errors_of(state, walked.motions, walked.before, _TOLERANCE * float(state.scaled.slop))
    if not errors:
        return
    bodies, corrected = state.bodies, list[int]()
    for slot in walked.slots.tolist():
        entity = int(bodies.entity[slot])
        if not entity or entity != walked.before.entity[slot]:
            continue
        walk = Walk(world, state, entity, slot)
        if not walk.correct(errors, walked.above.get(entity, _NOBODY)):
            continue
        place = poses_of_rows(world, np.array([walk.place_row]))[0, :2]
        dx, dy = way = place - bodies.seen[slot, :2]
        if dx or dy:
            bodies.pose[slot, :2] += way
            bodies.seen[slot, :2] = place
            box_shapes(state, shapes_of(state, np.array([slot])))
            errors.put(slot, float(place[0]), float(place[1]), float(dx), float(dy))
            corrected.append(slot)
    if corrected:
        contacts.request_update(state, np.array(corrected))
        if is_current:
            links.read.columns.changed(world)


def _characters(world: World, state: State, links: Links) -> tuple[Array, Array]:
    """Return the characters that have a kinematic Body, and the slots of their bodies; log the other ones."""
    entities = world.query(Character, Transform, Body, Collider).entities
    slots = links.body_slots(entities)
    has_body = (slots > 0) & (state.bodies.entity[slots] == entities)
    kinematic = (state.bodies.flags[slots] & TYPE) == KINEMATIC
    for entity in entities[has_body & ~kinematic].tolist():
        notify(world, f"character {entity}", "a Character needs a Body of type kinematic", entity)
    return entities[has_body & kinematic], slots[has_body & kinematic]


def _grounds(world: World, state: State, links: Links, entities: Array) -> Array:
    """Return the bodies that characters stand on, int32 slots, 0 for none."""
    table = world.tables[Character]
    rows = table.rows_of(entities)
    shapes = first_shapes(state, links, np.where(table.grounded[rows], table.ground[rows], 0))
    return np.where(shapes >= 0, state.shapes.body[shapes], 0)


def _order(world: World, entities: Array) -> tuple[Array, dict[int, frozenset[int]]]:
    """Return the order in which characters move, int64 indices, and for each character the characters that stand on
    it.
    """
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
