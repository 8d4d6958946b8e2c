"""The packages that offer plugins and commands, and sentences on how to install or update them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rish_ecs import how_to_get, how_to_update

if TYPE_CHECKING:
    from ..discovery import Candidate

PUBLISHED = (
    "animation", "audio", "basics", "editor", "frame", "history", "lighting", "net", "particles", "physics",
    "physics3d", "render", "rules", "scene3d", "scripts", "space3d", "teach", "terminal", "ui",
)  # fmt: skip
"""The plugins of this project that come in a package named `rish-<name>`."""
_IN_OTHER_PACKAGES = {
    "debug": "rish-editor", "profile": "rish-devtools", "profiler": "rish-devtools", "strict": "rish-devtools",
    "teach3d": "rish-teach", "watchdog": "rish-devtools",
}  # fmt: skip
"""The plugins of this project that come in a package with another name."""
COMMANDS = {
    **dict.fromkeys(("check", "lock", "plugins", "run"), "rish-cli"),
    **dict.fromkeys(("host", "join", "relay"), "rish-net"), "export": "rish-export",
    **dict.fromkeys(("conformance", "doctor", "new", "record-kernels", "schema", "warmup"), "rish-devtools"),
    **dict.fromkeys(("migrate", "record", "replay"), "rish-history"), "bundle": "rish-bundle", "edit": "rish-editor",
    **dict.fromkeys(("add", "pack", "remove", "unpack"), "rish-packs"), "decompose": "rish-physics3d",
}  # fmt: skip
"""The packages of this project's commands."""


def package_of(plugin: str) -> str | None:
    """Return the package of a plugin of this project, None for other plugins."""
    return f"rish-{plugin}" if plugin in PUBLISHED else _IN_OTHER_PACKAGES.get(plugin)


def how_to_get_plugin(plugin: str, versions: object = "") -> str:
    """Return a sentence on how to install a missing plugin. versions: the requested range."""
    package = package_of(plugin)
    if package is None:
        return "Its documentation says which package to install; `rish plugins` lists the plugins that are installed"
    return how_to_get(package, versions if plugin in PUBLISHED else "")


def how_to_update_plugin(plugin: str, package: str | None, versions: object = "") -> str:
    """Return a sentence on how to get another version of a plugin. package: its package, None if unknown."""
    package = package or package_of(plugin)
    return how_to_update(package, versions) if package else f"Get another version of '{plugin}'"


def clash_of(offers: Sequence[Candidate], genuine: str | None) -> str:
    """Return a sentence on the packages that offer one plugin or command, "" unless there are several.

    genuine: the package of this project that has it, so that the others are to be removed; None: there is none.
    """
    if len(offers) < 2:
        return ""
    listed = " and ".join(offer.titled for offer in offers)
    others = [offer.distribution for offer in offers if offer.distribution != genuine]
    keep = f"It belongs to {genuine}" if len(others) < len(offers) else "Keep one of them"
    remove = " " if len(others) < len(offers) else ", or pip uninstall "
    return f"{len(offers)} packages offer it, {listed}. {keep}. Run: pip uninstall {remove.join(others)}"
