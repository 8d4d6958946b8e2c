"""The contract `rigid3d`: the declarations of every provider of rigid bodies in space, and the capabilities that a
provider may lack.

All providers declare the same classes under the namespace `physics3d`, so a game runs with any of them. A provider
names its capabilities in its `About`. What a game uses and its provider lacks is logged, with the entity.
docs/contracts/rigid3d.md describes the behavior.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import UnknownName

from .areas import AREAS
from .bodies import Body3D, Collider3D, ColliderShape3D
from .characters import Character3D
from .events import (
    ContactBegin3D,
    ContactEnd3D,
    FellAsleep3D,
    JointBroke3D,
    SensorBegin3D,
    SensorEnd3D,
    WokeUp3D,
)
from .joints import READERS
from .notices import notify
from .settings import Physics3DSettings

if TYPE_CHECKING:
    from rish_core import World

CONTRACT, VERSION, NAMESPACE = "rigid3d", "1.0", "physics3d"
"""The name and the version of the contract, and the namespace of all its providers."""
PHYSICS3D_COMPONENTS: tuple[type, ...] = (Body3D, Collider3D, Character3D, *READERS, *AREAS)
"""The components that every provider declares, also those that it does not simulate."""
PHYSICS3D_EVENTS: tuple[type, ...] = (
    ContactBegin3D, ContactEnd3D, SensorBegin3D, SensorEnd3D, FellAsleep3D, WokeUp3D, JointBroke3D,
)  # fmt: skip
"""The events that every provider declares."""


@dataclass(frozen=True)
class Capability:
    """A capability that a provider of `rigid3d` may have.

    text: what it does. without: what happens with a provider that does not have it. components: components that have
    an effect only with it. fields: fields that have an effect only with it; for each the value that needs the
    capability, or None for any value other than the default. settings: settings that have an effect only with it.
    """

    text: str
    without: str
    components: tuple[type, ...] = ()
    fields: tuple[tuple[type, str, Any], ...] = ()
    settings: tuple[str, ...] = ()


CAPABILITIES: Mapping[str, Capability] = {
    "character": Capability("a `Character3D` walks", "characters do not move", (Character3D,)),
    "capsules": Capability(
        "capsules are solid", "capsules are not solid", fields=((Collider3D, "shape", ColliderShape3D.CAPSULE),)
    ),
    "cone": Capability(
        "friction is the same in all directions, and also resists rotation about the normal",
        "friction is up to √2 times as strong between its two axes",
    ),
    "joints": Capability(
        "joints connect bodies, with limits, motors and springs, and break", "joints connect nothing", tuple(READERS)
    ),
    "layers": Capability(
        "colliders collide by their layers, masks and groups", "all colliders collide with all",
        fields=tuple((Collider3D, name, None) for name in ("category", "mask", "group")),
        settings=("layers",),
    ),
    "sensors": Capability(
        "sensors notice shapes and emit events", "sensors notice nothing", fields=((Collider3D, "sensor", None),)
    ),
    "sleep": Capability(
        "islands at rest fall asleep, and wake when anything about them changes", "nothing falls asleep",
        settings=("sleep_speed", "sleep_time"),
    ),
    "areas": Capability("wind, water and points of gravity act on bodies", "areas have no effect", AREAS),
    "queries": Capability(
        "`ray_cast_3d` and the other queries, `pick_body_3d`, `contacts_of_3d`, `overlaps_of_3d`", "they raise an error"
    ),
    "continuous": Capability(
        "fast bodies do not pass through thin ones", "fast bodies may pass through thin ones",
        fields=((Body3D, "bullet", None),), settings=("continuous",),
    ),
    "surfaces": Capability(
        "spheres and capsules resist rolling", "nothing resists rolling",
        fields=((Collider3D, "rolling_resistance", None),),
    ),
    "targets": Capability(
        "a kinematic body whose pose is written reaches it in the tick, and pushes and carries what it meets",
        "it jumps there",
    ),
    "methods": Capability(
        "`settings.physics3d.method` chooses the method of the solver", "the method is always soft",
        settings=("method",),
    ),
}  # fmt: skip
"""All capabilities of the contract by name."""


def provides(*capabilities: str) -> str:
    """Return the contract with these capabilities for `About(provides=[...])`. Raises UnknownName."""
    for name in capabilities:
        if name not in CAPABILITIES:
            raise UnknownName(f"{CONTRACT} has no capability {name!r}", given=name, choices=list(CAPABILITIES))
    return f"{CONTRACT}[{','.join(capabilities)}]=={VERSION}" if capabilities else f"{CONTRACT}=={VERSION}"


def warn_of_unsupported(world: World, capabilities: Collection[str], provider: str) -> None:
    """Log, once for each capability that the provider does not have, the first entity or the setting that needs it.

    Call it in each step, since code may spawn such an entity; if only settings need it, once in `rish_ready`.
    """
    for name, capability in CAPABILITIES.items():
        if name in capabilities:
            continue
        lacks = f"'{provider}' does not have the capability '{name}' of rigid3d: {capability.without}"
        uses = [(cls, cls.__name__, np.arange(len(world.table(cls)))) for cls in capability.components]
        for cls, field, value in capability.fields:
            uses.append((cls, f"{cls.__name__}.{field}", _using(world.table(cls), field, value)))
        for cls, what, rows in uses:
            if len(rows):
                entity = int(world.table(cls).entities[rows[0]])
                notify(world, f"lacks {name}", f"its {what} has no effect: {lacks}", entity)
        for setting in capability.settings:
            if getattr(world[Physics3DSettings], setting) != getattr(Physics3DSettings(), setting):
                notify(world, f"lacks {name}", f"settings.physics3d.{setting} has no effect: {lacks}")


def _using(table: Any, field: str, value: Any) -> Any:
    """Return the rows of a table whose field has the value that needs a capability. value: None for any value other
    than the default.
    """
    column, spec = table.column(field), table.schema.fields[field]
    index = spec.default if value is None else list(ColliderShape3D).index(value)
    same = column == np.asarray(index, column.dtype)
    same = same.all(axis=1) if same.ndim > 1 else same
    return np.flatnonzero(~same if value is None else same)
