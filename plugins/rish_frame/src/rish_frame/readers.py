"""Readers of the declaring hooks of `hooks.py`; they check the returned values item by item."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rish_core import Reader, declared_instances, declared_mapping

Named = tuple[str, Any]


def read_passes(plugin: str, value: Any) -> list[Named]:
    """Read the passes and targets of the frame graph; a pass and a target may have the same name."""
    from rish_frame.frame.passes import Pass, Target

    declared = declared_instances("rish_passes", value, (Pass, Target), "Pass or Target")
    return [(f"target {name}" if isinstance(item, Target) else f"pass {name}", item) for name, item in declared]


def read_backends(plugin: str, value: Any) -> list[Named]:
    """Read the factories of backends, by name."""
    return list(declared_mapping("rish_backends", value, "a function that makes the backend", callable))


def read_drawers(plugin: str, value: Any) -> list[Named]:
    """Read the factories of drawers; the names have the form `backend/kind`."""
    drawers: list[Named] = []
    for backend, kinds in declared_mapping("rish_drawers", value, "{kind: drawer factory}", _is_mapping):
        factories = declared_mapping("rish_drawers", kinds, "a function that makes the drawer", callable)
        drawers += [(f"{backend}/{kind}", (backend, kind, factory)) for kind, factory in factories]
    return drawers


def read_pickers(plugin: str, value: Any) -> list[Named]:
    """Read the pickers, by name."""
    return list(declared_mapping("rish_pickers", value, "a function (world, region)", callable))


def read_compute(plugin: str, value: Any) -> list[Named]:
    """Read the declarations of compute work, by name."""
    from rish_frame.frame.compute import Compute

    return declared_instances("rish_compute", value, (Compute,), "Compute")


def _is_mapping(value: Any) -> bool:
    return isinstance(value, Mapping)


READERS: Mapping[str, Reader] = {
    "rish_passes": Reader("", read_passes),
    "rish_backends": Reader("backend", read_backends),
    "rish_drawers": Reader("drawer", read_drawers),
    "rish_compute": Reader("compute", read_compute),
    "rish_pickers": Reader("picker", read_pickers),
}
"""The readers of this plugin's declaring hooks, by hook."""
