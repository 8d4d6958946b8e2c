"""Synchronizes the component columns with the solver: they are read before each step and written after it.

The columns are the source of truth. A column is compared with its last seen value (`Bodies.seen`). A pose that differs
was set by the game. A static or dynamic body is teleported there, wakes, and loses its contacts. A kinematic body gets
the velocity that brings it there by the end of the tick, so that it pushes and carries the bodies it meets. A velocity
that differs, or a force, wakes the body. If no row was written, added or removed since the last step, nothing is read.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Transform
from rish_ecs import RowChanges
from rish_ecs.declarations import distinct
from rish_ecs.derivations import InputChanges
from rish_jit import Array, maths

from ..bodies.assembly import box_shapes, list_moved, shapes_of
from ..bodies.frames import place_rows
from ..bodies.incremental_update import sync_added
from ..bodies.registry import any_still, poses_of_rows, read_settings, reassemble_changed, slow_down, sync_registry
from ..bodies.waking import disturb, wake
from ..components.bodies import Body, Collider
from ..components.links import MEMBERS, Links
from ..components.notices import warn_of_set_aside
from ..components.tables import (  # fmt: skip
    AWAKE,
    DRIVEN,
    DYNAMIC,
    FIXED_ROTATION,
    HAS_PARENT,
    KINEMATIC,
    PUT_TO_SLEEP,
    QUARANTINED,
    STATIC,
    TYPE,
)
from ..contacts import rows as contacts
from ..contacts.state import State
from . import fast_path
from .kernels import ALTERED, HANGING, KICKED, LULL, POSED, read_bodies, write_bodies
from .settings import notice_settings, settings_differ

_POSE = [0, 1, 2, 6, 7]
"""The indices of the pose in `Bodies.seen`: x, y, angle, size x, y."""
_MARKING_RATIO = 8
"""Rows are marked individually if fewer than one in this number was written."""
_FEW_ROWS = 4
"""The number of rows from which a slice is looked for."""


def read_columns(state: State, links: Links, changes: InputChanges | None) -> None:
    """Read the columns that were written since the last step. changes: of these columns."""
    differ = settings_differ(state, links)
    if changes is None and not differ:
        return
    state.arguments.pop("write", None)
    slots = links.slots[:0] if changes is None else _read_changes(state, links, changes)
    if differ:
        moves, reshapes = notice_settings(state, links)
        if reshapes:
            _rebuild_shapes(state, links, np.flatnonzero(links.holders), again=links.slots)
        slots = links.slots if moves else slots
    if len(slots):
        _read(state, links, slots)


def _read_changes(state: State, links: Links, changes: InputChanges) -> Array:
    """Add, remove and rebuild bodies and shapes; return the bodies whose columns must be read, int32."""
    moved, written, shaped = changes[Transform], changes[Body], changes[Collider]
    is_new, links.read.is_new = links.read.is_new, False
    members = [changes[cls] for cls in MEMBERS]
    if links.read.rows.changed(state.world) or is_new or links.read.members_differ(members, *state.columns):
        links.tick.moved = None, None, None
        if shaped.written or not sync_added(state, links, changes):
            sync_registry(state, links, every=shaped.written)
        if moved.written and len(links.children):
            _rebuild_shapes(state, links, links.children)
        return links.slots if moved.written or written.written else links.slots[:0]
    if shaped.written:
        _rebuild_shapes(state, links, _written_colliders(links, shaped))
    elif len(links.children) and moved.written:
        _rebuild_shapes(state, links, links.children)
    if not (moved.written or written.written):
        return links.slots[:0]
    return _written_slots(state, links, moved, written)


def _rebuild_shapes(state: State, links: Links, which: Array, again: Array | None = None) -> None:
    """Rebuild the shapes of the colliders that changed, and link the shapes to their colliders again.

    again: int32, bodies that are rebuilt in any case because their type may have changed.
    """
    shaped = reassemble_changed(state, links, which, forced=again)
    if len(shaped):
        links.link(state.world, still=again is not None or any_still(state, shaped))


def _written_colliders(links: Links, changes: RowChanges) -> Array:
    """Return the rows of colliders (int) that may have been written; colliders on child entities are always
    included.
    """
    if changes.all:
        return np.flatnonzero(links.holders)
    rows = distinct(np.concatenate([changes.rows, links.children]))
    return rows[links.holders[rows] > 0]


def _written_slots(state: State, links: Links, moved: RowChanges, written: RowChanges) -> Array:
    """Return the bodies (int32) that may have been written; if Transforms were written, all bodies if any has a
    parent.

    moved, written: the changes of Transform and Body.
    """
    if moved.all or written.all or (len(moved.rows) and links.has_parents):
        return links.slots
    places, bodies = state.columns[:2]
    handles = np.concatenate([places.entities[moved.rows], bodies.entities[written.rows]])
    slots = distinct(links.body_slots(handles))
    return slots[slots > 0].astype(np.int32)


def _read(state: State, links: Links, slots: Array) -> None:
    """Compare the columns of these bodies with the last seen values, and process the differences."""
    world, rows = state.world, state.bodies
    places, table = world.tables[Transform], world.tables[Body]
    differences = state.scratch.take("sync.found", 2 * len(slots), np.int32)
    count = read_bodies(
        (slots, links.body_row, links.place_row),
        places.cached(_place_columns),
        table.cached(_body_columns),
        rows.cached(_solver_columns),
        state.scaled.sleep_speed,
        differences,
    )
    if not count:
        return
    pairs = differences[: 2 * count].reshape(-1, 2)
    changed, what = pairs[:, 0], pairs[:, 1]
    altered = changed[(what & ALTERED) != 0]
    if len(altered):
        _apply_settings(state, links, altered)
    lulled = changed[(what & (LULL | KICKED)) == LULL]
    if len(lulled):
        _put_to_sleep(state, links, lulled)
    kicked = changed[(what & KICKED) != 0]
    if len(kicked):
        _apply_velocities(state, links, kicked)
    posed = changed[(what & (POSED | HANGING)) != 0]
    if len(posed):
        pose_bodies(state, links, posed)


def _place_columns(places: Any) -> tuple[Array, ...]:
    return tuple([places.flat(name) for name in ("position", "rotation", "scale", "parent")])


def _body_columns(table: Any) -> tuple[Array, ...]:
    return tuple([table.flat(name) for name in _BODY_COLUMNS])


def _solver_columns(bodies: Any) -> tuple[Array, ...]:
    return tuple([bodies.flat(name) for name in ("state", "drive", "seen", "given", "rest", "flags")])


_BODY_COLUMNS = (
    "velocity", "angular_velocity", "force", "torque", "type", "linear_damping", "angular_damping", "drag",
    "gravity_scale", "fixed_rotation", "bullet", "allow_sleep", "asleep", "mass", "inertia", "center_of_mass",
    "sleep_speed",
)  # fmt: skip


def _apply_settings(state: State, links: Links, slots: Array) -> None:
    """Apply changed settings of bodies. If the type or the mass changed, the body is rebuilt."""
    bodies = state.bodies
    weight = np.column_stack([bodies.flags[slots] & (TYPE | FIXED_ROTATION), bodies.given[slots].view(np.int32)])
    read_settings(state, links, slots)
    after = np.column_stack([bodies.flags[slots] & (TYPE | FIXED_ROTATION), bodies.given[slots].view(np.int32)])
    heavy = slots[(weight != after).any(axis=1)]
    wake(state, slots)
    if not len(heavy):
        return
    kind = bodies.flags[heavy] & TYPE
    still = heavy[kind == STATIC]
    bodies.state[still, :3] = 0
    bodies.flags[still] &= ~AWAKE
    moving = heavy[kind != STATIC]
    bodies.state[moving, :3] = bodies.seen[moving, 3:6]
    bodies.state[heavy, 2] *= (bodies.flags[heavy] & FIXED_ROTATION) == 0
    going = heavy[(kind == DYNAMIC) | ((kind == KINEMATIC) & bodies.state[heavy, :3].any(axis=1))]
    bodies.flags[heavy] &= ~AWAKE
    bodies.flags[going] |= AWAKE
    _rebuild_shapes(state, links, np.zeros(0, np.int64), again=heavy)
    state.stale()


def _put_to_sleep(state: State, links: Links, slots: Array) -> None:
    """Put bodies to sleep because the game has set `asleep`."""
    bodies, table = state.bodies, state.world.tables[Body]
    rows = links.body_row[slots]
    flags = bodies.flags[slots] & ~AWAKE
    bodies.flags[slots] = flags | np.where((flags & TYPE) == DYNAMIC, PUT_TO_SLEEP, 0)
    bodies.state[slots, :3] = bodies.seen[slots, 3:6] = 0
    table.velocity[rows] = table.angular_velocity[rows] = 0
    contacts.request_update(state, slots)
    state.stale()


def _apply_velocities(state: State, links: Links, slots: Array) -> None:
    """Wake bodies for which the game has set a velocity, a force, or `asleep` to False."""
    bodies = state.bodies
    flags = bodies.flags[slots]
    kind, awake = flags & TYPE, (flags & AWAKE) != 0
    links.tick.forced = slots[(flags & DRIVEN) != 0]
    slow_down(state, slots)
    moving = bodies.state[slots, :3].any(axis=1)
    wake(state, slots)
    _start_movers(state, slots[(kind == KINEMATIC) & moving & ~awake])


def _start_movers(state: State, slots: Array) -> None:
    """Wake kinematic bodies that begin to move, and the bodies that rest on them."""
    if len(slots):
        state.bodies.flags[slots] |= AWAKE
        state.stale()
        wake(state, contacts.rows_and_others(state, slots)[1])


def pose_bodies(state: State, links: Links, slots: Array, *, jumps: bool = False) -> None:
    """Process bodies whose pose or size in the world may have changed. jumps: teleport kinematic bodies too."""
    world, bodies = state.world, state.bodies
    rows = links.place_row[slots]
    hung = world.tables[Transform].parent[rows] != 0
    bodies.flags[slots] = (bodies.flags[slots] & ~HAS_PARENT) | np.where(hung, HAS_PARENT, 0)
    links.has_parents = links.has_parents or bool(hung.any())
    poses = poses_of_rows(world, rows)
    earlier = bodies.seen[slots][:, _POSE]
    differs = (earlier != poses).any(axis=1)
    slots, rows, poses, earlier = slots[differs], rows[differs], poses[differs], earlier[differs]
    sound = np.isfinite(poses).all(axis=1) & (np.abs(poses[:, :2]) <= state.scaled.reach).all(axis=1)
    if not sound.all():
        _set_aside(state, slots[~sound])
        slots, rows, poses, earlier = slots[sound], rows[sound], poses[sound], earlier[sound]
    if not len(slots):
        return
    bodies.seen[slots[:, None], _POSE] = poses
    free = slots[(bodies.flags[slots] & QUARANTINED) != 0]
    bodies.flags[free] &= ~QUARANTINED
    pushed = np.zeros(len(slots), np.bool_) if jumps else _drive(state, links, slots, poses, earlier)
    _teleport(state, slots[~pushed], poses[~pushed])
    resized = slots[(earlier[:, 3:] != poses[:, 3:]).any(axis=1)]
    if len(resized):
        _rebuild_shapes(state, links, np.flatnonzero(np.isin(links.holders, resized)))
    if len(links.children):
        _rebuild_shapes(state, links, links.children)


def _set_aside(state: State, slots: Array) -> None:
    """Quarantine bodies at invalid or too distant positions: they stand still and touch nothing until they are moved
    again.
    """
    bodies = state.bodies
    handles = bodies.entity[slots[(bodies.flags[slots] & QUARANTINED) == 0]].tolist()
    warn_of_set_aside(state.world, handles, float(state.scaled.reach))
    disturb(state, slots)
    contacts.remove_of_bodies(state, slots)
    bodies.flags[slots] = (bodies.flags[slots] | QUARANTINED) & ~AWAKE
    bodies.state[slots, :3] = 0
    list_moved(state, shapes_of(state, slots))
    state.stale()


def _drive(state: State, links: Links, slots: Array, poses: Array, earlier: Array) -> Array:
    """Set the velocities that bring kinematic bodies to their new poses in this tick; return for each body whether it
    is driven so, bool.

    A body that would exceed the maximum speed is teleported instead.
    """
    bodies = state.bodies
    kinematic = (bodies.flags[slots] & TYPE) == KINEMATIC
    if not kinematic.any():
        return kinematic
    over = 1.0 / state.dt
    way = (poses[:, :2].astype(np.float64) - earlier[:, :2]) * over
    spin = maths.wrap_angle(poses[:, 2].astype(np.float64) - earlier[:, 2]) * over
    fast = (way**2).sum(axis=1) > float(state.scaled.max_speed) ** 2
    pushed = kinematic & ~fast
    driven = slots[pushed]
    if len(driven):
        sin, cos = maths.sincos(poses[pushed, 2].astype(np.float64))
        links.tick.driven = (driven, np.column_stack([poses[pushed, :2], cos, sin]).astype(np.float32))
        bodies.state[driven, :2], bodies.state[driven, 2] = way[pushed], spin[pushed]
        _start_movers(state, driven[(bodies.flags[driven] & AWAKE) == 0])
    return pushed


def _teleport(state: State, slots: Array, poses: Array) -> None:
    """Teleport bodies: their contacts are removed, their boxes are new, and their images are not interpolated."""
    if not len(slots):
        return
    bodies = state.bodies
    disturb(state, slots)
    contacts.remove_of_bodies(state, slots)
    sin, cos = maths.sincos(poses[:, 2].astype(np.float64))
    x, y = bodies.extent[slots, 0].astype(np.float64), bodies.extent[slots, 1].astype(np.float64)
    bodies.pose[slots] = np.column_stack([poses[:, 0] + cos * x - sin * y, poses[:, 1] + sin * x + cos * y, cos, sin])
    shapes = shapes_of(state, slots)
    if len(shapes):
        box_shapes(state, shapes)
    wake(state, slots)
    links: Links = state.world[Links]
    if ((bodies.flags[slots] & TYPE) == STATIC).any():
        links.unpublished = True
    dynamic = slots[(bodies.flags[slots] & TYPE) == DYNAMIC]
    rows = links.place_row[dynamic]
    places = state.world.tables[Transform]
    for name in ("position", "rotation", "scale"):
        places.column(f"last_{name}")[rows] = places.column(name)[rows]


def write_columns(state: State, links: Links, reached: int = fast_path.IDLE) -> None:
    """Write poses and velocities of the bodies that this step has moved to the columns.

    reached: the result of `fast_path.advance`, which may have written the columns already.
    """
    if links.tick.forced is not None or links.tick.driven is not None:
        _reset_drive(state, links)
    slots = state.awake
    if not len(slots):
        return
    if reached < fast_path.WRITTEN:
        hung = write_bodies(*(state.arguments.get("write") or _written(state, links)))
    else:
        hung = links.has_parents
    if hung:
        _write_children(state, links, slots[(state.bodies.flags[slots] & HAS_PARENT) != 0])
    mark_written(state, links)


def _written(state: State, links: Links) -> tuple[Any, ...]:
    """Return the arguments of `write_bodies`, and cache them."""
    bodies, (places, table, _, _) = state.flats(state.bodies), state.columns
    arguments = state.arguments["write"] = (
        (state.awake, links.body_row, links.place_row),
        (places.flat("position"), places.flat("rotation"), table.flat("velocity"), table.flat("angular_velocity"),
         table.flat("asleep")),
        (bodies.pose, bodies.state, bodies.extent, bodies.seen, bodies.flags),
    )  # fmt: skip
    return arguments


def _reset_drive(state: State, links: Links) -> None:
    """Reset what applies to one tick only: forces, and the velocities of kinematic bodies whose position was set."""
    bodies = state.bodies
    if links.tick.forced is not None:
        slots, links.tick.forced = links.tick.forced, None
        bodies.drive[slots, 4:7] = 0
        neutral = (bodies.drive[slots] == [1, 0, 0, 0, 0, 0, 0, 0]).all(axis=1)
        bodies.flags[slots[neutral]] &= ~DRIVEN
    if links.tick.driven is not None:
        (slots, poses), links.tick.driven = links.tick.driven, None
        bodies.pose[slots] = poses
        bodies.state[slots, :3] = bodies.seen[slots, 3:6]


def mark_written(state: State, links: Links) -> None:
    """Mark the written rows in the tables of Transform and Body as changed; then note these changes as read, so that
    the next step does not read the rows again.
    """
    slots = state.awake
    if not len(slots):
        return
    if links.tick.moved[0] is not slots:
        places, table = state.columns[:2]
        links.tick.moved = slots, _as_rows(links.place_row[slots], places), _as_rows(links.body_row[slots], table)
    _, place_rows, body_rows = links.tick.moved
    state.columns[0].mark(place_rows)
    state.columns[1].mark(body_rows)
    links.read.columns.changed(state.world)


def _as_rows(rows: Array, table: Any) -> Array | slice | None:
    """Return the rows to mark: None for all rows of the table if most of them are written, and a slice for rows that
    follow each other, which is marked in a tenth of the time.
    """
    if _MARKING_RATIO * len(rows) >= table.used:
        return None
    if len(rows) < _FEW_ROWS:
        return rows
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first + 1 == len(rows) and bool((np.diff(rows) == 1).all()) else rows


def _write_children(state: State, links: Links, slots: Array) -> None:
    """Write the poses of bodies whose entities have parents, converted to the frames of the parents."""
    world, bodies = state.world, state.bodies
    rows = links.place_row[slots]
    pose, center = bodies.pose[slots].astype(np.float64), bodies.extent[slots, :2].astype(np.float64)
    # Position of the entity: center of mass minus its rotated offset.
    x = pose[:, 0] - (pose[:, 2] * center[:, 0] - pose[:, 3] * center[:, 1])
    y = pose[:, 1] - (pose[:, 3] * center[:, 0] + pose[:, 2] * center[:, 1])
    place_rows(world, rows, np.column_stack([x, y]), pose[:, 2:])
    bodies.seen[slots[:, None], _POSE] = poses_of_rows(world, rows)
