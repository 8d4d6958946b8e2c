"""The data that the stages of a step share: the tables, the settings in world units, and the lists of this step.

Every stage is a function `stage(state)`. The lists are derived data: they can be rebuilt from the tables at any time
(`refresh`). They are kept between steps only because building them would cost more than a step in which all bodies
sleep. Code that changes their sources calls `state.stale()`.

For the same reason a stage caches the arguments of its kernels (`state.arguments`): looking up a dozen columns takes
longer than solving a few contacts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Disabled, Transform, UsageError, World
from rish_ecs import Inputs
from rish_jit import njit

from ..broad.index import Index
from ..components.bodies import Body, Collider
from ..components.scratch import Scratch, scratch_of
from ..components.settings import PhysicsSettings
from ..components.tables import (
    AWAKE,
    ENABLED,
    KINEMATIC,
    MOVED,
    NEEDS_UPDATE,
    QUARANTINED,
    STATIC,
    TYPE,
    USED,
    Bodies,
    Contacts,
    Ended,
    Free,
    Joints,
    Shapes,
    Woken,
)
from ..components.timings import Timings
from ..components.units import Scaled, scaled_of

Ints = npt.NDArray[np.int32]
NONE: Ints = np.zeros(0, np.int32)
"""An empty list. It is shared, so it must not be written."""


class Flats:
    """The columns of a table as flat arrays for the kernels: `flats.name` is `table.flat("name")`, until rows are added
    or removed.
    """

    def __init__(self, table: Any) -> None:
        self.used: int = table.used
        for name in table.schema.fields:
            setattr(self, name, table.flat(name))

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> npt.NDArray[Any]: ...


class State:
    """The data of a stage; one for each World, created by `State.of`.

    bodies, shapes, contacts, joints, free: the tables (`Columns`); call `flat(name)` again after rows were added.
    scratch: growable arrays. scaled: the settings in world units. dt: seconds per step.

    Lists, all int32, of exact length, ascending:

    awake: slots of the awake dynamic and kinematic bodies. movers: those that are kinematic. active: rows of the
    contacts with an awake body, and of those with the flag NEEDS_UPDATE. changed: rows of the contacts with the flag
    BEGAN or ENDED in this step. moved: shape slots whose fat boxes are new. fast: slots of bodies that moved so far
    that continuous collision must check them; their displacement of this step is still in `state[4:7]` of the body.
    quarantined: slots whose numbers became invalid in this step. slept: slots of bodies that fell asleep; the code that
    writes the events empties it. asleep: the number of sleeping bodies. fresh: the number of contacts that are active
    only because of the flag NEEDS_UPDATE. removed_before: the number of rows of `Ended` from before this step. Only
    these may be replaced by a contact that begins in this step. index: the spatial index of the shapes, and the set of
    contact pairs. rested: the longest time that any body has been at rest, in seconds. slowed: the number of bodies
    that were clamped to the maximum speed in this step.

    arguments: by stage, the arguments of its kernels; cleared when rows were added or removed, or a list or a setting
    was replaced (`refresh`). columns: the tables of Transform, Body, Collider and Disabled. inputs: the tables of
    bodies, shapes, contacts and joints, as they were when the lists were built.
    """

    def __init__(self, world: World, scratch: Scratch, scaled: Scaled, dt: float) -> None:
        self.world, self.scratch, self.scaled, self.dt = world, scratch, scaled, dt
        self.bodies: Any = world[Bodies]
        self.shapes: Any = world[Shapes]
        self.contacts: Any = world[Contacts]
        self.joints: Any = world[Joints]
        self.free: Any = world[Free]
        self.ended: Any = world[Ended]
        self.woken: Any = world[Woken]
        self.columns: tuple[Any, ...] = tuple(world.tables.get(cls) for cls in (Transform, Body, Collider, Disabled))
        self.arguments: dict[str, Any] = {}
        self.inputs = Inputs((Bodies, Shapes, Contacts, Joints))
        self.awake = self.active = self.moved = self.fast = self.quarantined = self.changed = NONE
        self.movers = self.slept = NONE
        self.asleep = self.fresh = self.removed_before = 0
        self.rested = 0.0
        self.slowed = 0
        self.timings = world[Timings]
        self.numbers: Any = None
        self.solver: Any = None
        self.course: Any = None
        self.plans: list[Any] = []
        self.index = Index(self.bodies, self.shapes, self.contacts)
        self.stale()
        self.moved = np.flatnonzero(self.shapes.flags & MOVED).astype(np.int32)

    @classmethod
    def of(cls, world: World) -> State:
        """Return the state of a World. It is created from the tables at the first call and after a restore.

        Raises UsageError if another provider of `physics2d` runs, which has no such tables.
        """
        scratch = scratch_of(world)
        if scratch is None:
            raise UsageError(
                "the provider of physics2d in this game does not have the capability 'queries', which this call needs",
                where=world.running or None,
                hint="Write physics2d=physics in plugins, and physics2d[queries] in requires of the calling plugin",
            )
        scaled = scaled_of(world[PhysicsSettings])
        state = scratch.state
        if state is None:
            state = scratch.state = cls(world, scratch, scaled, world.dt)
        dt = world.dt * scaled.time_scale
        if state.scaled is not scaled or state.dt != dt:
            state.scaled, state.dt = scaled, dt
            state.arguments.clear()
        return state

    def flats(self, table: Any) -> Flats:
        """Return the flat columns of a table, cached: looking them up one by one would take half the step of a small
        world.
        """
        return table.cached(Flats)

    def stale(self, *, awake: bool = True, active: bool = True, joints: bool = True) -> None:
        """Mark lists to be rebuilt before their next use. awake: bodies woke, fell asleep, were added or removed.
        active: contacts were added or removed. joints: joints changed.
        """
        if awake:
            self.stale_awake = True
        if awake or active:
            self.stale_active = True
        if awake or joints:
            self.stale_joints = True
        if joints:
            self.index.apart = None

    def refresh(self) -> None:
        """Rebuild the lists `awake` and `active` if they are stale, and clear cached arguments that are no longer
        valid.
        """
        if self.inputs.changed(self.world) or self.stale_active:
            self.arguments.clear()
        if self.stale_awake:
            room = len(self.bodies)
            awake, movers = np.empty(room, np.int32), self.scratch.take("movers", room, np.int32)
            count, n_movers, self.asleep = list_awake(self.bodies.flat("flags"), awake, movers)
            self.awake, self.movers = awake[:count], movers[:n_movers].copy()
            self.stale_awake = False
        if self.stale_active:
            active = self.scratch.take("active", len(self.contacts), np.int32)[: len(self.contacts)]
            count = self.fresh = 0
            if len(active):
                count, self.fresh = list_active(
                    self.contacts.flat("pair"), self.contacts.flat("info"), self.bodies.flat("flags"), active
                )
            self.active = active[:count]
            self.stale_active = False


@njit(borrows=True)
def list_awake(flags: Ints, awake: Ints, movers: Ints) -> tuple[int, int, int]:
    """List the awake moving bodies, and those of them that are kinematic. Return both numbers, and the number of
    sleeping ones. flags: of the bodies.
    """
    count, n_movers, asleep = 0, 0, 0
    for k in range(len(flags)):
        look = flags[k]
        if (look & (USED | ENABLED | QUARANTINED)) != USED | ENABLED or look & TYPE == STATIC:
            continue
        if not look & AWAKE:
            asleep += 1
            continue
        awake[count] = k
        count += 1
        if look & TYPE == KINEMATIC:
            movers[n_movers] = k
            n_movers += 1
    return count, n_movers, asleep


@njit(borrows=True)
def list_active(pair: Ints, info: Ints, flags: Ints, active: Ints) -> tuple[int, int]:
    """List the contacts that have an awake moving body or the flag NEEDS_UPDATE. Return their number, and the number
    of those that have only the flag. flags: of the bodies.
    """
    moves, count, new_count = AWAKE | QUARANTINED, 0, 0
    for c in range(len(active)):
        a, b = flags[np.uint64(pair[4 * c + 2])], flags[np.uint64(pair[4 * c + 3])]
        if (a & moves == AWAKE and a & TYPE != STATIC) or (b & moves == AWAKE and b & TYPE != STATIC):
            active[count] = c
            count += 1
        elif info[2 * c + 1] & NEEDS_UPDATE:
            active[count] = c
            count += 1
            new_count += 1
    return count, new_count
