"""Calls what no shipped game calls: casts, trees of boxes, and kernels that are prepared when they are needed."""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_core import Scenes, Stage, Transform, World, system
from rish_lighting import Block, effect, set_post
from rish_physics import overlap_circle, pick, ray_cast, ray_cast_all, shape_cast, shape_cast_all
from rish_physics3d import overlap_sphere_3d, ray_cast_3d, ray_cast_all_3d, shape_cast_3d
from rish_render import Sprite
from rish_render.kinds.strokes.kernels import READY as STROKES
from rish_scene3d import Lamp3D
from rish_space3d import Bvh, Transform3D, prepare_bvh

CORNERS = np.array([[-2, -2], [2, -2], [0, 2]], np.float32)
FAR = np.array([[0, 0, 100]], np.float32)


EFFECTS = [
    {"lut": {"image": "dots.png"}}, "aberration", "crt", "pixelate", "blur", "grain", {"fade": {"amount": 0.5}},
    "turned",
]  # fmt: skip
_backends: list[Any] = []


def turn(block: Block) -> None:
    """Read the frame upside down, as effects of other packages do."""
    block.out[...] = block.sample(1 - block.at())


@effect(glsl="vec4 shade(vec2 at) { return picture(vec2(1.0) - at); }", fallback=turn, samples=True)
class Turned:
    """Turns the frame."""


def rish_effects() -> list[type]:
    """Return the effect."""
    return [Turned]


def rish_device_ready(backend: Any, world: World) -> None:
    """Note the backend that draws sprites in a window faster than in pictures."""
    if backend.name == "software":
        _backends.append(backend)


def rish_scene_loaded(world: World) -> None:
    """Add what would be long in a manifest: many turned sprites, many lamps."""
    if world[Scenes].current == "lights":
        places = np.random.default_rng(1).uniform(0, 96, (40, 2)).astype(np.float32)
        world.spawn_many(
            40, Transform(position=places, rotation=np.arange(40, dtype=np.float32)), Sprite(image="dots.png")
        )
    if world[Scenes].current == "space":
        world.spawn_many(40, Transform3D(), Lamp3D())


@system(Stage.UPDATE, writes=World)
def call(world: World, dt: float) -> None:
    """Call what is called by code alone."""
    if world[Scenes].current == "bodies":
        start, end = (80.0, 90.0), (80.0, 0.0)
        ray_cast(world, start, end)
        ray_cast_all(world, start, end)
        shape_cast(world, CORNERS, start, end)
        shape_cast_all(world, CORNERS, start, end)
        overlap_circle(world, end, 4.0)
        pick(world, end)
    if world[Scenes].current == "solids":
        above, below = (0.0, 9.0, 0.0), (0.0, -9.0, 0.0)
        ray_cast_3d(world, above, below)
        ray_cast_all_3d(world, above, below)
        shape_cast_3d(world, [above], above, below)
        overlap_sphere_3d(world, below, 1.0)
    if world.tick == 0:
        set_post(world, EFFECTS)
        for backend in _backends:
            backend.configure(quality="fast")
        prepare_bvh()
        STROKES.now()
        boxes = np.random.default_rng(1).uniform(0, 100, (2000, 3)).astype(np.float32)
        tree = Bvh(np.concatenate([boxes, boxes + 1], axis=1))
        rays = np.repeat(FAR, 2000, axis=0)
        tree.nearest(rays, -rays)
        tree.all_hits(rays, -rays)
        tree.touching(np.concatenate([boxes, boxes + 1], axis=1))


def rish_systems() -> list[object]:
    """Return the system."""
    return [call]
