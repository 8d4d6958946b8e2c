"""Draws a small picture and prints a hash of its pixels; run with and without compiled kernels."""

from __future__ import annotations

import hashlib

import numpy as np

from rish_frame import Frame
from rish_render.backends.software.backend import SoftwareBackend
from rish_scene3d import layout as at
from rish_scene3d.plugin.drawers import DRAWERS
from scene3d import Scene, box, checks, placed, quad


def small_frame() -> Frame:
    """Return a frame with textures, shadows, glass and fog, 24 × 14 pixels."""
    scene = Scene(size=(24, 14))
    cube, squares = scene.mesh(box()), scene.page(checks(16, 4))
    scene.show(scene.mesh(quad(4)), scene.material(base_map=squares, normal_map=squares), placed())
    cut = scene.material(base_map=squares, alpha_mode=at.MASK, metallic=1, roughness=0.3)
    scene.show(cube, cut, placed(-0.6, 0.5, 0), flags=at.MASKED)
    scene.show(cube, scene.material(base=(0.5, 0.2, 0.2, 1), model=at.PHONG), placed(0.7, 0.4, -0.5, 0.7))
    scene.show(
        cube, scene.material(base=(1, 1, 1, 0.5), alpha_mode=at.BLEND), placed(0.5, 0.4, 1, 0.5), flags=at.BLENDED
    )
    scene.cast_sun(scene.sun(), (4.0,), 16)
    scene.cast_lamp(scene.lamp((1, 1.6, 1)), 8)
    scene.lights = {at.FOG_DENSITY: 0.05, at.FOG_FALL: 0.2, at.STARS: 1.0, at.DISC: 0.2}
    return scene.frame()


def main() -> None:
    """Draw and print."""
    backend = SoftwareBackend(threads=1)
    backend.open("small", (24, 14), visible=False)
    for kind, make in DRAWERS["software"].items():
        backend.add_drawer(kind, make())
    assert not backend.draw(small_frame()).skipped
    pixels = np.ascontiguousarray(backend.pixels("screen")).tobytes() + backend.pixels("scene3d.view").tobytes()
    print(hashlib.sha256(pixels).hexdigest())


if __name__ == "__main__":
    main()
