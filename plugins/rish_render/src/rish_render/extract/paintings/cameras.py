"""Finds the picture of a camera for `camera:NAME` in a painting."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from ...components.visible import Camera
from ...materials.pictures import CAMERA
from ...scene.camera import target_name, target_size

if TYPE_CHECKING:
    from ...scene.extraction import Extraction

_log = logging.getLogger("rish.render")


def camera_frame(scene: Extraction, path: str) -> tuple[str | None, int, int, int]:
    """Return target, frame, width and height of a camera's picture; the checkerboard if there is no such camera."""
    world = scene.world
    name = path.removeprefix(CAMERA)
    table = world.table(Camera)
    number = world.texts.find(name) if name else -1
    rows = np.flatnonzero(table.column("target") == number) if number > 0 else []
    if not len(rows):
        if path not in scene.cache.told:
            scene.cache.told.add(path)
            _log.error("%s: no camera has the target %r, so a checkerboard is shown", path, name)
        return None, *scene.pictures.frame_of(world, path)
    width, height = target_size(table, int(rows[0]))
    return target_name(name), scene.pictures.whole((width, height)), width, height
