"""Synchronizes joint components with the joints of the solver, and breaks overloaded joints.

A joint has a slot as long as both its bodies are active. A joint whose body was despawned is despawned too, and a joint
whose load exceeds its limit breaks; both emit `JointBroke`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Disabled, World
from rish_ecs.declarations import distinct
from rish_ecs.storage import INDEX_MASK
from rish_jit import Array, maths

from ..bodies.assembly import flags_given, list_moved, shapes_of
from ..bodies.waking import wake
from ..components.joint_kinds import HAS_LIMIT, HAS_SPRING, REVOLUTE
from ..components.joint_ranges import farthest
from ..components.joints import READERS, Reader
from ..components.links import Links
from ..components.notices import notify
from ..components.slots import JOINT, give_slots, take_slots
from ..components.tables import BREAK_TORQUE, COLLIDE_CONNECTED, DYNAMIC, HAS_JOINT, JOINT_USED, MOVED, TYPE
from ..contacts import rows as contacts
from ..contacts.events import JointBroke
from ..contacts.state import State
from ..solver.joints.constraint import KNOWN

_MAX_FLOAT32 = float(np.finfo(np.float32).max)


def read_joints(state: State, links: Links) -> None:
    """Update the joints from their columns, if these or the bodies have changed."""
    world = state.world
    if not links.read.joints.changed(world):
        return
    tables = [world.tables[cls] for cls in READERS]
    if not len(state.joints) and not any(len(table) for table in tables):
        return
    keep = np.zeros(len(state.joints), np.bool_)
    added: list[tuple[Reader, Any, Array, Array]] = []
    for reader, table in zip(READERS.values(), tables, strict=True):
        rows, pair = _valid(state, links, reader, table)
        slots = _slots_of(state, reader, table.entities[rows])
        exists = slots >= 0
        exists[exists] = (state.joints.pair[slots[exists]] == pair[exists]).all(axis=1)
        keep[slots[exists]] = True
        _write(state, reader, table, rows[exists], slots[exists])
        added.append((reader, table, rows[~exists], pair[~exists]))
    _remove(state, np.flatnonzero((state.joints.entity != 0) & ~keep).astype(np.int32))
    for reader, table, rows, pair in added:
        if len(rows):
            _add(state, reader, table, rows, pair)
    links.breakable = bool((state.joints.load[:, 3] > 0).any() or (state.joints.numbers[:, BREAK_TORQUE] > 0).any())


def _slots_of(state: State, reader: Reader, handles: Array) -> Array:
    """Return the int32 slot of the joint of one kind that each entity has, -1 if it has none."""
    joints = state.joints
    used = np.flatnonzero((joints.entity != 0) & (joints.kind == reader.kind))
    slot_of = np.full(state.world.entities.used, -1, np.int32)
    slot_of[joints.entity[used] & INDEX_MASK] = used
    slots = slot_of[handles & INDEX_MASK]
    exists = slots >= 0
    slots[exists] = np.where(joints.entity[slots[exists]] == handles[exists], slots[exists], -1)
    return slots


def _valid(state: State, links: Links, reader: Reader, table: Any) -> tuple[Array, Array]:
    """Return the rows of joints that connect two active bodies, and the slots of these (n, 2).

    The others are handled here: joints of a despawned body are removed, and invalid ones are reported.
    """
    world = state.world
    handles = np.column_stack([table.a, table.b])
    broken = ((handles != 0) & ~world.alive(handles.ravel()).reshape(handles.shape)).any(axis=1)
    if broken.any():
        unloaded = np.zeros(int(broken.sum()))
        _break(world, table.entities[broken], handles[broken], unloaded, unloaded)
    wrong = reader.flaws(table, farthest(float(state.scaled.reach)))
    slots = np.column_stack([links.body_slots(handles[:, 0]), links.body_slots(handles[:, 1])])
    has_body = (state.bodies.entity[slots] == handles) & ~broken[:, None]
    same = handles[:, 0] == handles[:, 1]
    disabled = world.table(Disabled).rows_of(table.entities) >= 0
    for row in np.flatnonzero(~broken & same).tolist():
        wrong[row] = "a and b are the same entity"
    for row in np.flatnonzero(~broken & ~has_body.all(axis=1)).tolist():
        if not _may_become_active(world, handles[row], has_body[row]):
            wrong[row] = "it connects an entity that has no Body and no Collider"
    for row, sentence in wrong.items():
        handle = int(table.entities[row])
        notify(world, f"joint {handle} {sentence}", f"its {table.schema.name} is ignored: {sentence}", handle)
    good = has_body.all(axis=1) & ~same & ~disabled
    good[list(wrong)] = False
    rows = np.flatnonzero(good)
    idle = good & ((state.bodies.flags[slots] & TYPE) != DYNAMIC).all(axis=1)
    for row in np.flatnonzero(idle).tolist():
        sentence = f"its {table.schema.name} has no effect: neither of its bodies is dynamic"
        notify(world, f"idle joint {int(table.entities[row])}", sentence, int(table.entities[row]))
    return rows, slots[rows].astype(np.int32)


def _may_become_active(world: World, handles: Array, has_body: Array) -> bool:
    """Return True if every entity without an active body has the components for one, so that it may become active
    later.
    """
    from ..components.bodies import Body, Collider

    missing = handles[~has_body]
    return all(any(world.has(int(handle), cls) for cls in (Body, Collider)) for handle in missing.tolist())


def _write(state: State, reader: Reader, table: Any, rows: Array, slots: Array) -> None:
    """Write frames, numbers and flags of joints from their columns."""
    if not len(rows):
        return
    joints = state.joints
    pair = joints.pair[slots]
    flags = JOINT_USED | flags_given(table, rows, {"collide_connected": COLLIDE_CONNECTED, **reader.flags})
    toggled = ((joints.flags[slots] ^ flags) & COLLIDE_CONNECTED) != 0
    if toggled.any():
        _search_pairs_again(state, slots[toggled])
        contacts.remove_between(state, pair[toggled & ((flags & COLLIDE_CONNECTED) == 0)])
    switched = joints.flags[slots] != flags
    if switched.any():
        state.stale(awake=False, active=False)
    if reader.kind == REVOLUTE:
        # The angle is chosen again if nothing has depended on it so far.
        joints.impulses[slots[(joints.flags[slots] & (HAS_LIMIT | HAS_SPRING)) == 0], KNOWN] = 0
    frames, numbers = _frames(reader, table, rows, state.bodies.extent[pair, :2]), _numbers(reader, table, rows)
    changed = switched | (joints.frames[slots] != frames).any(axis=1) | (joints.numbers[slots] != numbers).any(axis=1)
    joints.flags[slots], joints.frames[slots], joints.numbers[slots] = flags, frames, numbers
    joints.load[slots, 3] = _column(table, "break_force", rows)
    if changed.any():
        bodies = distinct(pair[changed])
        wake(state, bodies)


def _frames(reader: Reader, table: Any, rows: Array, centers: Array) -> Array:
    """Return anchors and axes of joints, float32 (n, 8). centers: (n, 2, 2), of mass, in the frames of their bodies."""
    angle = _column(table, reader.turn, rows)
    frames = np.zeros((len(rows), 8))
    for k, name in enumerate(reader.anchors):
        frames[:, 4 * k : 4 * k + 2] = _column(table, name, rows, (2,)) - centers[:, k]
    sin, cos = maths.sincos(angle)
    if reader.axis:
        axis = _column(table, reader.axis, rows, (2,))
        x, y = (axis / np.sqrt((axis**2).sum(axis=1, keepdims=True))).T
        frames[:, 2], frames[:, 3], frames[:, 6], frames[:, 7] = x, y, cos * x + sin * y, cos * y - sin * x
    else:
        frames[:, 2], frames[:, 3], frames[:, 6] = cos, sin, 1
    return frames.astype(np.float32)


def _numbers(reader: Reader, table: Any, rows: Array) -> Array:
    """Return the parameters of the kind, float32 (n, 16)."""
    numbers = np.zeros((len(rows), 16), np.float32)
    for k, source in enumerate(reader.numbers):
        numbers[:, k] = table.column(source)[rows] if isinstance(source, str) else source
    numbers[:, BREAK_TORQUE] = _column(table, "break_torque", rows)
    return numbers


def _column(table: Any, name: str, rows: Array, shape: tuple[int, ...] = ()) -> Array:
    """Return a column as float64; zeros if the component has no column of that name."""
    if name not in table.schema.fields:
        return np.zeros((len(rows), *shape))
    return table.column(name)[rows].astype(np.float64)


def _add(state: State, reader: Reader, table: Any, rows: Array, pair: Array) -> None:
    slots = take_slots(state.free, state.joints, JOINT, len(rows))
    joints, bodies = state.joints, state.bodies
    joints.entity[slots], joints.kind[slots], joints.pair[slots] = table.entities[rows], reader.kind, pair
    joints.flags[slots] = JOINT_USED
    _write(state, reader, table, rows, slots)
    joined = distinct(pair)
    bodies.flags[joined[joined > 0]] |= HAS_JOINT
    contacts.remove_between(state, pair[~table.collide_connected[rows]])
    wake(state, joined)
    state.stale(awake=False, active=False)


def _remove(state: State, slots: Array) -> None:
    """Remove joints; their bodies wake, and may collide with each other again."""
    if not len(slots):
        return
    joints, bodies = state.joints, state.bodies
    pair = joints.pair[slots].copy()
    _search_pairs_again(state, slots)
    give_slots(state.free, joints, JOINT, slots[::-1])
    joined = distinct(pair)
    joined = joined[(joined > 0) & (bodies.entity[joined] != 0)]
    bodies.flags[joined] &= ~HAS_JOINT
    still = distinct(joints.pair[(joints.flags & JOINT_USED) != 0])
    bodies.flags[still[still > 0]] |= HAS_JOINT
    wake(state, joined)
    state.stale(awake=False, active=False)


def _search_pairs_again(state: State, slots: Array) -> None:
    """Mark the shapes of these joints' bodies so that the broad phase searches for their pairs again."""
    shapes = shapes_of(state, distinct(state.joints.pair[slots]))
    state.shapes.flags[shapes] |= MOVED
    list_moved(state, shapes)


def clear_impulses(joints: Any, bodies: Array) -> None:
    """Clear the impulses of the joints of bodies (slots) whose numbers became invalid in a step.

    Values of the load that are not finite become the greatest float32, so that a breakable joint breaks.
    """
    lost = np.isin(joints.pair, bodies).any(axis=1) | ~np.isfinite(joints.impulses).all(axis=1)
    joints.impulses[lost] = 0
    np.nan_to_num(joints.load, copy=False, nan=_MAX_FLOAT32, posinf=_MAX_FLOAT32, neginf=-_MAX_FLOAT32)


def break_joints(state: State) -> None:
    """Remove the joints whose load exceeded their limit; called after a step."""
    joints = state.joints
    if not state.world[Links].breakable:
        return
    rows = np.flatnonzero((joints.load[:, 3] > 0) | (joints.numbers[:, BREAK_TORQUE] > 0))
    load = joints.load[rows].astype(np.float64)
    force, torque = np.sqrt(load[:, 0] ** 2 + load[:, 1] ** 2), np.abs(load[:, 2])
    maximum, torque_limit = load[:, 3], joints.numbers[rows, BREAK_TORQUE]
    broken = ((maximum > 0) & (force > maximum)) | ((torque_limit > 0) & (torque > torque_limit))
    broken &= joints.entity[rows] != 0
    if broken.any():
        broken_rows = rows[broken]
        handles, pair = joints.entity[broken_rows], state.bodies.entity[joints.pair[broken_rows]]
        _break(state.world, handles, pair, force[broken], torque[broken])


def _break(world: World, joints: Array, handles: Array, force: Array, torque: Array) -> None:
    world.emit(
        JointBroke, joint=joints.copy(), a=handles[:, 0].copy(), b=handles[:, 1].copy(),
        force=np.minimum(force, _MAX_FLOAT32).astype(np.float32), torque=torque.astype(np.float32),
    )  # fmt: skip
    world.despawn(joints.copy())
