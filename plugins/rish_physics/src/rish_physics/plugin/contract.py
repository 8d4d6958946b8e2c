"""The contract `physics2d`: the declarations of every provider of 2D physics, and the capabilities that a provider may
lack.

All providers declare the same classes under the namespace `physics`, so a game runs with any of them. A provider names
its capabilities in its `About`. If a game uses a capability that the provider does not have, that is reported with its
place when the game is loaded. docs/contracts/physics2d.md describes the behavior.
"""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Origin, UnknownName, World
from rish_core.manifest import Mark, YamlMap, place_at
from rish_dynamics import DEFAULT
from rish_ecs import Problem

from ..components.bodies import Body, Collider, ColliderShape
from ..components.joints import READERS
from ..components.notices import notify
from ..components.settings import PhysicsSettings
from ..contacts.events import EVENTS
from ..forces.character import Character
from ..sync.areas import AREAS
from .manifest_check import check_mistakes, entries_of, part_of

if TYPE_CHECKING:
    from rish_core import Manifest

CONTRACT, VERSION, NAMESPACE = "physics2d", "1.0", "physics"
"""The name and the version of the contract, and the namespace of all its providers."""
PHYSICS_COMPONENTS: tuple[type, ...] = (Body, Collider, *READERS, *AREAS, Character)
"""The components that every provider declares, also those that it does not simulate."""
PHYSICS_EVENTS: tuple[type, ...] = EVENTS
"""The events that every provider declares."""
_log = logging.getLogger("rish.physics")


@dataclass(frozen=True)
class Capability:
    """A capability that a provider of `physics2d` may have.

    text: what it does. without: what happens with a provider that does not have it. components: components that have
    an effect only with it. fields: fields of Body and Collider that have an effect only with it; for each the value
    that needs the capability, or None for any value other than the default.
    """

    text: str
    without: str
    components: tuple[type, ...] = ()
    fields: tuple[tuple[type, str, Any], ...] = ()


CAPABILITIES: Mapping[str, Capability] = {
    "joints": Capability(
        "joints connect bodies, with limits, motors and springs, and break", "joints connect nothing", tuple(READERS)
    ),
    "sensors": Capability(
        "sensors notice shapes and emit events", "sensors notice nothing", fields=((Collider, "sensor", None),)
    ),
    "chains": Capability(
        "chains are ground that is solid on one side and smooth", "chains are not solid",
        fields=((Collider, "shape", ColliderShape.CHAIN),),
    ),
    "one_way": Capability(
        "bodies pass through one-way colliders in their direction", "one-way colliders are solid on all sides",
        fields=((Collider, "one_way", None),),
    ),
    "surfaces": Capability(
        "surfaces move like conveyor belts, resist rolling, and have a lower friction once bodies slide",
        "surfaces have one friction and nothing else",
        fields=(
            (Collider, "surface_speed", None), (Collider, "rolling_resistance", None),
            (Collider, "dynamic_friction", None),
        ),
    ),
    "continuous": Capability(
        "fast bodies do not pass through thin ones", "fast bodies may pass through thin ones",
        fields=((Body, "bullet", None),),
    ),
    "sleeping": Capability(
        "bodies at rest fall asleep, and wake when they are touched", "no body ever sleeps",
        fields=((Body, "asleep", None),),
    ),
    "areas": Capability("wind, water and points of gravity act on bodies", "areas have no effect", AREAS),
    "character": Capability("characters walk on ground, slopes and steps", "characters do not move", (Character,)),
    "queries": Capability(
        "`ray_cast` and the other queries, `pick`, `contacts_of`, `overlaps_of`, `explode`", "they raise UsageError"
    ),
    "debug": Capability("`DebugView` draws the data of the solver", "`settings.physics.debug` draws nothing"),
}  # fmt: skip
"""All capabilities of the contract by name."""


def provides(*capabilities: str) -> str:
    """Return the contract with these capabilities for `About(provides=[...])`. Raises UnknownName."""
    for name in capabilities:
        if name not in CAPABILITIES:
            raise UnknownName(f"physics2d has no capability {name!r}", given=name, choices=list(CAPABILITIES))
    return f"{CONTRACT}[{','.join(capabilities)}]=={VERSION}" if capabilities else f"{CONTRACT}=={VERSION}"


def layer_names(world: World) -> list[str]:
    """Return the names of the collision layers, for `rish_names`: `{"collision_layers": layer_names}`."""
    return list(dict.fromkeys([DEFAULT, *world[PhysicsSettings].layers]))


def check_physics(manifest: Manifest, capabilities: Collection[str], provider: str) -> None:
    """Check the physics of a manifest; call it in `rish_manifest`.

    Adds the mistakes in outlines, layers, joints and Transforms to the manifest's problems. Logs a warning for each
    capability that the manifest uses and the provider does not have, at the first place that needs it.
    """
    check_mistakes(manifest)
    for name, places in _needs(manifest, _lacking(capabilities)).items():
        mark, path = places[0]
        suffix = f" (and {len(places) - 1} more)" if len(places) > 1 else ""
        _log.warning("%s%s", Problem(place_at(mark), path, _unsupported(name, provider)), suffix)
    debug = manifest.settings.get("physics")
    if "debug" not in capabilities and isinstance(debug, YamlMap) and debug.get("debug"):
        mark = debug.values_at["debug"]
        _log.warning("%s", Problem(place_at(mark), "settings.physics.debug", _unsupported("debug", provider)))


def warn_of_unsupported(world: World, capabilities: Collection[str], provider: str) -> None:
    """Log, once for each capability, that an entity needs it and the provider does not have it; call it in each
    step.

    It finds entities that code has spawned. Entities of the manifest are left out, because `check_physics` has
    reported them.
    """
    for name, capability in _lacking(capabilities).items():
        uses = [(cls, cls.__name__, np.arange(len(world.table(cls)))) for cls in capability.components]
        for cls, field, value in capability.fields:
            uses.append((cls, f"{cls.__name__}.{field}", _using(world.table(cls), field, value)))
        for cls, what, rows in uses:
            entities = world.table(cls).entities[rows]
            spawned = entities[world.table(Origin).rows_of(entities) < 0]
            if len(spawned):
                notify(world, f"lacks {name}", f"its {what}: {_unsupported(name, provider)}", int(spawned[0]))


def _lacking(capabilities: Collection[str]) -> dict[str, Capability]:
    return {name: capability for name, capability in CAPABILITIES.items() if name not in capabilities}


def _unsupported(name: str, provider: str) -> str:
    return (
        f"the physics of '{provider}' does not have the capability '{name}': {CAPABILITIES[name].without}."
        " Choose another provider, such as physics2d=physics in plugins"
    )


def _using(table: Any, field: str, value: Any) -> Any:
    """Return the rows of a table whose field has the value that needs a capability. value: None for any value other
    than the default.
    """
    column, spec = table.column(field), table.schema.fields[field]
    index = spec.default if value is None else list(ColliderShape).index(value)
    same = column == np.asarray(index, column.dtype)
    same = same.all(axis=1) if same.ndim > 1 else same
    return np.flatnonzero(~same if value is None else same)


def _needs(manifest: Manifest, lacking: Mapping[str, Capability]) -> dict[str, list[tuple[Mark, str]]]:
    """Return for each capability in `lacking` the places of the manifest that need it, as (mark, path)."""
    needs: dict[str, list[tuple[Mark, str]]] = {}
    for entry, path in entries_of(manifest):
        for name, capability in lacking.items():
            places = needs.setdefault(name, [])
            for cls in capability.components:
                part = part_of(entry, cls.__name__)
                if isinstance(part, YamlMap):
                    places.append((part.mark, f"{path}.{cls.__name__}"))
            places += _fields_used(entry, path, capability)
    return {name: places for name, places in needs.items() if places}


def _fields_used(entry: YamlMap, path: str, capability: Capability) -> Iterator[tuple[Mark, str]]:
    for cls, field, value in capability.fields:
        part = part_of(entry, cls.__name__)
        content = part.get(field) if isinstance(part, YamlMap) else None
        needs = bool(content) if value is None else isinstance(content, str) and content.lower() == value.value
        if isinstance(part, YamlMap) and needs:
            yield part.values_at[field], f"{path}.{cls.__name__}.{field}"
