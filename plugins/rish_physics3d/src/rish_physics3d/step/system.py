"""The system that advances physics by one tick: read the columns, step, write the columns, emit events.

Nothing but the components and the tables of `components.tables` is state. A body's pose in the solver is computed from
its columns in each tick, so a restored World continues with the same bits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Stage, system
from rish_jit import Array
from rish_jit.simd import LANES
from rish_space3d import Transform3D

from ..bodies.columns import finish_bodies
from ..bodies.driven import arrive, drive
from ..bodies.layout import Layout
from ..bodies.memory import match_bodies, match_joints, settings_changed
from ..bodies.waking import Islands
from ..components.areas import AREAS
from ..components.bodies import Body3D, Collider3D
from ..components.characters import Character3D
from ..components.events import (
    ContactBegin3D,
    ContactEnd3D,
    FellAsleep3D,
    JointBroke3D,
    SensorBegin3D,
    SensorEnd3D,
    WokeUp3D,
)
from ..components.joints import READERS
from ..components.notices import notify
from ..components.settings import Physics3DSettings
from ..components.tables import Bodies3D, Contacts3D, Joints3D, Solved3D
from ..contacts.matching import emit, forget_contact_impulses, list_contacts, match
from ..contacts.narrow import meet
from ..contacts.released import release_grounds
from ..joints.changes import break_overloaded, forget_impulses, has_joints, remove_orphans, write_rests
from ..joints.layout import JointLayout
from ..solver.bounce import approach, bounce
from ..solver.prepare import prepare, remember
from ..solver.roll import prepare_rolls, remember_rolls
from ..solver.substeps import Bodies, Contacts, Joints, run_substeps
from .areas import Areas
from .continuous import Sweeps
from .memory import Stepper

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_NO_JOINTS = JointLayout()


@system(
    Stage.STEP,
    name="step",
    reads=(Collider3D, Character3D, *AREAS),
    writes=(
        Body3D, Transform3D, *READERS, Bodies3D, Contacts3D, Joints3D, Solved3D, ContactBegin3D, ContactEnd3D,
        SensorBegin3D, SensorEnd3D, FellAsleep3D, WokeUp3D, JointBroke3D,
    ),
    marks=True,
)  # fmt: skip
def step_physics3d(world: World, dt: float) -> None:
    """The system `physics3d.step`: read the columns, step, write the columns, emit events."""
    stepper, dt = world[Stepper], dt * world[Physics3DSettings].time_scale
    if dt <= 0 or stepper.rests(world):
        return
    joints = _NO_JOINTS
    if has_joints(world):
        remove_orphans(world)
        write_rests(world)
        joints = world[JointLayout]
    layout = world[Layout]
    stepper.use(layout)
    _report(world, layout, joints)
    if len(layout.entities) == 1 and not len(world[Contacts3D]):
        stepper.busy = False
        return
    _Step(world, stepper, layout, joints, dt).run()


def _report(world: World, layout: Layout, joints: JointLayout) -> None:
    """Log each component that is ignored, once."""
    for entity, reason in layout.faults.items():
        notify(world, f"fault {entity}", f"its Collider3D is ignored: {reason}", entity)
    for entity in layout.wrong_masses:
        sentence = "its mass is not finite or below 0, so it has that of its shapes. Set one above 0, or 0"
        notify(world, f"mass {entity}", sentence, entity)
    for name in layout.unknown_layers:
        notify(world, f"layer {name}", f"there is no collision layer {name!r}; its colliders use the default layer")
    for entity, sentence in joints.faults.items():
        notify(world, f"joint {entity}", sentence, entity)


class _Step:
    """One step. Its methods are the stages, in their order."""

    def __init__(self, world: World, stepper: Stepper, layout: Layout, joints: JointLayout, dt: float) -> None:
        self.world, self.stepper, self.layout, self.motion = world, stepper, layout, stepper.motion
        self.joints, self.settings = joints, world[Physics3DSettings]
        self.numbers, self.dt = stepper.numbers(self.settings, dt), dt
        self.contacts: Any = world[Contacts3D]
        self.impulses: Any = world[Joints3D]

    def run(self) -> None:
        """Advance the World."""
        world, layout = self.world, self.layout
        self._begin()
        self._find_contacts()
        self._meet()
        lost = self._solve()
        self.motion.write(world, self._without_driven(self.moving), lost)
        if len(self.joined):
            load = self.load.reshape(-1, 2, LANES).swapaxes(1, 2).reshape(-1, 2)[self.used]
            break_overloaded(world, self.joints.entities[self.joined], self.joints.limits[self.joined], load)
        falls = self._rest()
        centers, speeds = self.motion.pose.reshape(-1, 8)[:, :3], self.stepper.speeds[::4]
        emit(world, self.contacts, self.sensors, self.removed, self.pair[:, 0], centers, speeds)
        for event, bodies in ((FellAsleep3D, falls), (WokeUp3D, self.islands.woke)):
            if bodies.any():
                world.emit(event, body=layout.entities[bodies])
        fresh = world[Bodies3D].fresh
        self.stepper.busy = bool((self.islands.awake | self.islands.stirs).any() or fresh.any())

    def _without_driven(self, bodies: Array) -> Array:
        """Return bodies without those whose poses were written."""
        if not len(self.driven.bodies):
            return bodies
        is_driven = np.zeros(len(self.layout.entities), np.bool_)
        is_driven[self.driven.bodies] = True
        return bodies[~is_driven[bodies]]

    def _begin(self) -> None:
        """Read the columns, and find out which bodies are awake."""
        world, layout, motion = self.world, self.layout, self.motion
        new, changed = match_bodies(world[Bodies3D], layout)
        joined = match_joints(self.impulses, self.joints, layout)
        disturbed = np.isin(layout.entities, joined) if len(joined) else np.zeros(len(new), np.bool_)
        if settings_changed(world[Solved3D], self.stepper.settings_digest):
            disturbed[:] = True
        motion.read(world, world[Bodies3D].flat("seen"))
        self._name_stopped(motion.unsound)
        self.driven = drive(motion, world[Bodies3D], ~(new | changed), self.settings, self.dt)
        self.islands = Islands(world, layout)
        self.islands.notice(motion, new, changed, disturbed)
        self._notice_areas()

    def _notice_areas(self) -> None:
        """Read the areas; wake the sleeping bodies for which their forces have changed."""
        bodies, solved = self.world[Bodies3D], self.world[Solved3D]
        self.areas = Areas(self.world, self.motion, self.dt)
        self.areas.store(bodies, np.flatnonzero(self.islands.asleep & (bodies.fresh != 0)))
        digest = self.areas.digest()
        if digest != solved.areas:
            solved.areas = digest
            self.islands.wake(self.areas.disturbed(bodies, self.islands.asleep))

    def _find_contacts(self) -> None:
        """Find the pairs of shapes that are near each other, and update the contacts to them."""
        stepper, layout, settings = self.stepper, self.layout, self.settings
        stepper.broad.fit(self.motion.pose)
        near = stepper.allowed(stepper.broad.near(settings.margin, settings.speculative), self.joints)
        boxes, pose = stepper.broad.boxes, self.motion.pose
        self.near, child = stepper.triangles.expand(near, boxes, pose, settings.speculative)
        self.removed = match(self.contacts, layout, self.near, child)
        self.pair = np.ascontiguousarray(layout.form[self.near, 1])
        self.friction, self.restitution, self.bounces, self.sensors = stepper.surfaces(self.near)
        stepper.make_room(len(self.near))
        self.islands.wake(self._left_alone())

    def _left_alone(self) -> Array:
        """Return the bodies (bool) that had a contact which is no longer there."""
        layout, (pairs, _) = self.layout, self.removed
        alone = np.zeros(len(layout.entities), np.bool_)
        if len(pairs) and len(layout.shape_entities):
            ends = pairs.ravel()
            place = np.minimum(np.searchsorted(layout.shape_entities, ends), len(layout.shape_entities) - 1)
            alone[layout.form[place[layout.shape_entities[place] == ends], 1]] = True
        return alone

    def _meet(self) -> None:
        """Compute the manifolds of all contacts of active bodies; those that wake in it become active too."""
        layout, settings, islands = self.layout, self.settings, self.islands
        solid, joined = self.sensors == 0, self.joints.form[:, 1:3]
        pair, computed = self.pair.ravel(), np.zeros(len(self.near), np.int32)
        columns = [self.contacts.flat(name) for name in ("child", "manifold", "info")]
        contacts = (pair, self.near.ravel(), *columns)
        shapes = (layout.form.ravel(), layout.size.ravel(), layout.place.ravel())
        while True:
            rows = self._with_bodies(islands.active, computed)
            computed[rows] = 1
            if len(rows):
                meet(
                    rows, contacts, self.motion.pose, shapes, layout.hulls, layout.meshes, F32(settings.speculative),
                    F32(settings.recycle), self.stepper.meeting,
                )  # fmt: skip
            if not islands.asleep.any():
                break
            if not islands.wake(islands.touched(self.contacts, self.pair, rows, solid, joined)):
                break
        awake = islands.awake
        released = release_grounds(self.world, self.contacts)
        self.active = self._with_bodies(awake, self.sensors if released is None else self.sensors | released)
        self.moving = np.flatnonzero(awake | islands.moves).astype(np.int32)
        self.stepper.moves[:] = 0
        self.stepper.moves[self.moving] = self.moving
        self.motion.turn_inertia(self.moving)
        self.areas.push(np.flatnonzero(awake))

    def _with_bodies(self, bodies: Array, omitted: Array) -> Array:
        """Return the contacts of bodies (bool), int32, without those at which `omitted`, int32, is not 0."""
        rows = np.empty(len(self.near), np.int32)
        return rows[: int(list_contacts(self.pair.ravel(), bodies, omitted, rows))]

    def _solve(self) -> Array:
        """Compute the velocities and displacements of the bodies; return those that were stopped."""
        stepper, motion, settings, layout = self.stepper, self.motion, self.settings, self.layout
        manifold, info, bodies = self.contacts.flat("manifold"), self.contacts.flat("info"), self.pair.ravel()
        linear, angular, pose = motion.arrays
        stepper.speeds[: 4 * len(self.near)] = 0
        met = self.active
        if not self.bounces:
            met = met[(self.contacts.info[met, 0] > 0) & (self.contacts.info[met, 1] == 0)]
        approach(met, (bodies, manifold, info), stepper.moves, linear, angular, stepper.speeds)
        awake = self.islands.awake
        blocks = stepper.arrange(self.active, bodies, info, awake)
        order, parts, lanes, out = stepper.order, stepper.parts, stepper.lanes, stepper.blocks
        share = F32(1 if settings.warm_starting else 0)
        prepare(
            order, parts, bodies, info, manifold, self.friction, stepper.moves, linear, motion.inertia, share,
            stepper.work, lanes, out,
        )  # fmt: skip
        lengths, rolls = stepper.rolling(self.near), None
        if lengths is not None:
            contacts = self.contacts.info, self.contacts.manifold
            rolls = prepare_rolls(order, parts, *contacts, lengths, out, share)
        arrays = Bodies(self.moving, awake, linear, angular, pose, layout.mass.ravel(), motion.drive, motion.inertia)
        joints = self._joints()
        run_substeps(settings.substeps, arrays, Contacts(parts, out, lanes, rolls), joints, self.numbers, share)
        if joints is not None:
            self.impulses.impulses[self.joined] = joints.stored.reshape(len(self.used), -1)[self.used]
        if self.bounces:
            bounce(
                order, blocks, info, self.restitution, stepper.speeds, F32(settings.restitution_threshold), lanes,
                linear, angular, out,
            )  # fmt: skip
        remember(order, blocks, info, manifold, out)
        if rolls is not None:
            remember_rolls(rolls, order, self.contacts.manifold)
        return self._finish()

    def _joints(self) -> Joints | None:
        """Return the joints with an awake body for the solver; None if there is none. Others keep their impulses."""
        joints = self.joints
        ends = joints.form[:, 1:3]
        if not len(ends):
            self.joined = ends[:, 0]
            return None
        is_sound = ~np.isin(ends, self.motion.unsound).any(axis=1)
        chosen = np.flatnonzero(is_sound & self.islands.awake[ends].any(axis=1))
        self.joined = chosen
        if not len(chosen):
            return None
        rows, *arrays = self.stepper.joint_arrays(joints, chosen, self.islands.awake)
        form, frames, numbers, ends, jointed, counts, memory, load, vectors = arrays
        self.used = rows >= 0
        self.joined, self.load = rows[self.used], load
        stored = self.impulses.impulses[rows].ravel()
        return Joints(form, frames, numbers, ends, jointed, stored, counts, memory, load, vectors)

    def _finish(self) -> Array:
        """Add the displacements to the poses, and count the time at rest; return the bodies that were stopped."""
        stepper, settings = self.stepper, self.settings
        rest = self.world[Bodies3D].flat("rest")
        arrays, table = self.motion.arrays, self.world.table(Body3D)
        usual = F32(settings.sleep_speed if settings.sleeping else -1)
        sleep = self.layout.rows, table.flat("allow_sleep"), table.flat("sleep_speed"), usual
        counts = finish_bodies(self.moving, arrays, self.numbers, stepper.lengths, sleep, rest, stepper.lists)
        lost, fast = (found[:count] for found, count in zip(stepper.lists, counts, strict=True))
        arrive(self.motion, self.driven)
        if settings.continuous and len(fast):
            self._stop(fast)
        if len(lost):
            forget_impulses(self.impulses, self.joints, lost)
            forget_contact_impulses(self.contacts, self.pair, lost)
            self.motion.linear[:8] = self.motion.angular[:8] = 0  # of the world, which is never read
        self._name_stopped(lost)
        return lost

    def _stop(self, fast: Array) -> None:
        """Keep fast bodies from passing through others; sleeping ones that kinematic bodies hit wake and move."""
        stepper = self.stepper
        sweeps = Sweeps(self.layout, self.motion, stepper.broad, stepper.triangles, self.joints, self.numbers)
        hit = sweeps.run(fast, self.moving)
        if len(hit):
            self.moving = np.union1d(self.moving, hit)
            self.islands.wake(np.isin(np.arange(len(self.layout.entities)), hit))

    def _name_stopped(self, bodies: Array) -> None:
        """Log bodies that are stopped, each once."""
        what = f"is not finite, or it is farther than {self.settings.reach:g} m from the origin"
        for entity in self.layout.entities[bodies].tolist():
            sentence = f"the body is stopped: its position, velocity or another number {what}"
            notify(self.world, f"far {entity}", sentence, entity)

    def _rest(self) -> Array:
        """Put islands to sleep; return the bodies that fell asleep, bool. Note where these and kinematic bodies are."""
        falls = np.zeros(len(self.layout.entities), np.bool_)
        if self.islands.rested().any():
            touching = self.active[self.contacts.info[self.active, 0] > 0]
            falls = self.islands.put_to_sleep(np.concatenate([self.pair[touching], self.joints.form[:, 1:3]]))
            table, rows = self.world.table(Body3D), self.layout.rows[falls]
            if len(rows):
                table.velocity[rows], table.angular_velocity[rows] = 0, 0
                table.mark(rows)
        noted = np.flatnonzero(falls | self.islands.moves).astype(np.int32)
        if len(noted):
            seen = self.world[Bodies3D]
            own = self._without_driven(noted)
            if len(own):  # as the columns have rounded them
                self.motion.read(self.world, seen.flat("seen"), own)
            seen.seen[noted], seen.fresh[noted] = self.motion.situation(noted), 1
            self.areas.store(seen, np.flatnonzero(falls))
        return falls
