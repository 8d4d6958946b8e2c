"""The system that advances physics by one tick: read the columns, step, write the columns, emit events.

Nothing but the components and `Contacts3D` is state. A body's pose in the solver is computed from its columns in each
tick, so a restored World continues with the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Stage, resource, system
from rish_dynamics.coloring import GROUPS
from rish_jit import Array
from rish_jit.simd import LANES
from rish_space3d import Transform3D

from .bodies.columns import finish_bodies, read_bodies, world_poses_of, write_rows
from .bodies.layout import DYNAMIC, STATIC, Layout
from .bodies.poses import local_poses, world_poses
from .broad.pairs import BroadPhase
from .components.bodies import Body3D, Collider3D
from .components.events import ContactBegin3D, ContactEnd3D, JointBroke3D, SensorBegin3D, SensorEnd3D
from .components.joints import READERS
from .components.notices import notify
from .components.settings import Physics3DSettings, numbers_key
from .components.tables import Contacts3D, Joints3D
from .contacts.matching import emit, match, sensor_bits
from .contacts.narrow import meet, working_memory
from .joints.changes import break_overloaded, forget_impulses, has_joints, match_joints, remove_orphans, write_rests
from .joints.layout import JointLayout
from .solver.blocks import SIZE
from .solver.bounce import approach, bounce
from .solver.color import PARTS, color
from .solver.integrate import world_inertia
from .solver.joints.rows import ROOM, ROW
from .solver.joints.vectors import VECTORS
from .solver.prepare import prepare, remember
from .solver.soft import step_numbers
from .solver.substeps import Bodies, Contacts, Joints, run_substeps

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_ZERO, _ONE = F32(0), F32(1)
_BODY_COLUMNS = (
    "velocity", "angular_velocity", "force", "torque", "linear_damping", "angular_damping", "gravity_scale",
)  # fmt: skip


@resource(derived=True)
class Stepper:
    """The memory of the solver. It is for one `Layout`, and made again for another."""

    def __init__(self) -> None:
        self.layout: Layout | None = None
        self._numbers: tuple[Any, Array] | None = None
        self._surfaces: tuple[Array, Array, Array, bool, Array] | None = None
        self._room = 0
        self.vectors = np.zeros(0, F32)
        self._joint_memory = np.zeros(0, np.int32), np.zeros(0, F32), np.zeros(0, F32)

    def use(self, layout: Layout) -> None:
        """Prepare for another layout."""
        if self.layout is layout:
            return
        self.layout, self.broad = layout, BroadPhase(layout)
        n = len(layout.entities)
        self.motion = (np.zeros(8 * n, F32), np.zeros(8 * n, F32), np.zeros(8 * n, F32))
        self.motion[2][7] = 1  # the world, body 0, turns nothing
        self.drive, self.inertia = np.zeros(8 * n, F32), np.zeros(8 * n, F32)
        self.dynamic: Array = layout.types == DYNAMIC
        self.bodies = np.flatnonzero((layout.types != STATIC) & (layout.rows >= 0)).astype(np.int32)
        self.moves = np.zeros(n, np.int32)
        self.moves[self.bodies] = self.bodies
        self.used, self.lost = np.zeros(n, np.uint64), np.zeros(n, np.int32)
        self.changed = np.zeros(n, np.int64)
        self.work = (np.zeros(LANES, np.int32), np.zeros(LANES, F32))
        self.counts, self.parts = np.zeros(PARTS * GROUPS, np.int64), np.zeros(PARTS + 1, np.int64)
        self._surfaces = None
        self._near: tuple[Array, Array, Array] | None = None

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
            pairs = np.sort(self.layout.form[near, 1], axis=1).astype(np.int64)
            keys = pairs[:, 0] * len(self.layout.entities) + pairs[:, 1]
            place = np.minimum(np.searchsorted(joints.apart, keys), len(joints.apart) - 1)
            self._near = near, joints.apart, near[(joints.apart[place] != keys) | self.layout.sensors[near].any(axis=1)]
        return self._near[2]

    def joint_memory(self, count: int) -> tuple[Array, Array, Array]:
        """Return counts, rows and loads for that many joints."""
        if len(self._joint_memory[0]) != 2 * count:
            self.vectors = np.zeros(VECTORS * count, F32)
            self._joint_memory = (
                np.zeros(2 * count, np.int32),
                np.zeros(ROOM * ROW * count, F32),
                np.zeros(2 * count, F32),
            )
        return self._joint_memory

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

    def arrange(self, active: Array, pair: Array, info: Array) -> int:
        """Assign the contacts to lanes, and make room for their blocks; return the number of blocks."""
        while True:
            lanes = int(
                color(active, pair, info, self.dynamic, self.used, self.colors, self.order, self.counts, self.parts)
            )
            if lanes <= len(self.order):
                break
            self.order = np.zeros(2 * lanes, np.int32)
            self.lanes, self.blocks = np.zeros(4 * lanes, np.int32), np.zeros(2 * lanes // LANES * SIZE, F32)
        return lanes // LANES


@system(
    Stage.STEP,
    name="step",
    reads=(Collider3D,),
    writes=(
        Body3D,
        Transform3D,
        *READERS,
        Contacts3D,
        Joints3D,
        ContactBegin3D,
        ContactEnd3D,
        JointBroke3D,
        SensorBegin3D,
        SensorEnd3D,
    ),
    marks=True,
)
def step_physics3d(world: World, dt: float) -> None:
    """The system `physics3d.step`: read the columns, step, write the columns, emit events."""
    stepper, settings = world[Stepper], world[Physics3DSettings]
    if dt <= 0:
        return
    joined = has_joints(world)
    if joined:
        remove_orphans(world)
        write_rests(world)
    layout, joints = world[Layout], world[JointLayout]
    stepper.use(layout)
    for entity, reason in layout.faults.items():
        notify(world, f"fault {entity}", f"its Collider3D is ignored: {reason}", entity)
    for name in layout.unknown_layers:
        notify(world, f"layer {name}", f"there is no collision layer {name!r}; its colliders use the default layer")
    for entity, sentence in joints.faults.items():
        notify(world, f"joint {entity}", sentence, entity)
    contacts = world[Contacts3D]
    match_joints(world[Joints3D], joints.entities)
    if len(layout.entities) == 1 and not len(contacts):
        return
    numbers = stepper.numbers(settings, dt)
    _read(world, stepper, layout)
    stepper.broad.fit(stepper.motion[2])
    near = stepper.allowed(stepper.broad.near(settings.margin, settings.speculative), joints)
    removed = match(contacts, layout, near)
    pair = np.ascontiguousarray(layout.form[near, 1])
    lost = _solve(stepper, (layout, joints), settings, numbers, (contacts, world[Joints3D]), near, pair)
    _warn_of_stopped(world, layout, lost, settings.reach)
    _write(world, stepper, layout, lost)
    if len(joints.entities):
        load = stepper.joint_memory(len(joints.entities))[2]
        break_overloaded(world, joints.entities, joints.limits, load.reshape(-1, 2))
    centers, speeds = stepper.motion[2].reshape(-1, 8)[pair[:, 0], :3], stepper.speeds[: 4 * len(near) : 4]
    emit(world, contacts, stepper.surfaces(near)[3], removed, centers, speeds)


def _read(world: World, stepper: Stepper, layout: Layout) -> None:
    """Read the columns of all bodies into the arrays of the solver."""
    places, table = world.table(Transform3D), world.table(Body3D)
    poses = places.flat("position"), places.flat("rotation")
    if places.parent.any():
        poses = tuple([column.astype(F32).ravel() for column in world_poses(world)[:2]])
    columns = tuple([table.flat(name) for name in _BODY_COLUMNS])
    read_bodies(
        (layout.places, layout.rows, layout.types), poses, columns, layout.frames.ravel(), layout.mass.ravel(),
        stepper.motion, stepper.drive,
    )  # fmt: skip
    world_inertia(stepper.bodies, stepper.motion[2], layout.mass.ravel(), stepper.inertia)


def _solve(stepper: Stepper, layouts: tuple[Layout, JointLayout], settings: Physics3DSettings, numbers: Array,
           tables: tuple[Any, Any], near: Array, pair: Array) -> Array:  # fmt: skip
    """Compute the contacts, and the velocities and displacements of the bodies; return those that were stopped.

    tables: contacts and joints.
    """
    layout, joints = layouts
    contacts = tables[0]
    count = len(near)
    stepper.make_room(count)
    active = np.arange(count, dtype=np.int32)
    linear, angular, pose = stepper.motion
    manifold, info = contacts.flat("manifold"), contacts.flat("info")
    ends, bodies = near.ravel(), pair.ravel()
    shapes = (layout.form.ravel(), layout.size.ravel(), layout.place.ravel())
    if count:
        meet(
            active, (bodies, ends, manifold, info), pose, shapes, layout.hulls, F32(settings.speculative),
            F32(settings.recycle), stepper.meeting,
        )  # fmt: skip
    friction, restitution, bounces, sensors = stepper.surfaces(near)
    met = active if bounces else np.flatnonzero((contacts.info[:, 0] > 0) & (contacts.info[:, 1] == 0)).astype(np.int32)
    stepper.speeds[: 4 * count] = 0
    approach(met, (bodies, manifold, info), stepper.moves, linear, angular, stepper.speeds)
    # A sensor pushes nothing.
    blocks = stepper.arrange(np.flatnonzero(sensors == 0).astype(np.int32) if sensors.any() else active, bodies, info)
    order, parts, lanes, out = stepper.order, stepper.parts, stepper.lanes, stepper.blocks
    share = _ONE if settings.warm_starting else _ZERO
    prepare(
        order, parts, bodies, info, manifold, friction, stepper.moves, linear, stepper.inertia, share, stepper.work,
        lanes, out,
    )  # fmt: skip
    bodies_of = Bodies(
        stepper.bodies, stepper.dynamic, linear, angular, pose, layout.mass.ravel(), stepper.drive, stepper.inertia
    )
    joined = None
    if len(joints.entities):
        described = joints.form.ravel(), joints.frames.ravel(), joints.numbers.ravel(), tables[1].flat("impulses")
        memory = stepper.joint_memory(len(joints.entities))
        joined = Joints(*described, *memory, joints.jointed, stepper.vectors)
    run_substeps(settings.substeps, bodies_of, Contacts(parts, out, lanes), joined, numbers, share)
    if bounces:
        bounce(
            order, blocks, info, restitution, stepper.speeds, F32(settings.restitution_threshold), lanes, linear,
            angular, out,
        )  # fmt: skip
    remember(order, blocks, info, manifold, out)
    lost = stepper.lost[: int(finish_bodies(stepper.bodies, stepper.motion, numbers, stepper.lost))]
    if len(lost):
        forget_impulses(tables[1], joints, lost)
    return lost


def _warn_of_stopped(world: World, layout: Layout, lost: Array, reach: float) -> None:
    """Log which bodies were stopped."""
    for entity in layout.entities[lost].tolist():
        what = f"its position or velocity is not finite, or it is farther than {reach:g} m from the origin"
        notify(world, f"far {entity}", f"the body is stopped: {what}", entity)


def _write(world: World, stepper: Stepper, layout: Layout, lost: Array) -> None:
    """Write the poses and velocities of the bodies to their columns, and mark the rows that changed.

    lost: bodies that were stopped; their poses stay.
    """
    bodies = stepper.bodies
    if not len(bodies):
        return
    linear, angular = (array.reshape(-1, 8)[bodies, :3].ravel() for array in stepper.motion[:2])
    position, rotation = np.zeros(3 * len(bodies)), np.zeros(4 * len(bodies))
    world_poses_of(bodies, layout.frames.ravel(), stepper.motion[2], position, rotation)
    if len(lost):
        stopped = np.isin(bodies, lost)
        before = world_poses(world)
        position.reshape(-1, 3)[stopped] = before[0][layout.places[bodies[stopped]]]
        rotation.reshape(-1, 4)[stopped] = before[1][layout.places[bodies[stopped]]]
    rows = layout.places[bodies]
    position, rotation = local_poses(world, rows, position.reshape(-1, 3), rotation.reshape(-1, 4))
    places, table = world.table(Transform3D), world.table(Body3D)
    _put(places, rows, ("position", "rotation"), (position.ravel(), rotation.ravel()), stepper.changed)
    _put(table, layout.rows[bodies], ("velocity", "angular_velocity"), (linear, angular), stepper.changed)


def _put(table: Any, rows: Array, names: tuple[str, str], values: tuple[Array, Array], changed: Array) -> None:
    """Write values into columns, and mark the rows in which they differ. changed: working memory."""
    count = write_rows(rows, values, (table.flat(names[0]), table.flat(names[1])), changed)
    if count:
        table.mark(changed[:count].copy() if count < len(table) else None)
