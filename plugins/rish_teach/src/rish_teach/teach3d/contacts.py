"""Contacts of this tick: all pairs of shapes that touch, with the impulses of the points of the tick before."""

from __future__ import annotations

import math
from collections import defaultdict

import numpy as np

from rish_core import Entity, Vec3, World, field
from rish_ecs import table
from rish_physics3d import ColliderShape3D, ContactBegin3D, ContactEnd3D, PlacedShape
from rish_physics3d.geometry import box_hull
from rish_space3d import quaternions

from .bodies import RigidBody
from .collide import Ball, Form, bounds, collide, near_pairs, place_hull
from .solver import Point
from .vectors import Vec, added, length, minus, plus, scaled


@table
class TeachPoints3D:
    """The contact points of the last tick: entities a < b, arms from the centers of mass, impulses."""

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    arm_a: Vec3 = field((0, 0, 0), hidden=True, unit="m")
    arm_b: Vec3 = field((0, 0, 0), hidden=True, unit="m")
    push: float = field(hidden=True, unit="N·s")
    rub: Vec3 = field((0, 0, 0), hidden=True, unit="N·s")


Contacts = dict[tuple[int, int], list[Point]]
"""The points of pairs of shapes, by the entities of the colliders, the lower one first."""
_COLUMNS = ("a", "b", "arm_a", "arm_b", "push", "rub")
_WIDE = 1e6  # half the width of a plane, m; no body is so far away


def find_contacts(world: World, shapes: list[PlacedShape], bodies: list[RigidBody], speculative: float) -> Contacts:
    """Return the contacts of all pairs of shapes that are at most `speculative` apart, sorted by their entities."""
    sound = [shape for shape in shapes if bodies[shape.body].sound and not shape.sensor]
    known = [(shape, form) for shape in sound if (form := place(shape, bodies[shape.body])) is not None]
    boxes = np.array([bounds(form) for _, form in known]).reshape(-1, 2, 3)
    contacts, old = Contacts(), defaultdict(list)
    for a, b, *rest in zip(*(world[TeachPoints3D].column(name).tolist() for name in _COLUMNS), strict=True):
        old[a, b].append(rest)
    for i, j in near_pairs(boxes, speculative):
        (a, form_a), (b, form_b) = known[i], known[j]
        one, two = bodies[a.body], bodies[b.body]
        meet = a.body != b.body and (one.moves or two.moves)
        touch = collide(form_a, form_b, speculative) if meet else None
        if touch is None:
            continue
        points = contacts[a.entity, b.entity] = []
        for spot, gap in touch[1]:
            point = Point(a.body, b.body, touch[0], minus(spot, one.center), minus(spot, two.center), gap)
            point.friction = math.sqrt(a.friction * b.friction)
            point.restitution = max(a.restitution, b.restitution)
            _take_impulses(point, old[a.entity, b.entity], 2 * speculative)
            points.append(point)
    return contacts


def place(shape: PlacedShape, body: RigidBody) -> Form | None:
    """Return a shape in the world. None: this solver does not have its kind."""
    turn = quaternions.product(body.rotation, shape.rotation)
    position = quaternions.turned(body.rotation, shape.position) + body.center
    if shape.hull is not None:
        return place_hull(shape.hull, position, turn)
    if shape.shape is ColliderShape3D.PLANE:  # a box below it that is larger than everything
        return place_hull(box_hull([_WIDE] * 3), position - quaternions.turned(turn, [0.0, _WIDE, 0.0]), turn)
    x, y, z = position.tolist()
    return Ball((x, y, z), shape.size[0]) if shape.shape is ColliderShape3D.SPHERE else None


def _take_impulses(point: Point, old: list[tuple[Vec, Vec, float, Vec]], reach: float) -> None:
    """Give a point the impulses of the old one that moved least on one of the bodies, and remove that from the list.

    reach: the greatest distance, m. Points are matched by place, since the names of features change as a stack rocks.
    """

    def moved(other: tuple[Vec, Vec, float, Vec]) -> float:
        return min(length(minus(other[0], point.arm_a)), length(minus(other[1], point.arm_b)))

    nearest = min(old, key=moved, default=None)
    if nearest is not None and moved(nearest) <= reach:
        old.remove(nearest)
        point.push, point.rub = nearest[2:]


def finish_contacts(world: World, contacts: Contacts, bodies: list[RigidBody]) -> None:
    """Emit the events of pairs that began or ceased to touch, ends first, and store the points with their impulses."""
    table = world[TeachPoints3D]
    before = {*zip(table.a.tolist(), table.b.tolist(), strict=True)}
    for a, b in sorted(before - contacts.keys()):
        world.emit(ContactEnd3D, a=a, b=b)
    for (a, b), (point, *_) in contacts.items():
        if (a, b) not in before:
            body = bodies[point.a]
            spot = plus(minus(body.center, body.moved), point.arm_a)
            world.emit(ContactBegin3D, a=a, b=b, point=spot, normal=point.normal, speed=max(point.approach, 0.0))
    rows: list[tuple[object, ...]] = []
    for (a, b), points in contacts.items():
        for point in points:
            push, u, v = point.rows
            rub = added(scaled(u.jacobian[2], u.impulse), v.jacobian[2], v.impulse)
            rows.append((a, b, point.arm_a, point.arm_b, push.impulse, rub))
    table.clear()
    if rows:
        columns = zip(_COLUMNS, zip(*rows, strict=True), strict=True)
        table.append(len(rows), **{name: np.array(column) for name, column in columns})
