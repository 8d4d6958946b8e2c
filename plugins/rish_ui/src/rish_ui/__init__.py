"""User interfaces for players: widgets as entities, flexible layout, themes, translations, screens.

from rish_ui import Button, Clicked, Label, Layout, Screen, Widget, click
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from . import layout
    from .components.events import Changed, Clicked, Pressed, Released, Submitted
    from .components.layout import AlignItems, Direction, Justify, Layout, Place
    from .components.screen import Screen, Space, Widget
    from .components.settings import UiSettings
    from .components.widgets import (
        Button,
        Dialog,
        Dropdown,
        Grid,
        Image,
        ImageFit,
        KeyBindings,
        Label,
        List,
        Minimap,
        Panel,
        ProgressBar,
        ScrollView,
        Slider,
        Tabs,
        TextAlign,
        TextInput,
        Toggle,
    )
    from .input.widget_actions import change, click, modal_open, submit, valid
    from .locales import Locales, plural_form, plural_forms
    from .painting.paint_system import show
    from .painting.painter import Painter
    from .preferences import Preferences, key_text
    from .themes import State, Style, Theme, Themes
    from .tree.context import Context
    from .tree.node import Node
    from .tree.state import UiState
    from .widgets import Kind

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "components.events": "Changed Clicked Pressed Released Submitted",
        "components.layout": "AlignItems Direction Justify Layout Place",
        "components.screen": "Screen Space Widget",
        "components.settings": "UiSettings",
        "components.widgets": (
            "Button Dialog Dropdown Grid Image ImageFit KeyBindings Label List Minimap Panel ProgressBar "
            "ScrollView Slider Tabs TextAlign TextInput Toggle"
        ),
        "input.widget_actions": "change click modal_open submit valid",
        "locales": "Locales plural_form plural_forms",
        "painting.painter": "Painter",
        "painting.paint_system": "show",
        "preferences": "Preferences key_text",
        "themes": "State Style Theme Themes",
        "tree.context": "Context",
        "tree.node": "Node",
        "tree.state": "UiState",
        "widgets": "Kind",
    },
    modules=("layout",),
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
