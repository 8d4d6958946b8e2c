"""Compares frames that were patched with frames that are extracted without cached data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_frame import Frame
from rish_render.drawables.extraction import RenderCache
from rish_render.extract.extract import extract
from rish_render.scene.camera_views import CameraViews


def check_frame(world: Any, drawn: Callable[[Frame], object]) -> None:
    """Assert that the frame shows what an extraction without cached data draws. drawn: returns what is compared."""
    patched, cached = drawn(world[Frame]), [world[cls] for cls in (RenderCache, CameraViews)]
    for fresh in (RenderCache(), CameraViews()):
        world.put(fresh)
    world[Frame].reset()
    extract(world, 0.0)
    assert patched == drawn(world[Frame])
    for each in cached:
        world.put(each)
