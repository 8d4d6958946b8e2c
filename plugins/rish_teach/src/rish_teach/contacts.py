"""Finds the contacts of shapes and their points, with the impulses of the last step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rish_core import World
from rish_physics import FrictionMix, PhysicsSettings, RestitutionMix, Scaled, Solids, world_centers

from .bodies import KINEMATIC, RigidBody
from .manifold import Manifold, collide, overlap
from .pairs import overlapping_boxes
from .shapes import Shape, boxes_of
from .solver import Point
from .tables import TeachImpulses

Key = tuple[int, int, int, int, int]
"""Identifies a contact point over several steps: both colliders, the numbers of their pieces, the feature."""


@dataclass(slots=True)
class Contact:
    """Two shapes that touch, their contact points for the solver, and the key of each point. Contacts of sensors have
    no points.
    """

    a: Shape
    b: Shape
    manifold: Manifold | None
    points: list[Point] = field(default_factory=list[Point])
    keys: list[Key] = field(default_factory=list[Key])


def find_contacts(
    world: World, solids: Solids, shapes: list[Shape], bodies: list[RigidBody], scaled: Scaled
) -> list[Contact]:
    """Return the contacts of all shapes that may touch, in the order of the shapes."""
    reach = float(scaled.speculative)
    kinds = [*solids.types.tolist(), 0]
    centers = [*world_centers(solids).tolist(), [0.0, 0.0]]
    before = _impulses(world) if world[PhysicsSettings].warm_starting else {}
    contacts: list[Contact] = []
    for i, j in overlapping_boxes(*boxes_of(shapes, reach / 2)):
        a, b = shapes[i], shapes[j]
        if not may_touch(a, b, bodies, kinds):
            continue
        if a.sensor or b.sensor:
            if overlap(a.hull, b.hull):
                contacts += [Contact(first, other, None) for first, other in ((a, b), (b, a)) if first.sensor]
        elif (manifold := collide(a.hull, b.hull, reach)) is not None:
            contacts.append(_contact(world[PhysicsSettings], a, b, manifold, centers, before))
    return contacts


def may_touch(a: Shape, b: Shape, bodies: list[RigidBody], kinds: list[int]) -> bool:
    """Return True if the bodies and filters of two shapes let them touch. kinds: the types of the bodies.

    A dynamic body must take part, or a sensor and a body that is not static. An equal group decides by its sign;
    otherwise each mask must contain a category of the other.
    """
    if a.body == b.body:
        return False
    noticed = (a.sensor or b.sensor) and KINEMATIC in (kinds[a.body], kinds[b.body])
    if not (bodies[a.body].dynamic or bodies[b.body].dynamic or noticed):
        return False
    (category_a, mask_a, group_a), (category_b, mask_b, group_b) = a.filters, b.filters
    if group_a and group_a == group_b:
        return group_a > 0
    return bool(category_a & mask_b) and bool(category_b & mask_a)


def _contact(
    settings: PhysicsSettings, a: Shape, b: Shape, manifold: Manifold, centers: list[list[float]],
    before: dict[Key, tuple[float, float]],
) -> Contact:  # fmt: skip
    contact = Contact(a, b, manifold)
    friction = mixed_friction(settings.friction_mix, a.friction, b.friction)
    bounces = max if settings.restitution_mix is RestitutionMix.MAX else min
    restitution = bounces(a.restitution, b.restitution)
    (ax, ay), (bx, by) = centers[a.body], centers[b.body]
    for point in manifold.points:
        x, y = point.place
        key = (a.collider, b.collider, a.piece, b.piece, point.feature)
        push, rub = before.get(key, (0.0, 0.0))
        contact.keys.append(key)
        arms = (x - ax, y - ay), (x - bx, y - by)
        contact.points.append(
            Point(a.body, b.body, manifold.normal, *arms, point.separation, friction, push, rub, restitution)
        )
    return contact


def mixed_friction(mix: FrictionMix, a: float, b: float) -> float:
    """Return the friction of a contact, from those of both surfaces."""
    if mix is FrictionMix.AVERAGE:
        return (a + b) / 2
    if mix is FrictionMix.GEOMETRIC:
        return math.sqrt(a * b)
    if mix is FrictionMix.MULTIPLY:
        return a * b
    return min(a, b) if mix is FrictionMix.MIN else max(a, b)


def _impulses(world: World) -> dict[Key, tuple[float, float]]:
    table = world[TeachImpulses]
    names = ("a", "b", "piece_a", "piece_b", "feature", "push", "rub")
    rows = zip(*(table.column(name).tolist() for name in names), strict=True)
    return {(a, b, i, j, feature): (push, rub) for a, b, i, j, feature, push, rub in rows}


def write_impulses(world: World, contacts: list[Contact]) -> None:
    """Store the impulses of all points, for warm starting in the next step."""
    table = world[TeachImpulses]
    table.clear()
    keys = [key for contact in contacts for key in contact.keys]
    if keys:
        a, b, piece_a, piece_b, feature = np.array(keys, np.int64).T
        impulses: Any = np.array([(point.push, point.rub) for contact in contacts for point in contact.points])
        table.append(
            len(keys), a=a, b=b, piece_a=piece_a, piece_b=piece_b, feature=feature, push=impulses[:, 0],
            rub=impulses[:, 1],
        )  # fmt: skip
