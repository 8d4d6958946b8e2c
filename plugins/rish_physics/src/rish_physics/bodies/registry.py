"""The registry of bodies: assigns a slot to each active body, and frees the slots of removed ones.

The tables of the solver are compared with the participants. New bodies get a slot, removed bodies free theirs; a body
whose colliders were added, removed or changed is assembled again. Everything is done in the order of the component
tables, so the same calls give the same slots.
"""

from __future__ import annotations

import numpy as np

from rish_core import Transform, World
from rish_ecs.declarations import distinct, median
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array, maths

from ..components.bodies import Body, Collider
from ..components.links import Links
from ..components.notices import notify
from ..components.slots import BODY, give_slots, take_slots
from ..components.tables import (  # fmt: skip
    ALLOW_SLEEP,
    AWAKE,
    BULLET,
    CENTER_GIVEN,
    DRIVEN,
    DYNAMIC,
    ENABLED,
    FIXED_ROTATION,
    HAS_PARENT,
    IMPLICIT,
    KINEMATIC,
    PUT_TO_SLEEP,
    STATIC,
    TYPE,
    USED,
)
from ..contacts.state import State
from .active_bodies import Participants, find_participants
from .assembly import Forms, assemble, drop_shapes, first_fingerprints, first_shapes, flags_given, forms_of
from .collider_pieces import pieces_of
from .frames import poses_in, world_frames
from .waking import disturb, wake

_FLAGS = {
    "fixed_rotation": FIXED_ROTATION,
    "bullet": BULLET,
    "allow_sleep": ALLOW_SLEEP,
    "center_of_mass_given": CENTER_GIVEN,
}
_SMALL, _LARGE = 0.05, 20.0
"""The range of body sizes, in meters, that are simulated well."""


def sync_registry(state: State, links: Links, *, every: bool = True) -> None:
    """Assign a slot to each new body and free those of removed bodies. every: check all colliders, not only those
    without shapes.
    """
    world, forms = state.world, state.world.table(Collider)
    first_slot(state)
    participants = find_participants(world)
    _warn_of_missing_transforms(world)
    links.link(world, still=False)
    added, still = _bodies(state, links, participants)
    links.link(world, still=False)
    rows = forms.rows_of(participants.colliders)
    links.holders = np.zeros(len(forms), np.int32)
    links.holders[rows] = links.body_slots(participants.holders)
    links.children = rows[participants.colliders != participants.holders]
    which = rows if every else rows[~_shaped(state, links, participants.colliders, links.holders[rows])]
    shaped = reassemble_changed(state, links, which, added, _bodies_with_foreign_shapes(state, links))
    links.link(world, still=still or any_still(state, shaped))
    links.read.remember_members(*state.columns)
    if len(added):
        warn_of_scale(state)


def first_slot(state: State) -> None:
    """Create slot 0 of the bodies, the dummy body."""
    if not len(state.bodies):
        state.bodies.append(1, pose=np.array([[0, 0, 1, 0]], np.float32), flags=STATIC | USED | ENABLED)


def _warn_of_missing_transforms(world: World) -> None:
    """Log a warning for each body or collider without a Transform."""
    places = world.table(Transform)
    for cls in (Body, Collider):
        table = world.table(cls)
        if len(table) and len(world.query(cls, Transform)) < len(table):
            for handle in table.entities[places.rows_of(table.entities) < 0].tolist():
                notify(world, f"place {handle}", f"its {cls.__name__} is ignored: the entity has no Transform", handle)


def _shaped(state: State, links: Links, colliders: Array, holders: Array) -> Array:
    """Return for each collider whether it has shapes, and these belong to its body, bool."""
    if not len(state.shapes):
        return np.zeros(len(colliders), np.bool_)
    first = first_shapes(state, links, colliders)
    return (first >= 0) & (state.shapes.body[first] == holders)


def warn_of_scale(state: State) -> None:
    """Log once if most bodies are as small as grains or as large as houses, because `units_per_meter` is probably
    wrong.
    """
    bodies = state.bodies
    sizes = 2 * bodies.extent[(bodies.flags & TYPE) == DYNAMIC, 2]
    sizes = sizes[sizes > 0]
    if len(sizes):
        meters = float(median(sizes)) / float(state.scaled.unit)
        if not _SMALL <= meters <= _LARGE:
            notify(
                state.world,
                "scale",
                f"most bodies are about {meters:.3g} m large; the solver works best for {_SMALL:g} to {_LARGE:g} m. "
                "Is settings.physics.units_per_meter right?",
            )


def any_still(state: State, slots: Array) -> bool:
    """Return True if one of the bodies is static, so that its outline is among the published edges."""
    return bool(len(slots)) and bool(((state.bodies.flags[slots] & TYPE) == STATIC).any())


def _bodies(state: State, links: Links, participants: Participants) -> tuple[Array, bool]:
    """Free the slots of removed bodies and take slots for new ones; return these, and whether a static body was
    removed.
    """
    bodies = state.bodies
    slots = links.body_slots(participants.owners)
    implicit = (bodies.flags[slots] & IMPLICIT) != 0
    stays = (slots > 0) & (bodies.entity[slots] == participants.owners) & (implicit == participants.implicit)
    keep = np.zeros(len(bodies), np.bool_)
    keep[slots[stays]] = True
    removed = links.slots[~keep[links.slots]]
    still = any_still(state, removed)
    remove_bodies(state, removed)
    if stays.all():
        return np.zeros(0, np.int32), still
    added = take_slots(state.free, bodies, BODY, int((~stays).sum()))
    add_bodies(state, links, added, participants.owners[~stays], participants.implicit[~stays])
    state.stale()
    return added, still


def remove_bodies(state: State, slots: Array) -> None:
    """Remove bodies (int32 slots, ascending) with their shapes and contacts, and free their slots."""
    if len(slots):
        drop_shapes(state, slots, disturb(state, slots))
        give_slots(state.free, state.bodies, BODY, slots[::-1])
        state.stale()


def add_bodies(state: State, links: Links, slots: Array, owners: Array, implicit: Array) -> None:
    """Fill the rows of new bodies from their columns; their shapes and masses are added later."""
    world, bodies = state.world, state.bodies
    places = world.table(Transform)
    rows = places.rows_of(owners)
    bodies.entity[slots] = owners
    bodies.first_shape[slots] = -1
    bodies.flags[slots] = USED | ENABLED | STATIC | np.where(implicit, IMPLICIT, 0)
    poses = poses_of_rows(world, rows)
    bodies.flags[slots] |= np.where(places.parent[rows] != 0, HAS_PARENT, 0)
    bodies.seen[slots[:, None], [0, 1, 2, 6, 7]] = poses
    sin, cos = maths.sincos(poses[:, 2].astype(np.float64))
    bodies.pose[slots] = np.column_stack([poses[:, :2], cos, sin])
    explicit = slots[~implicit]
    links.make_room(world)
    links.body_row[explicit] = world.table(Body).rows_of(bodies.entity[explicit])
    read_settings(state, links, explicit)
    _start(state, links, explicit)


def poses_of_rows(world: World, rows: Array) -> Array:
    """Return position x, y, angle and size x, y in the world of rows of Transform, float32 (n, 5)."""
    places = world.table(Transform)
    poses = np.column_stack([places.position[rows], places.rotation[rows], places.scale[rows]])
    hung = np.flatnonzero(places.parent[rows] != 0)
    if len(hung):
        poses[hung] = poses_in(world_frames(world, rows[hung]))
    return poses


def read_settings(state: State, links: Links, slots: Array) -> None:
    """Read the columns of Body for these bodies, except pose and velocity."""
    bodies, table = state.bodies, state.world.table(Body)
    rows = links.body_row[slots]
    flags = bodies.flags[slots] & ~(TYPE | FIXED_ROTATION | BULLET | ALLOW_SLEEP | CENTER_GIVEN | DRIVEN)
    flags |= table.type[rows]
    flags |= flags_given(table, rows, _FLAGS)
    names = ("gravity_scale", "linear_damping", "angular_damping", "drag")
    for k, name in enumerate(names):
        bodies.drive[slots, k] = table.column(name)[rows]
    flags |= np.where((bodies.drive[slots] != [1, 0, 0, 0, 0, 0, 0, 0]).any(axis=1), DRIVEN, 0)
    bodies.flags[slots] = flags
    bodies.given[slots, 0], bodies.given[slots, 1] = table.mass[rows], table.inertia[rows]
    bodies.given[slots, 2:] = table.center_of_mass[rows]
    speed = table.sleep_speed[rows]
    bodies.rest[slots, 1] = np.where(speed > 0, speed, state.scaled.sleep_speed)


def _start(state: State, links: Links, slots: Array) -> None:
    """Set the initial velocities of bodies, and whether they are awake."""
    bodies, table = state.bodies, state.world.table(Body)
    rows = links.body_row[slots]
    bodies.seen[slots, 3:5], bodies.seen[slots, 5] = table.velocity[rows], table.angular_velocity[rows]
    kind = bodies.flags[slots] & TYPE
    moves = kind != STATIC
    bodies.state[slots, :3] = np.where(moves[:, None], bodies.seen[slots, 3:6], 0)
    bodies.state[slots, 2] *= (bodies.flags[slots] & FIXED_ROTATION) == 0
    slow_down(state, slots)
    going = bodies.state[slots, :3].any(axis=1)
    awake = ((kind == DYNAMIC) & (~table.asleep[rows] | going)) | ((kind == KINEMATIC) & going)
    bodies.flags[slots] |= np.where(awake, AWAKE, np.where(kind == DYNAMIC, PUT_TO_SLEEP, 0))


def slow_down(state: State, slots: Array) -> None:
    """Clamp velocities that were set to the maximum speed."""
    bodies = state.bodies
    velocity = bodies.state[slots, :2].astype(np.float64)
    speed, maximum = np.sqrt((velocity**2).sum(axis=1)), float(state.scaled.max_speed)
    for k in np.flatnonzero(~(speed <= maximum)).tolist():
        handle = int(bodies.entity[slots[k]])
        notify(
            state.world,
            f"fast {handle}",
            f"its speed of {speed[k]:g} units/s is reduced to the maximum of {maximum:g} units/s",
            handle,
        )
        share = maximum / speed[k] if np.isfinite(speed[k]) else 0.0
        bodies.state[slots[k], :2] = velocity[k] * share if share else 0


def reassemble_changed(
    state: State, links: Links, which: Array, added: Array | None = None, forced: Array | None = None
) -> Array:
    """Rebuild the bodies of the colliders that have changed; return the slots of these bodies, int32.

    which: the rows of Collider to check. added: int32, slots of new bodies. forced: int32, slots of other bodies that
    are rebuilt in any case.
    """
    world = state.world
    colliders = world.table(Collider).entities
    handles, holders = colliders[which], links.holders[which]
    forms = forms_of(world, state, handles, holders)
    earlier = first_fingerprints(state, links, handles)
    changed = (forms.fingerprints != earlier).any(axis=1)
    unsure = changed & ~earlier.any(axis=1)
    if added is not None:
        unsure &= ~np.isin(holders, added)
    _without_refused(world, links, forms, np.flatnonzero(unsure), changed)
    doubtful = holders[changed]
    doubtful = np.concatenate([doubtful, *(slots for slots in (added, forced) if slots is not None)])
    slots = distinct(doubtful).astype(np.int32)
    slots = slots[slots > 0]
    if not len(slots):
        return slots
    existing = slots if added is None else slots[~np.isin(slots, added)]
    if len(existing):
        disturb(state, existing)
        wake(state, existing)
    complete = np.flatnonzero(np.isin(links.holders, slots))
    if len(complete) != len(which) or not np.array_equal(complete, which):
        forms = forms_of(world, state, colliders[complete], links.holders[complete])
    _refuse(world, links, forms, assemble(state, forms, slots))
    return slots


def _without_refused(world: World, links: Links, forms: Forms, unsure: Array, changed: Array) -> None:
    """Clear `changed` (bool) for colliders that could not be a shape before and have not changed since.

    unsure: the indices of colliders that have no shape.
    """
    handles, fingerprints = _names(world, forms)
    for k in unsure.tolist():
        if links.refused.get(int(handles[k])) == int(fingerprints[k]):
            changed[k] = False
    unsure = unsure[changed[unsure]]
    if len(unsure):
        refused = pieces_of(world, forms.rows[unsure], forms.frames[unsure]).refused
        changed[unsure[list(refused)]] = False
        _refuse(world, links, forms, {int(unsure[k]): sentence for k, sentence in refused.items()})


def _names(world: World, forms: Forms) -> tuple[Array, Array]:
    """Return the handles of colliders, int64, and their fingerprints as int64 numbers."""
    return world.table(Collider).entities[forms.rows], forms.fingerprints.view(np.int64).ravel()


def _refuse(world: World, links: Links, forms: Forms, refused: dict[int, str]) -> None:
    """Log why colliders cannot be a shape, and store their fingerprints in `links.refused`."""
    handles, fingerprints = _names(world, forms)
    for k, sentence in refused.items():
        handle, form = int(handles[k]), int(fingerprints[k])
        links.refused[handle] = form
        notify(world, f"shape {handle} {form}", f"its Collider is ignored: {sentence}", handle)


def _bodies_with_foreign_shapes(state: State, links: Links) -> Array:
    """Return the bodies (int32) that have shapes of entities which are no longer their colliders."""
    shapes = state.shapes
    used = np.flatnonzero((shapes.entity != 0) & (shapes.body != 0))
    if not len(used):
        return np.zeros(0, np.int32)
    holder = np.zeros(state.world.entities.used, np.int32)
    handle = np.zeros(state.world.entities.used, np.int64)
    rows = np.flatnonzero(links.holders)
    colliders = state.world.table(Collider).entities[rows]
    index = colliders & INDEX_MASK
    holder[index], handle[index] = links.holders[rows], colliders
    owner = shapes.entity[used] & INDEX_MASK
    wrong = (handle[owner] != shapes.entity[used]) | (holder[owner] != shapes.body[used])
    return distinct(shapes.body[used][wrong])
