"""Opening a game for the editor, and what the loaded plugins declare for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_authoring import open_leniently
from rish_core import App, ManifestError, Problem, Registry, builtin, read_manifest
from rish_core.plugin import build_registry, load_plugins

if TYPE_CHECKING:
    from ..commands import Command
    from ..game.surface import Surface

PLUGIN = "editor"
TOOLS = ("profiler?", "history?")
"""Plugins that the editor loads besides those of the game if they are installed, because their panels are useful for
every game."""


@dataclass(frozen=True)
class Declared:
    """What plugins declare for the editor. gizmos: component and drawer, in order of the plugins. owners: the plugin of
    each panel and drawer.
    """

    panels: Sequence[type]
    commands: Sequence[Command]
    inspectors: Mapping[type, Callable[..., None]]
    gizmos: Sequence[tuple[type, Callable[..., None]]]
    texts: Sequence[tuple[str, Mapping[str, str]]]
    owners: Mapping[object, str]


def open_app(
    path: Path, surface: Surface, *, headless: bool, warm_up: bool = True
) -> tuple[App, list[Problem], dict[int, dict[str, Any]]]:
    """Open a game that draws onto a surface; parts of the manifest with mistakes are left out.

    warm_up: whether kernels and shaders are prepared. Return the App, the mistakes, and the parts that were left out
    because of them, by entity. Raises RishError.
    """
    options: dict[str, Any] = {
        "more": [PLUGIN, *TOOLS], "headless": headless, "warm_up": warm_up, "watches": False, "backend": surface,
    }  # fmt: skip
    try:
        return App(read_manifest(path), **options), [], {}
    except ManifestError:
        return open_leniently(path, **options)


def declared_by(app: App | None) -> Declared:
    """Return what the plugins of a game declare for the editor; without a game, what the editor itself declares."""
    registry = app.registry if app is not None else _own()
    of = registry.of
    return Declared(
        list(of("rish_editor_panels").values()),
        list(of("rish_editor_commands").values()),
        dict(of("rish_editor_inspectors").values()),
        list(of("rish_editor_gizmos").values()),
        list(of("rish_editor_texts").values()),
        {
            item[1] if isinstance(item, tuple) else item: registry.owner(word, name)
            for word in ("panel", "inspector", "gizmo")
            for name, item in of(f"rish_editor_{word}s").items()
        },
    )


@cache
def _own() -> Registry:
    """Return what the editor itself declares."""
    return build_registry(load_plugins([PLUGIN], core=builtin))
