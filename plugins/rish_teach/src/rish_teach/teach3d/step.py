"""The step: everything that happens in one tick, in order. Begin reading here.

columns ─► bodies, shapes ─► pairs ─► contacts ─► sub-steps ─► columns, events
"""

from __future__ import annotations

from rish_core import Stage, World, system
from rish_physics3d import (
    PHYSICS3D_EVENTS,
    Body3D,
    Collider3D,
    Layout,
    Method3D,
    Physics3DSettings,
    notify,
    placed_shapes,
    warn_of_unsupported,
)
from rish_space3d import Transform3D

from .bodies import RigidBody, accelerate, move, read_bodies, write_bodies
from .contacts import TeachPoints3D, find_contacts, finish_contacts
from .solver import Point, Rules, bounce, improve, prepare, spring, warm_start
from .vectors import cross, dot, minus, plus

CAPABILITIES = ("methods",)
"""The capabilities of `rigid3d` that this provider has."""
_WRITTEN = (Body3D, Transform3D, TeachPoints3D, *PHYSICS3D_EVENTS)
_SUBSTEP = 1 / 240  # the sub-step, s, for which the stiffness of contacts is given; a shorter one allows more


@system(Stage.STEP, name="step", reads=Collider3D, writes=_WRITTEN, marks=True)
def step_teach3d(world: World, dt: float) -> None:
    """The system `physics3d.step`: read the columns, advance the bodies by one tick, write the columns."""
    settings, layout = world[Physics3DSettings], world[Layout]
    dt *= settings.time_scale
    warn_of_unsupported(world, CAPABILITIES, "teach3d")
    for entity, reason in layout.faults.items():
        notify(world, f"fault {entity}", f"its Collider3D is ignored: {reason}", entity)
    if dt <= 0:
        return
    bodies = read_bodies(world, layout, settings)
    contacts = find_contacts(world, placed_shapes(layout), bodies, settings.speculative)
    advance(bodies, [point for points in contacts.values() for point in points], settings, dt)
    write_bodies(world, layout, bodies)
    finish_contacts(world, contacts, bodies)


def advance(bodies: list[RigidBody], points: list[Point], settings: Physics3DSettings, dt: float) -> None:
    """Advance the bodies by dt: in sub-steps of one pass with SOFT (M. Macklin, 2019), else in one step of many."""
    method, soft = settings.method, settings.method is Method3D.SOFT
    steps, passes = (settings.substeps, 1) if soft else (1, settings.iterations)
    h = dt / steps
    hertz = min(settings.contact_hertz * max(1.0, _SUBSTEP / h), 0.25 / h)  # a stiffer spring would not be stable
    rules = Rules(h, settings.baumgarte, settings.push_speed, *spring(hertz, settings.contact_damping, h))
    x, y, z = settings.gravity
    gaps = [point.gap for point in points]
    moving = [body for body in bodies if body.moves]
    prepare(bodies, points, method)
    for _ in range(steps):
        for body in moving:
            accelerate(body, (x, y, z), settings.max_speed, h)
        for point, gap in zip(points, gaps, strict=True):
            a, b = bodies[point.a], bodies[point.b]
            way = minus(b.moved, a.moved), cross(b.turned, point.arm_b), cross(a.turned, point.arm_a)
            point.gap = gap + dot(point.normal, minus(plus(way[0], way[1]), way[2]))
        warm_start(bodies, points)
        for _ in range(passes):
            improve(bodies, points, method, rules)
        for body in moving:
            move(body, h)
        if soft:
            # In reverse order, since the contact that is solved last is the most exact: a pyramid does not lean.
            improve(bodies, points[::-1], Method3D.WARM, Rules(h, baumgarte=0.0))
    bounce(bodies, points, settings.restitution_threshold)
