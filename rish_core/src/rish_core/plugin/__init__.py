"""Plugins: hooks, discovery, order, loading, calls, and the registry of what they declare."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import hooks
    from .discovery import Candidate, installed_commands, installed_modules, installed_plugins
    from .game import GAME, MAX_CODE, TextFinder, forget_game_plugin, load_game_plugin
    from .loading import load_plugins
    from .plan import CORE, LoadPlan, NamedWish, make_plan
    from .registry import build_registry
    from .solving.packages import PUBLISHED, how_to_get_plugin
    from .solving.selection import smallest
    from .solving.solver import Member, solve
    from .solving.versions import parse_version

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "discovery": "Candidate installed_commands installed_modules installed_plugins",
        "game": "MAX_CODE GAME TextFinder forget_game_plugin load_game_plugin",
        "loading": "load_plugins",
        "solving.packages": "PUBLISHED how_to_get_plugin",
        "plan": "CORE LoadPlan NamedWish make_plan",
        "registry": "build_registry",
        "solving.selection": "smallest",
        "solving.solver": "Member solve",
        "solving.versions": "parse_version",
    },
    modules=("hooks",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
