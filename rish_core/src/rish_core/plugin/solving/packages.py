"""Packages: which one offers a plugin, and how to install it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

PUBLISHED = (
    "animation", "audio", "basics", "editor", "frame", "history", "lighting", "particles", "physics", "render", "rules",
    "scene3d", "scripts", "space3d", "teach", "terminal", "ui",
)  # fmt: skip
"""The plugins of this project that are published in a package named `rish-<name>`."""
_IN_ANOTHER = {
    "debug": "rish-editor", "profile": "rish-devtools", "profiler": "rish-devtools", "strict": "rish-devtools",
    "watchdog": "rish-devtools",
}  # fmt: skip
"""The plugins of this project that are published in a package with another name."""


_OURS = frozenset({*(f"rish-{name}" for name in PUBLISHED), *_IN_ANOTHER.values(), "rish-core"})


def switched_off(
    installed: Iterable[tuple[str, str]], disabled: Collection[str] = (), *, safe: bool = False
) -> dict[str, str]:
    """Return the plugins that must not be loaded, each with the reason.

    installed: names of plugins with their packages. disabled: names from the environment. safe: whether only plugins of
    this project may be loaded.
    """
    off = {name: f"'{name}' is switched off by RISH_DISABLE_PLUGINS" for name in disabled}
    for name, package in installed if safe else ():
        if re.sub(r"[-_.]+", "-", package).lower() not in _OURS:
            off.setdefault(name, f"'{name}' is left out by --safe-mode, because it comes from {package}")
    return off


def how_to_get(plugin: str, versions: object = "") -> str:
    """Return a sentence on how to install a missing plugin. versions: the requested range."""
    if plugin in _IN_ANOTHER:
        return f"Run: pip install {_IN_ANOTHER[plugin]}"
    if plugin in PUBLISHED:
        return f"Run: pip install {quoted(f'{pip_name(plugin)}{versions}')}"
    return "Its documentation says which package to install; `rish plugins` lists the plugins that are installed"


def pip_name(plugin: str, distribution: str | None = None) -> str:
    """Return the distribution of a plugin for pip; if unknown, by convention `rish-<name>`."""
    return distribution or f"rish-{plugin.replace('_', '-')}"


def quoted(requirement: str) -> str:
    """Put a requirement into quotes if it contains characters that a shell would interpret."""
    return f"'{requirement}'" if set("<>!=~*") & set(requirement) else requirement
