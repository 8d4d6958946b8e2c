"""The hooks of rish_ui: its components, events, settings and systems."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_core import About, Layer, Layers, LayerStack, Scenes, hookimpl
from rish_frame import Frame

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
    KeyBindings,
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
from .input.commands import UiPauses, obey_commands
from .input.handler import on_event
from .input.repeating import repeat_keys
from .layout.warming import MIN_KERNEL_WIDGETS, READY
from .locales import SHIPPED, Locales, language_rows
from .locales import hooks as locale_hooks
from .painting.paint_system import show
from .preferences import Preferences, keep_preferences
from .screens.sources import theme_rows
from .screens.starting import scene_behind
from .themes import LOADERS, Themes
from .tree.state import UiState
from .widgets import KINDS, Base, Container, Kind
from .widgets import hooks as widget_hooks

CREDITS = "Made with Rish"
"""The text of the screen of credits in games without a text `game.credits`."""
LAYER = "rish.ui"
"""The layer of the plugin that receives events; screens are drawn on the layer of the settings."""


def rish_about() -> About:
    """Describe the plugin."""
    return About(requires=["frame"], description="widgets, layout, themes and translations for menus and readouts")


def rish_hookspecs() -> list[ModuleType]:
    """Add the hooks `rish_locales`, `rish_widgets` and `rish_rows`."""
    return [locale_hooks, widget_hooks]


def rish_settings() -> type:
    """The settings of the plugin."""
    return UiSettings


def rish_components() -> list[type]:
    """Return the components: the root, the fields that widgets share, and the widgets."""
    return [
        Screen, Widget, Layout, Label, Button, Toggle, Slider, ProgressBar, TextInput, Dropdown, List, ScrollView,
        Image, Panel, Grid, Tabs, Dialog, Minimap,
        KeyBindings,
    ]  # fmt: skip


def rish_events() -> list[type]:
    """Return the events of widgets."""
    return [Pressed, Released, Clicked, Changed, Submitted]


def rish_resources() -> list[type]:
    """Return the theme, texts and tree in use, the player's preferences, and the paused layers."""
    return [Themes, Locales, UiState, Preferences, UiPauses]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: commands of the player, held keys, showing, and the file of preferences."""
    return [obey_commands, repeat_keys, show, keep_preferences]


def rish_layers() -> list[Layer]:
    """Return the layer that receives the events of the window before the game."""
    return [Layer(LAYER, space="screen", tool=True, on_event=on_event, doc="input of widgets")]


def rish_widgets() -> list[Kind]:
    """Return the kinds of widgets."""
    return list(KINDS)


def rish_names() -> dict[str, Callable[[Any], list[str]]]:
    """Return the lists of sources of rows."""
    return {"ui_sources": lambda world: list(world[UiState].sources)}


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Return the loader of theme files."""
    return dict(LOADERS)


def rish_manifest(manifest: Any, registry: Any) -> None:
    """Check the themes, texts and fields that the manifest names; in `rish check` also the files."""
    from .locales.checks import check_locales
    from .themes.checks import check_themes
    from .widgets.checks import check_widgets

    check_themes(manifest)
    check_locales(manifest, registry)
    check_widgets(manifest, registry)


def rish_prefabs() -> dict[str, Any]:
    """Return the screens that a game uses by one line: title, pause, options, credits."""
    from .screens import prefabs

    return prefabs()


def rish_locales() -> Path:
    """Return the texts of the screens that ship with the plugin."""
    return SHIPPED


def rish_pickers() -> dict[str, Callable[..., Any]]:
    """Return the picker of widgets."""
    from .painting.picking import pick_widgets

    return {"widgets": pick_widgets}


@hookimpl(optional=True)
def rish_editor_inspectors() -> Mapping[type, Callable[..., None]]:
    """Return the drawer of a Layout in the editor's inspector."""
    from .editing import INSPECTORS

    return INSPECTORS


@hookimpl(optional=True)
def rish_editor_gizmos() -> Mapping[type, Callable[..., None]]:
    """Return the handles of widgets in the views of the editor."""
    from .editing import GIZMOS

    return GIZMOS


@hookimpl(optional=True)
def rish_editor_templates() -> Mapping[str, Mapping[str, Any]]:
    """Return the kinds of new assets: themes and translations."""
    from .editing.templates import TEMPLATES

    return TEMPLATES


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


def rish_warm_up(world: Any) -> dict[str, Callable[[], object]]:
    """Return the kernels of the layout if the scene has many widgets and texts can be set, so that they are shown."""
    if world[Frame].typesetter is None or len(world[UiState].ready(world).nodes) < MIN_KERNEL_WIDGETS:
        return {}
    return {"layout": READY.now}


@hookimpl(trylast=True)
def rish_ready(app: Any) -> None:
    """Use the declarations of all plugins, and add the default layer of screens if the game has no layer of that
    name."""
    _take(app)
    world = app.world
    name = world[UiSettings].layer
    if name not in world[Layers]:
        world[LayerStack].push(world, Layer(name, overlay=True, space="screen", doc="screens and widgets"))
    world[Preferences].attach(app)  # its hook of ticks must come after that of a rewind
    plan = app.game.scenes.get(app.manifest.start)
    if app.demo and plan is not None and not app.manifest.demo:
        scenes: Scenes = world[Scenes]
        scene = scene_behind(plan)
        if scene in scenes.names:
            scenes.go(scene)


def rish_shutdown(world: Any) -> None:
    """Write the preferences."""
    world[Preferences].close()


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Use the declarations of the plugins whose code was loaded again."""
    if plugins:
        _take(app)


@hookimpl(optional=True)
def rish_editor_references() -> dict[str, dict[str, list[str]]]:
    """Return the readers of references to other files in themes and manifest."""
    return {
        ".theme.yaml": {"rooted": ["extends", "fonts/*", "*/image", "*/font"]},
        "game.yaml": {"rooted": ["settings/ui/theme", "settings/ui/locale"]},
    }


def _take(app: Any) -> None:
    """Register the texts, kinds of widgets and sources of rows of all plugins."""
    title = {"game": {"title": app.manifest.title, "credits": CREDITS}}
    app.world[Locales].use({**app.registry.of("rish_locales"), "the manifest": {"en": title}})
    state: UiState = app.world[UiState]
    kinds = app.registry.of("rish_widgets").values()
    state.kinds = {kind.component: kind for kind in kinds if kind.component is not None}
    state.plugins = frozenset(app.plugins.names)
    state.sources = {"languages": language_rows, "themes": theme_rows, **app.registry.of("rish_rows")}
    state.base, state.container = Base(), Container()
    state.reset(app.world)
