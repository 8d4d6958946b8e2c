"""The editor of Rish: scenes, inspector, gizmos, play and undo in one window, extended by plugins."""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import testing
    from .session.commands import Command, Commands
    from .session.editor import Editor
    from .session.files.templates import Template
    from .session.game.game import Game
    from .session.game.play import Play, PlayState
    from .session.game.selection import Selection
    from .session.settings import Settings
    from .session.target import Target
    from .shell.panel_window import Panel
    from .shell.shell import Shell
    from .ui.ui import UI
    from .views.interaction.handles import Drag
    from .views.plane.draw import SceneDraw
    from .views.space.draw import SpaceDraw
    from .views.view import SceneView

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "session.commands": "Command Commands",
        "session.editor": "Editor",
        "session.files.templates": "Template",
        "session.game.game": "Game",
        "session.game.play": "Play PlayState",
        "session.game.selection": "Selection",
        "session.settings": "Settings",
        "session.target": "Target",
        "shell.panel_window": "Panel",
        "shell.shell": "Shell",
        "ui.ui": "UI",
        "views.plane.draw": "SceneDraw",
        "views.interaction.handles": "Drag",
        "views.space.draw": "SpaceDraw",
        "views.view": "SceneView",
    },
    modules=("testing",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
