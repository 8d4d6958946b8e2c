"""The hooks of rish_ui: its components, events, settings and systems."""

from __future__ import annotations

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


def rish_about() -> About:
    """Describe the plugin."""
    return About(requires=["frame"], description="widgets, layout, themes and translations for menus and readouts")


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
