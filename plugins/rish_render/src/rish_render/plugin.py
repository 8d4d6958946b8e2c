"""What rish_render tells the kernel; importing this loads neither numba nor Pillow."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core.plugin.about import About

from .components import Camera, Settings, Shape, Sprite, Text
from .extract import RenderCache, extract
from .fonts import load_font
from .pictures import Pictures


def rish_about() -> About:
    """Needs nothing but the kernel."""
    return About(description="sprites, cameras, shapes and text, and the software backend")


def rish_settings() -> type:
    """`settings: render:` in a manifest."""
    return Settings


def rish_components() -> list[type]:
    """What can be seen, and what looks at it."""
    return [Sprite, Shape, Text, Camera]


def rish_resources() -> list[type]:
    """The atlas, and what extraction keeps; both can be made again."""
    return [Pictures, RenderCache]


def rish_systems() -> list[Callable[..., None]]:
    """One system: from columns to batches."""
    return [extract]


def rish_loaders() -> dict[str, Callable[..., Any]]:
    """Fonts."""
    return {".ttf": load_font, ".otf": load_font}


def make_software() -> Any:
    """The software backend; numba is imported when it first draws."""
    from .backends.software.backend import SoftwareBackend

    return SoftwareBackend()


def rish_backends() -> dict[str, Callable[[], Any]]:
    """Ways to show a frame."""
    return {"software": make_software}
