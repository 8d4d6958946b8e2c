"""Packages: which one offers a plugin, and how to install it."""

from __future__ import annotations

PUBLISHED = (
    "animation", "audio", "basics", "editor", "frame", "history", "lighting", "particles", "physics", "render", "rules",
    "scripts", "teach", "terminal",
)  # fmt: skip
"""The plugins of this project that are published in a package named `rish-<name>`."""
_IN_ANOTHER = {
    "debug": "rish-editor", "profile": "rish-devtools", "profiler": "rish-devtools", "strict": "rish-devtools",
}  # fmt: skip
"""The plugins of this project that are published in a package with another name."""


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
