"""The joints of the World as arrays for the kernels; computed again when joints or bodies come, go or change."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled
from rish_ecs import derived
from rish_jit import Array, maths
from rish_space3d import quaternions, unit_quaternions

from ..bodies.layout import Layout
from ..components import joint_kinds as jk
from ..components.bodies import DYNAMIC
from ..components.joints import READERS, Reader
from ..components.settings import Physics3DSettings
from ..maths.digests import digests

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_WIDEST = 0.95 * maths.PI
"""The widest cone, radians: near half a turn, the direction of the way back is not defined."""


_NOTHING = (
    np.zeros(0, np.int64), np.zeros((0, 4), np.int32), np.zeros((0, 16)), np.zeros((0, jk.NUMBERS)), np.zeros((0, 2)),
    np.zeros(0, np.bool_),
)  # fmt: skip
"""Entities, form, frames, numbers, limits and collisions of no joint."""


def reach_of(world: World) -> float:
    """Return the greatest distance of bodies from the origin, m."""
    return float(world[Physics3DSettings].reach)


@derived(reads=(Layout, Disabled, reach_of, *READERS))
class JointLayout:
    """The joints that connect two bodies, sorted by entity.

    entities: int64. form: int32 (n, 4): kind, bodies A and B of `Layout`, parts. frames: float32 (n, 16), see
    `solver.joints.build.joint_rows`. numbers: float32 (n, `NUMBERS`). limits: float64 (n, 2), force and torque at which
    they break, infinite for never. jointed: int32, the bodies with joints that are not static.
    digests: int64, of what a joint connects and of its numbers. apart: int64, sorted,
    `a * bodies + b` with a < b of bodies that do not collide because of a joint. faults: why components are no joints,
    by entity.
    """

    entities: Array = np.zeros(0, np.int64)
    form: Array = np.zeros((0, 4), np.int32)
    frames: Array = np.zeros((0, 16), F32)
    numbers: Array = np.zeros((0, jk.NUMBERS), F32)
    limits: Array = np.zeros((0, 2))
    jointed: Array = np.zeros(0, np.int32)
    digests: Array = np.zeros(0, np.int64)
    apart: Array = np.zeros(0, np.int64)
    faults: dict[int, str] = {}

    def compute(self, world: World) -> None:
        """Read the components of all joints."""
        layout, reach = world[Layout], reach_of(world)
        self.faults, self._count = {}, len(layout.entities)
        tables = [(world.table(cls), reader) for cls, reader in READERS.items()]
        columns = [self._read(world, layout, table, reader, reach) for table, reader in tables if len(table)]
        if not columns:
            columns = [_NOTHING]
        entities, form, frames, numbers, limits, collide = (
            np.concatenate(parts) for parts in zip(*columns, strict=True)
        )
        order = np.argsort(entities, kind="stable")
        self.entities, self.form, self.frames = entities[order], form[order], frames[order].astype(F32)
        self.numbers, self.limits = numbers[order].astype(F32), limits[order]
        pairs = np.sort(self.form[:, 1:3], axis=1).astype(np.int64)
        self.apart = np.unique((pairs[:, 0] * len(layout.entities) + pairs[:, 1])[~collide[order]])
        self.digests = digests(self.form[:, [0, 3]], layout.entities[self.form[:, 1:3]], self.frames, self.numbers)
        jointed = np.unique(self.form[:, 1:3])
        self.jointed = jointed[layout.types[jointed] == DYNAMIC].astype(np.int32)

    def are_apart(self, bodies: Array) -> Array:
        """Return which pairs of bodies (k, 2) do not collide because of a joint, bool."""
        if not len(self.apart):
            return np.zeros(len(bodies), np.bool_)
        low, high = np.sort(bodies, axis=1).T.astype(np.int64)
        keys = low * self._count + high
        place = np.minimum(np.searchsorted(self.apart, keys), len(self.apart) - 1)
        return self.apart[place] == keys

    def _read(self, world: World, layout: Layout, table: Any, reader: Reader, reach: float) -> tuple[Array, ...]:
        """Return entities, form, frames, numbers, limits, and whether the bodies collide, of one kind."""
        handles = np.column_stack([table.a, table.b]).reshape(-1, 2)
        bodies = np.searchsorted(layout.entities, handles)
        bodies[bodies == len(layout.entities)] = 0
        known = layout.entities[bodies] == handles
        wrong = _faults(table, reader, reach)
        for row in np.flatnonzero(~known.all(axis=1)).tolist():
            wrong[row] = "it connects an entity that has no Body3D and no Collider3D"
        for row in np.flatnonzero(handles[:, 0] == handles[:, 1]).tolist():
            wrong[row] = "a and b are the same entity"
        idle = known.all(axis=1) & (layout.types[bodies] != DYNAMIC).all(axis=1)
        for row in np.flatnonzero(idle).tolist():
            wrong.setdefault(row, "neither of its bodies is dynamic")
        disabled = world.table(Disabled).rows_of(table.entities) >= 0
        good = ~disabled
        for row, sentence in wrong.items():
            good[row] = False
            if not disabled[row]:
                self.faults[int(table.entities[row])] = f"its {table.schema.name} is ignored: {sentence}"
        rows = np.flatnonzero(good)
        form = np.zeros((len(rows), 4), np.int32)
        form[:, 0], form[:, 1:3] = reader.kind, bodies[rows]
        for name, bit in reader.flags.items():
            form[:, 3] |= np.where(table.column(name)[rows], bit, 0).astype(np.int32)
        numbers = np.zeros((len(rows), jk.NUMBERS))
        for index, name in reader.numbers.items():
            values = table.column(name)[rows]
            values = values if values.ndim > 1 else values[:, None]
            numbers[:, index : index + values.shape[1]] = values
        limits = np.full((len(rows), 2), np.inf)
        for k, name in enumerate(("break_force", "break_torque")):
            if name in table.schema.fields:
                values = table.column(name)[rows].astype(np.float64)
                limits[:, k] = np.where(values > 0, values, np.inf)
        frames = _frames(table, reader, rows, layout.frames[bodies[rows]].astype(np.float64))
        return table.entities[rows], form, frames, numbers, limits, table.collide_connected[rows]


def _faults(table: Any, reader: Reader, reach: float) -> dict[int, str]:
    """Return a sentence by row for each joint whose numbers are not valid."""
    wrong: dict[int, str] = {}

    def note(rows: Any, sentence: str) -> None:
        for row in np.flatnonzero(rows).tolist():
            wrong.setdefault(row, sentence)

    names = {*reader.numbers.values(), *reader.anchors, reader.axis, reader.axle} - {""}
    for name in sorted(names):
        values = np.asarray(table.column(name), np.float64).reshape(len(table), -1)
        note(~np.isfinite(values).all(axis=1), f"its {name} is not finite")
    for name in reader.anchors:
        far = np.abs(np.asarray(table.column(name), np.float64)).max(axis=1, initial=0) > 2 * reach
        note(far, f"its {name} is more than {2 * reach:g} m away, where nothing is simulated")
    if reader.axis:
        note(~table.column(reader.axis).any(axis=1), "its axis has length 0")
    if reader.axle:
        axis, axle = (np.asarray(table.column(name), np.float64) for name in (reader.axis, reader.axle))
        across = np.cross(axis, axle)
        product = np.sqrt((axis**2).sum(axis=1) * (axle**2).sum(axis=1))
        note(np.sqrt((across**2).sum(axis=1)) < 1e-3 * product, "its axle is along its axis")
        note(~axle.any(axis=1), "its axle has length 0")
    if "limited" in reader.flags:
        note(table.limited & (table.lower > table.upper), "its lower limit is above the upper one")
        if reader.angular:
            wide = table.limited & (table.upper - table.lower >= maths.TAU)
            note(wide, "its limits are a full turn apart; without `limited` it turns freely")
            off = table.limited & (np.maximum(np.abs(table.lower), np.abs(table.upper)) > maths.TAU)
            note(off, "its limits are more than a full turn from the rotation that counts as none")
    if "cone_limited" in reader.flags:
        note(table.cone_limited & (table.cone > _WIDEST), f"its cone is wider than {maths.degrees(_WIDEST):.0f}°")
    return wrong


def _frames(table: Any, reader: Reader, rows: Array, bodies: Array) -> Array:
    """Return anchors and frames of joints in the frames of their bodies, float64 (n, 16).

    bodies: (n, 2, 8), see `Layout.frames`.
    """
    out = np.zeros((len(rows), 16))
    main = (
        np.asarray(table.column(reader.axis)[rows], np.float64) if reader.axis else np.tile([1.0, 0, 0], (len(rows), 1))
    )
    side = np.asarray(table.column(reader.axle)[rows], np.float64) if reader.axle else None
    frame_a = frame_along(main, side)
    frame_b = frame_a
    if reader.turns:
        frame_b = quaternions.product(quaternions.inverse(unit_quaternions(table.rotation[rows])), frame_a)
    for k, (name, frame) in enumerate(zip(reader.anchors, (frame_a, frame_b), strict=True)):
        back = quaternions.inverse(bodies[:, k, 4:])
        anchor = np.asarray(table.column(name)[rows], np.float64)
        out[:, 8 * k : 8 * k + 3] = quaternions.turned(back, anchor - bodies[:, k, :3])
        out[:, 8 * k + 4 : 8 * k + 8] = quaternions.product(back, frame)
    return out


def frame_along(main: Array, side: Array | None = None) -> Array:
    """Return rotations (n, 4) whose x axis is along `main`, and whose z axis is near `side`."""
    x = main / np.sqrt((main**2).sum(axis=1, keepdims=True))
    if side is None:
        # The axis of the world that is the most across it.
        side = np.eye(3)[np.abs(x).argmin(axis=1)]
    y = np.cross(side, x)
    y /= np.sqrt((y**2).sum(axis=1, keepdims=True))
    return quaternions.from_matrix(np.stack([x, y, np.cross(x, y)], axis=2))
