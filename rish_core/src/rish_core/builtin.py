"""The kernel's own plugin `core`, which uses the same hooks as any other plugin.

It declares the components, tables and resources that plugins share, and the loaders of text, JSON and YAML files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from rish_ecs import Disabled
from rish_jit import worth_preparing

from . import assets
from .common.edges import Edges
from .common.hierarchy import HierarchyCache
from .common.matrices import READY
from .common.names import Group, Name, Persistent, Tags
from .common.transform import Transform
from .errors import AssetError
from .loop.clock import Clock
from .loop.input import Input
from .loop.layers import Layers
from .loop.session import Failures, Interventions, Session
from .loop.ticks import PendingInput, TickHooks
from .manifest.plan import Origin
from .manifest.scenes import Prefabs, Scenes
from .manifest.yaml import read_yaml
from .plugin.solving.about import About


def rish_about() -> About:
    """Return the description of the kernel; it requires no other plugin."""
    return About(description="what every plugin can rely on")


def rish_components() -> list[type]:
    """Return the components of the kernel."""
    return [Transform, Name, Tags, Group, Persistent, Disabled, Origin]


def rish_resources() -> list[type]:
    """Return the resources and tables of the kernel."""
    loop = [Clock, Input, Session, Failures, Interventions, TickHooks, PendingInput]
    return [*loop, HierarchyCache, Edges]


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernel of `world_matrices` if the world has enough Transforms."""
    return {"matrices": READY.now} if worth_preparing(len(world.table(Transform))) else {}


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loaders of text, JSON and YAML."""
    return {**assets.LOADERS, ".yaml": _load_yaml, ".yml": _load_yaml}


def rish_names() -> dict[str, Callable[[Any], Iterable[str]]]:
    """Return the lists of layers, scenes and prefabs, and of the tags and groups that entities have now."""
    return {
        "layers": lambda world: world[Layers].order,
        "scenes": lambda world: world[Scenes].names,
        "prefabs": lambda world: world[Prefabs].names,
        "tags": lambda world: _texts(
            world, world.table(Tags).pool_of("values").gather(world.table(Tags).column("values"))
        ),
        "groups": lambda world: _texts(world, world.table(Group).column("value")),
    }


def _texts(world: Any, numbers: Any) -> list[str]:
    """Return the texts with these numbers, sorted, without the empty one."""
    return sorted({world.text(number) for number in set(numbers.tolist())} - {""})


def _load_yaml(path: Path) -> Any:
    """Return the content of a YAML file, read with the same limits as a manifest. Raises AssetError."""
    document = read_yaml(path)
    if document.problems:
        raise AssetError("; ".join(str(problem) for problem in document.problems))
    return document.data


def rish_error_hint(error: BaseException) -> str | None:
    """Return a hint if the error came from writing to a read-only copy of a query, otherwise None."""
    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if type(cause) is ValueError and str(cause).endswith("is read-only"):
        return (
            "Arrays that a query gathers are copies. To change a component, write"
            " `with query.edit(Transform.position) as position: position += step`"
        )
    return None
