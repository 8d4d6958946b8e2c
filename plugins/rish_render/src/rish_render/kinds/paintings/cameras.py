"""Finds the picture of a camera for `camera:NAME` in a painting."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...materials.material_images import CAMERA
from ...scene.camera import picture_size, target_name
from ...scene.notices import Notices

if TYPE_CHECKING:
    from ...drawables.extraction import Extraction


def camera_frame(scene: Extraction, path: str) -> tuple[str | None, int, int, int]:
    """Return target, frame, width and height of a camera's picture; the checkerboard if there is no such camera."""
    world = scene.world
    name = path.removeprefix(CAMERA)
    size = picture_size(world, name)
    if size is None:
        message = f"{path}: no camera has the target {name!r}, so a checkerboard is shown"
        world[Notices].error(message, key=path)
        return None, *scene.pictures.frame_of(world, path)
    return target_name(name), scene.pictures.whole(size), *size
