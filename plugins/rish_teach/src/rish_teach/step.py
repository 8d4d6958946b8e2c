"""The step: everything that happens in one tick, in order. Begin reading here.

columns ─► bodies, shapes ─► pairs ─► contacts ─► sub-steps ─► columns, events
"""

from __future__ import annotations

from rish_core import Edges, Stage, Transform, World, system
from rish_physics import (
    PHYSICS_EVENTS,
    Body,
    Collider,
    Correction,
    Jumps,
    PhysicsSettings,
    Scaled,
    Solids,
    notify,
    read_solids,
    scaled_of,
    warn_of_unsupported,
)

from .bodies import RigidBody, accelerate, move, read_bodies, write_bodies
from .contacts import find_contacts, write_impulses
from .events import emit_events
from .shapes import make_shapes, publish_outlines
from .solver import Method, Point, Rules, bounce, improve, prepare, spring, warm_start
from .tables import TeachGround, TeachImpulses, TeachPoses, TeachTouching

CAPABILITIES = ("sensors", "chains")
"""The capabilities of `physics2d` that this provider has."""
_STATE = (TeachImpulses, TeachTouching, TeachPoses, TeachGround, Jumps)
_SUBSTEP = 1 / 240
"""The sub-step, in seconds, for which the stiffness of contacts is given. A shorter one allows a higher stiffness."""


@system(Stage.STEP, name="step", reads=Collider, writes=(Body, Transform, Edges, *_STATE, *PHYSICS_EVENTS), marks=True)
def step_teach(world: World, dt: float) -> None:
    """The system `physics.step`: read the columns, advance the bodies by one tick, write the columns."""
    settings = world[PhysicsSettings]
    scaled, time = scaled_of(settings), dt * settings.time_scale
    if not time:
        return
    warn_of_unsupported(world, CAPABILITIES, "teach")
    solids = read_solids(world)
    _warn_of_left_out(world, solids, float(scaled.reach))
    bodies = read_bodies(world, solids, scaled, time)
    shapes = make_shapes(world, solids)
    contacts = find_contacts(world, solids, shapes, bodies, scaled)
    advance(bodies, [point for contact in contacts for point in contact.points], settings, scaled, time)
    write_bodies(world, solids, bodies)
    write_impulses(world, contacts)
    publish_outlines(world, solids)
    emit_events(world, contacts, scaled)


def advance(bodies: list[RigidBody], points: list[Point], settings: PhysicsSettings, scaled: Scaled, dt: float) -> None:
    """Advance the bodies by dt seconds, in sub-steps (Macklin and others, "Small Steps in Physics Simulation",
    2019).

    One pass in each of four short steps is better than four passes in one long step: overlaps and arms are up to date.
    """
    h = dt / settings.substeps
    method = Method.SOFT if settings.correction is Correction.SOFT else Method.BAUMGARTE
    rules = Rules(h, settings.baumgarte, float(scaled.slop), float(scaled.push_speed))
    hertz = min(settings.contact_hertz * max(1.0, _SUBSTEP / h), 0.25 / h)  # a stiffer spring would not be stable
    soft = spring(hertz, settings.contact_damping, h)
    gravity, fastest = (float(scaled.gravity_x), float(scaled.gravity_y)), float(scaled.max_speed)
    gaps = [point.separation for point in points]
    moving = [body for body in bodies if body.moves]
    prepare(bodies, points)
    for _ in range(settings.substeps):
        for body in moving:
            if body.dynamic:
                accelerate(body, gravity, fastest, h)
        for point, gap in zip(points, gaps, strict=True):
            point.separation = gap + _opened(bodies[point.a], bodies[point.b], point)
        warm_start(bodies, points)
        for _ in range(settings.iterations):
            improve(bodies, points, method, rules, soft)
        for body in moving:
            move(body, h)
        if method is Method.SOFT:
            for _ in range(settings.relaxations):
                # In reverse order, since the contact that is solved last is the most exact: a pyramid does not lean.
                improve(bodies, points[::-1], Method.ACCUMULATED, rules)
    bounce(bodies, points, float(scaled.restitution_threshold))


def _opened(a: RigidBody, b: RigidBody, point: Point) -> float:
    """Return the growth of the gap at a point since the contacts were found, along its normal, units."""
    (nx, ny), (ax, ay), (bx, by) = point.normal, point.arm_a, point.arm_b
    # The arms turn with the bodies: R r - r.
    x = b.moved[0] + (b.cos * bx - b.sin * by - bx) - a.moved[0] - (a.cos * ax - a.sin * ay - ax)
    y = b.moved[1] + (b.sin * bx + b.cos * by - by) - a.moved[1] - (a.sin * ax + a.cos * ay - ay)
    return nx * x + ny * y


def _warn_of_left_out(world: World, solids: Solids, reach: float) -> None:
    """Log, once each, which colliders can't be shapes, and which bodies are too far away."""
    for entity, reason in solids.refused.items():
        notify(world, f"form {entity}", f"its Collider is left out: {reason}", entity)
    for entity in solids.entities[~solids.sound].tolist():
        what = f"it is left out of the simulation: its position is not finite, or more than {reach:g} units away"
        notify(world, f"far {entity}", what, entity)
