"""The backend's options from the settings: its window, and its drawing quality."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Assets
from rish_ecs import RishError

from ..components.visible import Quality, RenderSettings

if TYPE_CHECKING:
    from rish_ecs import World

_log = logging.getLogger("rish.render")


def backend_options(world: World, settings: RenderSettings) -> dict[str, Any]:
    """Return the options for `Backend.configure` that differ from the backend's defaults."""
    options: dict[str, Any] = {}
    if settings.quality is not Quality.AUTO:
        options["quality"] = settings.quality.value
    if settings.threads:
        options["threads"] = settings.threads
    if settings.fullscreen:
        options["fullscreen"] = True
    if not settings.vsync:
        options["vsync"] = False
    if not settings.cursor:
        options["cursor"] = False
    icon = _icon(world, settings)
    if icon is not None:
        options["icon"] = icon
    return options


def _icon(world: World, settings: RenderSettings) -> Any:
    """Return the icon, uint8 (h, w, 4); None if none is named or if it can't be loaded, which is logged."""
    path = settings.icon if isinstance(settings.icon, str) else world.text(int(settings.icon))
    if not path or Assets not in world:
        return None
    try:
        pixels = world[Assets].load(path)
    except RishError as error:
        _log.error("settings.render.icon: %s", error)
        return None
    return pixels if isinstance(pixels, np.ndarray) else None
