"""The hooks of rish_ui: its components, events, settings and systems."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_core import About

from .components.events import Changed, Clicked, Pressed, Released, Submitted
from .components.layout import Layout
from .components.screen import Screen, Widget
from .components.settings import UiSettings
from .components.widgets import (
    Button,
    Dialog,
    Dropdown,
    Grid,
    Image,
    Label,
    List,
    Minimap,
    Panel,
    ProgressBar,
    ScrollView,
    Slider,
    Tabs,
    TextInput,
    Toggle,
)
from .files.system import watch_files
from .locales import SHIPPED, Locales, hooks
from .themes import LOADERS, Themes


def rish_about() -> About:
    """Describe the plugin."""
    return About(requires=["frame"], description="widgets, layout, themes and translations for menus and readouts")


def rish_hookspecs() -> ModuleType:
    """Add the hook `rish_locales`."""
    return hooks


def rish_settings() -> type:
    """The settings of the plugin."""
    return UiSettings


def rish_components() -> list[type]:
    """Return the components: the root, what widgets share, and the widgets."""
    return [
        Screen, Widget, Layout, Label, Button, Toggle, Slider, ProgressBar, TextInput, Dropdown, List, ScrollView,
        Image, Panel, Grid, Tabs, Dialog, Minimap,
    ]  # fmt: skip


def rish_events() -> list[type]:
    """Return the events of widgets."""
    return [Pressed, Released, Clicked, Changed, Submitted]


def rish_resources() -> list[type]:
    """Return the theme and the texts in use; both can be rebuilt."""
    return [Themes, Locales]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loader of theme files."""
    return dict(LOADERS)


def rish_systems() -> list[Callable[..., None]]:
    """Return the system that looks for edited files of themes and texts."""
    return [watch_files]


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the themes and texts that the manifest names; in `rish check` also their files."""
    from .locales.checks import check_locales
    from .themes.checks import check_themes

    check_themes(manifest)
    check_locales(manifest, registry)


def rish_locales() -> Path:
    """Return the texts of the screens that ship with the plugin."""
    return SHIPPED


def rish_ready(app: Any) -> None:
    """Use the texts of all plugins."""
    app.world[Locales].use(app.registry.of("rish_locales"))


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Use the texts of the plugins whose code is new."""
    if plugins:
        app.world[Locales].use(app.registry.of("rish_locales"))
