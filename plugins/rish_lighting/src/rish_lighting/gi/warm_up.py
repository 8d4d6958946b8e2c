"""Runs the kernels and programs of global illumination once on a small grid, so that they are compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Batch, Frame, Pass, Target

from ..components.settings import GRADES, LightingSettings
from ..passes.extract import Lighting, is_lit
from ..passes.warm_up import lights_of
from .extract import beside
from .kinds import FACES, GLOW, SCENE

if TYPE_CHECKING:
    from rish_core import World


def needs_gi(world: World) -> bool:
    """Return True if the setting `gi` is on and the scene is lit."""
    return str(world[LightingSettings].gi) in GRADES and is_lit(world) and world[Lighting].able


def rasterize_walls() -> None:
    """Rasterize a wall of no length."""
    from .walls_kernels import rasterize

    rasterize(np.zeros(4), np.zeros(1, np.bool_), np.zeros((4, 4), np.uint8))


def warm_up_gi(world: World, frame: Frame) -> None:
    """Add the passes that the setting `gi` needs to a hidden frame; do nothing if it is off."""
    if not needs_gi(world):
        return
    solid = np.zeros((32, 32), np.uint8)
    solid[4:8, 4:8] = 1
    texels = {"solid": solid, "numbers": np.array([1, 0, 0, 1, 1], np.float32)}
    prefix = f"{GLOW}.warm-up"
    for part, format_ in (("emission", "rgba8"), ("scene", "rgba16f"), ("faces", "rgba8"), ("lamps", "rgba16f")):
        frame.add_target(Target(f"{prefix}.{part}", (32, 32), (format_,)))
    frame.add_target(Target(prefix, (32, 32), ("rgba16f",)))
    numbers = np.array([1, 1, 1], np.float32)
    chain = (
        ("plain", "scene", (), Batch(SCENE, texels, count=1)),
        ("scene", "scene", ("emission",), Batch(SCENE, texels, count=1)),
        ("faces", "faces", ("scene",), Batch(FACES, {"turn": np.array([1, 0, 0, 1], np.float32)}, count=1)),
        ("lamps", "lamps", ("faces",), beside(lights_of(world))),
    )
    for part, target, inputs, batch in chain:
        reads = tuple(f"{prefix}.{name}" for name in inputs)
        frame.add_pass(Pass(f"{prefix}.{part}", (f"{prefix}.{target}",), reads, batches=[batch]))
    final = Batch(GLOW, {"numbers": numbers}, blend="add", count=1)
    frame.add_pass(Pass(prefix, (prefix,), (f"{prefix}.scene", f"{prefix}.lamps"), batches=[final]))
