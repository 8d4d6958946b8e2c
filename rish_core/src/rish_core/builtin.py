"""The kernel's own plugin, `core`: what it declares goes through the same hooks as any plugin's.

It brings the components, tables and resources that plugins share, and the loaders of plain files.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_ecs import Disabled
from rish_ecs.jit import worth_preparing

from . import assets
from .common.edges import Edges
from .common.hierarchy import HierarchyCache
from .common.matrices import READY
from .common.names import Group, Name, Persistent, Tags
from .common.transform import Transform
from .errors import AssetError
from .loop.clock import Clock
from .loop.input import Input
from .loop.session import Interventions, Session
from .loop.ticks import TickHooks
from .manifest.plan import Origin
from .manifest.yaml import read_yaml
from .plugin.about import About


def rish_about() -> About:
    """The kernel needs nothing."""
    return About(description="what every plugin can rely on")


def rish_components() -> list[type]:
    """The components of the kernel."""
    return [Transform, Name, Tags, Group, Persistent, Disabled, Origin]


def rish_resources() -> list[type]:
    """The resources and tables of the kernel."""
    loop = [Clock, Input, Session, Interventions, TickHooks]
    return [*loop, HierarchyCache, Edges]


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """The kernel of `world_matrices`."""
    return {"matrices": READY.now} if worth_preparing(len(world.table(Transform))) else {}


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Loaders of text, JSON and YAML."""
    return {**assets.LOADERS, ".yaml": _load_yaml, ".yml": _load_yaml}


def _load_yaml(path: Path) -> Any:
    """The content of a YAML file, read under the same guards as a manifest. Raises AssetError."""
    document = read_yaml(path)
    if document.problems:
        raise AssetError("; ".join(str(problem) for problem in document.problems))
    return document.data


def rish_error_hint(error: BaseException) -> str | None:
    """The hint for an error that came from writing to a read-only copy of a query."""
    cause = error
    while cause.__cause__ is not None:
        cause = cause.__cause__
    if type(cause) is ValueError and str(cause).endswith("is read-only"):
        return (
            "Arrays that a query gathers are copies. To change a component, write"
            " `with query.edit(Transform.position) as position: position += step`"
        )
    return None
