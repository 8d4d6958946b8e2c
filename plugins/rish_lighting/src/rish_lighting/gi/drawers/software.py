"""The drawers of global illumination for the backend `software`."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_frame import Batch, DrawTarget, Pass
from rish_frame.frame import pixel_rect
from rish_jit import Array

from ...drawers.software.composite_kernels import DECODE
from .. import kernels, walls_kernels
from ..cascades import depth_of, illuminate

_MAX_CACHED = 16
"""The greatest number of views whose light is cached."""


class SoftwareScene:
    """Draws `light.gi.scene`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        solid, numbers, out = batch.arrays["solid"], batch.arrays["numbers"], target.colors[0]
        out[..., :3], out[..., 3] = 0, solid[::-1]
        for glowing in target.inputs.values():
            x, y, w, h = pixel_rect(tuple(numbers[1:].tolist()), (glowing.shape[1], glowing.shape[0]))
            top = glowing.shape[0] - y - h
            walls_kernels.shrink(np.ascontiguousarray(glowing[top : top + h, x : x + w]), DECODE, numbers[0], out)


class SoftwareFaces:
    """Draws `light.gi.faces`."""

    needs = frozenset({"targets", "float"})
    steady = True

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Fill the target."""
        (scene,) = target.inputs.values()
        normals = np.empty((*scene.shape[:2], 2), np.float32)
        kernels.face(solid_of(scene), normals)
        normals = normals[::-1] @ batch.arrays["turn"].reshape(2, 2).T
        length = np.maximum(np.hypot(normals[..., 0], normals[..., 1]), np.float32(1e-20))[..., None]
        out = target.colors[0]  # scaled to a little more than 1, so that rounding leaves no upward component
        out[..., :2] = np.clip(normals * (np.float32(1.01) / length) * np.float32(127.5) + 128, 0, 255)
        out[..., 2:] = 255


class SoftwareGlow:
    """Draws `light.gi`. The light of a view is computed again only after the view has changed."""

    needs = frozenset({"targets", "float"})
    steady = True

    def __init__(self) -> None:
        self._known: dict[str, tuple[Any, Array]] = {}

    def draw(self, device: Any, target: DrawTarget, batch: Batch, pass_: Pass) -> None:
        """Add the global illumination to the target."""
        strength, albedo, _ = batch.arrays["numbers"]
        scene, *lamps = target.inputs.values()
        inputs = scene.shape, float(albedo), scene.tobytes(), *(fallen.tobytes() for fallen in lamps)
        before, light = self._known.get(pass_.name, (None, None))
        if light is None or before != inputs:
            light = _light(scene, lamps[0] if lamps else None, albedo)
            if len(self._known) >= _MAX_CACHED:
                self._known.clear()
            self._known[pass_.name] = (inputs, light)
        x, y, w, h = pixel_rect(pass_.viewport, target.size)
        walls_kernels.add(light, strength, target.colors[0], x, target.size[1] - y - h, w, h)


def _light(scene: Array, lamps: Array | None, albedo: Any) -> Array:
    """Return the light of a scene, float32 (h, w, 3), bottom row first."""
    solid, emission = solid_of(scene), np.ascontiguousarray(scene[::-1, :, :3])
    fallen = None if lamps is None else lamps[::-1, :, :3]
    radiance = illuminate(solid, emission, np.full_like(emission, albedo), fallen)
    filled = np.empty_like(radiance)
    walls_kernels.fill(solid, radiance, depth_of(solid.shape), filled)
    return filled


def solid_of(scene: Array) -> Array:
    """Return the solid texels of a scene, uint8 (h, w), bottom row first."""
    return np.ascontiguousarray(scene[::-1, :, 3] > 0.5).astype(np.uint8)
