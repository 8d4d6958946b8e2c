"""The memory of the step that is no state: the arrays of the solver, and what follows from the layout."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, resource
from rish_dynamics.coloring import GROUPS
from rish_ecs import Inputs
from rish_jit import Array
from rish_jit.simd import LANES
from rish_space3d import Transform3D

from ..bodies.layout import Layout
from ..bodies.models import ColliderModels3D
from ..bodies.motion import Motion
from ..broad.pairs import BroadPhase
from ..broad.triangles import NearTriangles
from ..components.areas import AREAS
from ..components.bodies import Body3D, Collider3D
from ..components.joints import READERS
from ..components.settings import Physics3DSettings, numbers_key, settings_key
from ..components.tables import Bodies3D, Contacts3D, Joints3D
from ..contacts.matching import sensor_bits
from ..contacts.narrow import working_memory
from ..contacts.shapes import CAPSULE
from ..joints.layout import JointLayout
from ..solver.blocks import SIZE
from ..solver.color import PARTS, color
from ..solver.joints.order import arrange_joints
from ..solver.joints.rows import ROOM, ROW
from ..solver.joints.vectors import VECTORS
from ..solver.soft import step_numbers

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
SOURCES = (
    Body3D, Collider3D, Transform3D, Disabled, Bodies3D, Contacts3D, Joints3D, ColliderModels3D, *READERS, *AREAS,
)  # fmt: skip
"""What a step reads. While neither this nor the settings change and nothing moves, nothing is to be done."""


@resource(derived=True)
class Stepper:
    """The memory of the solver. It is for one `Layout`, and made again for another."""

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self._numbers: tuple[Any, Array] | None = None
        self._surfaces: tuple[Array, Array, Array, bool, Array] | None = None
        self._rolling: tuple[Array, Array] | None = None
        self._room = 0
        self._joints: tuple[tuple[Array, ...], tuple[Array, ...]] | None = None
        self._inputs, self.busy = Inputs(SOURCES), False
        self._settings: tuple[Any, ...] = ()

    def use(self, layout: Layout) -> None:
        """Prepare for another layout."""
        if self.layout is layout:
            return
        self.layout, self.broad, self.motion = layout, BroadPhase(layout), Motion(layout)
        self.triangles = NearTriangles(layout)
        n = len(layout.entities)
        self.used, self.moves = np.zeros(n, np.uint64), np.zeros(n, np.int32)
        self.lists = np.zeros(n, np.int32), np.zeros(n, np.int32)
        self.lengths = layout.extents, layout.arms, np.where(layout.bullets, F32(-1), F32(0.5) * layout.inners)
        self.work = (np.zeros(LANES, np.int32), np.zeros(LANES, F32))
        self.counts, self.parts = np.zeros(PARTS * GROUPS, np.int64), np.zeros(PARTS + 1, np.int64)
        self._surfaces = self._rolling = None
        self._near: tuple[Array, Array, Array] | None = None

    def rests(self, world: World) -> bool:
        """Return whether nothing moves, and nothing has changed since the last step."""
        key, changed = settings_key(world[Physics3DSettings]), self._inputs.changed(world)
        if key != self._settings:
            self._settings, changed = key, True
            self.settings_digest = zlib.crc32(repr(key).encode()) or 1
        return not (changed or self.busy)

    def numbers(self, settings: Physics3DSettings, dt: float) -> Array:
        """Return the numbers of the step, see `solver.soft`."""
        key = (dt, numbers_key(settings))
        if self._numbers is None or self._numbers[0] != key:
            self._numbers = key, step_numbers(settings, dt)
        return self._numbers[1]

    def make_room(self, contacts: int) -> None:
        """Prepare the memory for that many contacts."""
        if contacts > self._room or not self._room:
            self._room = max(64, 2 * contacts)
            self.colors, self.order = np.zeros(self._room, np.int32), np.zeros(0, np.int32)
            self.meeting = working_memory(self._room)
            self.lanes, self.blocks = np.zeros(0, np.int32), np.zeros(0, F32)
            self.speeds = np.zeros(4 * self._room, F32)

    def allowed(self, near: Array, joints: JointLayout) -> Array:
        """Return the pairs of shapes without those of bodies that a joint keeps from colliding; sensors stay."""
        if not len(joints.apart):
            return near
        if self._near is None or self._near[0] is not near or self._near[1] is not joints.apart:
            assert self.layout is not None
            stays = ~joints.are_apart(self.layout.form[near, 1]) | self.layout.sensors[near].any(axis=1)
            self._near = near, joints.apart, near[stays]
        return self._near[2]

    def joint_arrays(self, joints: JointLayout, chosen: Array, awake: Array) -> tuple[Array, ...]:
        """Return the rows of joints in blocks, -1 for an unused lane, and the arrays of the joints for the solver,
        without their impulses, see `solver.substeps.Joints`.

        chosen: the rows of the joints. awake: bool, the bodies.
        """
        moving = awake[joints.jointed]
        key = (joints.digests, joints.form, chosen, moving)
        if self._joints is None or not all(map(np.array_equal, self._joints[0], key)):
            order = arrange_joints(joints.form[chosen], awake)
            rows = np.where(order >= 0, chosen[order], -1)
            form, frames, numbers = (
                np.where(rows[:, None] >= 0, array[rows], array.dtype.type(0)).ravel()
                for array in (joints.form, joints.frames, joints.numbers)
            )
            ends = np.stack([form[1::4], form[2::4], np.arange(len(rows), dtype=np.int32)])
            ends = ends.reshape(3, -1, LANES).swapaxes(0, 1).ravel()
            blocks, counts = len(rows) // LANES, np.zeros(2 * len(rows), np.int32)
            memory = [np.zeros(size * blocks, F32) for size in (ROOM * ROW, 2 * LANES, VECTORS * LANES)]
            self._joints = key, (rows, form, frames, numbers, ends, joints.jointed[moving], counts, *memory)
        return self._joints[1]

    def surfaces(self, near: Array) -> tuple[Array, Array, bool, Array]:
        """Return the friction and restitution of pairs of shapes, whether any restitution is above 0, and which shapes
        are sensors, see `sensor_bits`.
        """
        if self._surfaces is None or self._surfaces[0] is not near:
            assert self.layout is not None
            a, b = near[:, 0], near[:, 1]
            friction = np.sqrt(self.layout.friction[a] * self.layout.friction[b])
            restitution = np.maximum(self.layout.restitution[a], self.layout.restitution[b])
            bits = sensor_bits(self.layout, near)
            self._surfaces = near, friction, restitution, bool(restitution.any()), bits
        return self._surfaces[1:]

    def rolling(self, near: Array) -> Array | None:
        """Return the lengths of the rolling resistance of pairs of shapes, float32, m; None if no shape has any."""
        assert self.layout is not None
        if not self.layout.rolling.any():
            return None
        if self._rolling is None or self._rolling[0] is not near:
            radius = np.where(self.layout.form[:, 0] <= CAPSULE, self.layout.size[:, 0], F32(0))
            self._rolling = near, self.layout.rolling[near].max(axis=1) * radius[near].max(axis=1)
        return self._rolling[1]

    def arrange(self, active: Array, pair: Array, info: Array, awake: Array) -> int:
        """Assign contacts to lanes, and make room for their blocks; return the number of blocks.

        active: int32, the contacts. awake: bool, the bodies that impulses move.
        """
        while True:
            lanes = int(color(active, pair, info, awake, self.used, self.colors, self.order, self.counts, self.parts))
            if lanes <= len(self.order):
                break
            self.order = np.zeros(2 * lanes, np.int32)
            self.lanes, self.blocks = np.zeros(4 * lanes, np.int32), np.zeros(2 * lanes // LANES * SIZE, F32)
        return lanes // LANES
