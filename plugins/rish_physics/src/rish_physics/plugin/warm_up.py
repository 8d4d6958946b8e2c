"""The warm-up: before a scene starts, its kernels are compiled by running samples in a private World.

A kernel compiles when it is first called. That takes up to seconds, which would be a pause in the middle of a game at
the first bounce or the first bullet. So for each feature of the scene or a prefab, a few bodies collide for a few
ticks. Compiled kernels stay ready for the rest of the process; the next scene compiles only the kernels that it needs
in addition.

Features that neither a scene nor a prefab uses are not compiled, except joint kinds and queries that the game's code
has imported from the package, which it probably uses. If a script creates something else in the middle of a game, the
game waits once for the compiler, and the log says so.
"""

from __future__ import annotations

import functools
import logging
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import rish_jit
from rish_assets import LogOnce
from rish_core import Edges, Prefabs, World
from rish_ecs.declarations import distinct

from ..components.bodies import Body, BodyType, Collider, ColliderShape
from ..components.joints import READERS, RevoluteJoint
from ..components.links import Links
from ..components.notices import Notices
from ..components.scratch import Scratch
from ..components.settings import PhysicsSettings, SolvedSettings
from ..components.timings import Timings
from ..forces.character import Character
from .debug import DebugView
from .warm_up_samples import SAMPLES, Sample

_RESOURCES = {SolvedSettings, Links, Scratch, Timings, Notices, DebugView}
"""The resources that the world of a warm-up needs besides the settings."""
_FIELDS = (
    (Collider, "sensor", "sensors"),
    (Collider, "one_way", "one_way"),
    *((Collider, name, "cold") for name in ("restitution", "rolling_resistance", "surface_speed", "hit_events")),
    *((RevoluteJoint, name, "RevoluteJoint parts") for name in ("limited", "motor", "spring")),
)
"""Fields, and the sample that is needed if an entity or prefab has a value other than 0 or empty in them."""
_QUERIES = {
    "casts": "ray_cast ray_cast_all shape_cast shape_cast_all",
    "overlaps": "overlap_box overlap_circle overlap_point overlap_shape pick",
}
"""For each sample, the public functions that need its kernels."""


class _WarmedUp:
    """The samples that were run in this process, and whether one is running. Logs kernels that are compiled later,
    during the game.
    """

    def __init__(self) -> None:
        self.samples: set[str] = set()
        self.playing = False
        self._log = LogOnce("rish.physics")
        self._listens = False

    def begin(self) -> None:
        """Mark that a sample is running; from the first call on, compilations are observed."""
        self.playing = True
        if not self._listens:
            rish_jit.on_compile(self._hear)
            self._listens = True

    def _hear(self, name: str, _number: int) -> None:
        if name.startswith("rish_physics.") and not self.playing:
            line = f"{name} compiles in the middle of the game, as neither the scene nor a prefab showed its use"
            self._log(line, logging.INFO)


_warmed_up = _WarmedUp()


def warm_up(world: World) -> dict[str, Callable[[], object]]:
    """Return the samples that a scene needs and this process has not run, by name, for `rish_warm_up`."""
    if not rish_jit.available():
        return {}
    names = samples_of(world)
    joint_class = next((cls for cls in READERS if len(world.table(cls))), None)
    beside = {"plain": None, "bodies": joint_class or next((cls for cls in READERS if _imported(cls.__name__)), None)}
    return {
        name: functools.partial(_run, world, name, beside.get(name, joint_class))
        for name in SAMPLES
        if name in names and name not in _warmed_up.samples
    }


def _run(world: World, name: str, joint: type | None) -> None:
    """Run a sample in a private World with the settings of the game's World."""
    _warmed_up.begin()
    try:
        SAMPLES[name](Sample(private_world(world), joint))
    finally:
        _warmed_up.playing = False
    _warmed_up.samples.add(name)


def private_world(world: World) -> World:
    """Return an empty World with the same classes and the same physics settings."""
    world_copy = world.private(PhysicsSettings)
    for cls in world.resources:
        if cls in _RESOURCES:
            world_copy.put(cls())
    world_copy[Notices].muted = True  # the shots of the warm-up exceed the maximum speed on purpose
    return world_copy


def samples_of(world: World) -> set[str]:
    """Return the names of the samples that a scene may need, from its entities, the game's prefabs and its imports."""
    samples = {cls.__name__ for cls in READERS if _is_there(world, cls)}
    later = {cls.__name__ for cls in READERS if _imported(cls.__name__)} - samples
    moving = _is_there(world, Body)
    if not (samples or moving or _is_there(world, Collider)):
        return samples
    samples |= {"crowd", "bodies" if any(len(world.table(cls)) for cls in READERS) else "plain"}
    samples |= (
        later | ({"bodies"} if later else set()) | ({"RevoluteJoint parts"} if "RevoluteJoint" in later else set())
    )
    samples |= {*(sample for sample, names in _QUERIES.items() if _imported(names))}
    samples |= {sample for cls, field, sample in _FIELDS if _is_given(world, cls, field)}
    samples |= {"sleepers"} if moving and world[PhysicsSettings].sleeping else set()
    if moving and world[PhysicsSettings].continuous:
        samples |= {"continuous", "overrun"} if _has_kinematic(world) else {"continuous"}
    samples |= {"casts"} if _is_there(world, Character) else set()
    shapes = _shapes(world)
    if len(world[Edges]) or ColliderShape.CHAIN in shapes:
        samples |= {"chains", "edges"}
    if shapes - {ColliderShape.BOX, ColliderShape.CIRCLE, ColliderShape.CHAIN}:
        samples.add("hulls")
    return samples


def _is_there(world: World, cls: type) -> bool:
    """Return True if an entity or a prefab has this component."""
    return len(world.table(cls)) > 0 or any(True for _ in _written(world, cls))


def _is_given(world: World, cls: type, field: str) -> bool:
    """Return True if an entity or prefab has a value other than 0 or empty in this field."""
    return bool(world.table(cls).column(field).any()) or any(
        bool(np.any(values.get(field, False))) for values in _written(world, cls)
    )


def _has_kinematic(world: World) -> bool:
    """Return True if an entity or prefab has a kinematic body."""
    number = list(BodyType).index(BodyType.KINEMATIC)
    types = (values.get("type") for values in _written(world, Body))
    return bool((world.table(Body).column("type") == number).any()) or any(
        getattr(each, "value", each) == BodyType.KINEMATIC.value for each in types
    )


def _shapes(world: World) -> set[Any]:
    """Return the shapes of all colliders. A rounded shape other than a circle adds CAPSULE, since it is a rounded hull
    too.
    """
    every, table = list(ColliderShape), world.table(Collider)
    shapes = {every[int(number)] for number in distinct(table.column("shape"))}
    round_ = table.column("radius")[table.column("shape") != every.index(ColliderShape.CIRCLE)].any()
    for values in _written(world, Collider):
        shape = ColliderShape(getattr(values.get("shape"), "value", values.get("shape", ColliderShape.BOX.value)))
        shapes.add(shape)
        round_ = round_ or (shape is not ColliderShape.CIRCLE and bool(np.any(values.get("radius", 0))))
    return shapes | {ColliderShape.CAPSULE} if round_ else shapes


def _written(world: World, cls: type) -> Iterator[dict[str, Any]]:
    """Return the values that prefabs give to a component."""
    plans = world[Prefabs].plans.values() if Prefabs in world else ()
    return (step.parts[cls] for plan in plans for step in plan.steps if cls in step.parts)


def _imported(names: str) -> bool:
    """Return True if the game has imported one of these names from the package, and so probably uses it."""
    package = vars(sys.modules["rish_physics"])
    return any(name in package for name in names.split())
