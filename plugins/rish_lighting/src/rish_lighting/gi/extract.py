"""EXTRACT: adds passes that draw reflected light and the light of glowing areas onto the light of lit layers.

For each view of a light target there are passes in this order: a scene of texels, made from walls and glowing areas;
the normals of its walls; the light of lamps on the walls, drawn with the usual lamp drawers; and the global
illumination computed from these. It is computed again for each frame with a fixed number of bounces, so it depends only
on the current frame.
"""

from __future__ import annotations

import itertools
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, Stage, Transform, resource, system
from rish_frame import Batch, Frame, Pass, Target
from rish_frame.frame import pixel_rect
from rish_jit import Array

from .. import formulas as f
from ..components.settings import GRADES, LightingSettings
from ..drawers.matrices import matrices
from ..passes.extract import Lighting
from ..passes.kinds import LIGHTS
from ..passes.sheets import PassCache, declare
from ..walls.walls import Walls, is_open
from .kinds import FACES, GLOW, SCENE

if TYPE_CHECKING:
    from rish_core import World

_LAMPS = "light.lights."
_LAMP_HEIGHT = 1e-3
"""The height, in units, that lamps have when they light walls: nearly 0, because they are beside the walls and not
above them.
"""
_SUN_FACTOR = float(np.sqrt(2))
"""One divided by the cosine of 45 degrees, the elevation of suns: a wall that faces a sun gets its full light."""
_versions = itertools.count(1)


@resource(derived=True)
class Glow:
    """A cache of the walls as texels, by pass, with the values from which they were computed.

    It also keeps the added passes and their batches, which are reused if nothing changes.
    """

    grids: dict[str, tuple[Any, Array, int]] = dataclass_field(default_factory=dict[str, Any])
    kept: PassCache = dataclass_field(default_factory=PassCache)
    added: set[str] = dataclass_field(default_factory=set[str])


@system(
    Stage.EXTRACT, reads=(LightingSettings, Lighting, Edges, Transform), writes=(Frame, Glow), after="lighting.light",
    before=("lighting.veil", "lighting.post", "render.apply_materials"),
)  # fmt: skip
def glow(world: World, dt: float) -> None:
    """Add the passes of global illumination for lit layers (system `lighting.glow`)."""
    frame, memory = world[Frame], world[Glow]
    side = GRADES.get(str(world[LightingSettings].gi), 0)
    needed: set[str] = set()
    if side and world[Lighting].able:
        for lay in [pass_ for pass_ in frame.passes.values() if pass_.name.startswith("light.lay.")]:
            number = next((name.rpartition(".")[2] for name in lay.inputs if name.startswith("light.light.")), "-")
            emission = next((name for name in lay.inputs if name.startswith(f"{lay.inputs[0]}:")), "")
            for lamps in [pass_ for name, pass_ in frame.passes.items() if name.startswith(f"{_LAMPS}{number}.")]:
                name = f"{GLOW}.{lamps.name.removeprefix(_LAMPS)}"
                if name not in needed:
                    needed |= _illuminate(world, name, lamps, emission, side)
    for name in memory.added - needed:
        frame.remove_pass(name)
        frame.remove_target(name)
    memory.added = needed


def _illuminate(world: World, name: str, lamps: Pass, emission: str, side: int) -> set[str]:
    """Add the passes for a view to the frame; return their names, or none if there are no lamps and nothing glows.

    side: texels along the longer side of the grid.
    """
    frame, settings = world[Frame], world[LightingSettings]
    shine = beside(lamps.batches[0])
    if not emission and not shine.count:
        return set()
    rect = pixel_rect(lamps.viewport, frame.target(lamps.targets[0]).pixel_size(frame.size))[2:]
    share = min(side / max(*rect, 1), 1.0)
    size = (max(round(rect[0] * share), 1), max(round(rect[1] * share), 1))
    solid, version = _solid(world, name, lamps, size)
    window = np.array(lamps.viewport or (0, 0, 1, 1), np.float32)
    arrays = {
        "solid": solid,
        "version": np.array([version], np.int64),
        "numbers": np.array([settings.emission, *window], np.float32),
    }
    faces = Batch(FACES, {"turn": _turn(lamps, size)}, blend="replace", count=1)
    passes = {
        "scene": _put(
            world, f"{name}.scene", (emission,) if emission else (), Batch(SCENE, arrays, blend="replace", count=1)
        )
    }
    if shine.count:
        passes["faces"] = _put(world, f"{name}.faces", (f"{name}.scene",), faces)
        passes["lamps"] = _put(world, f"{name}.lamps", (f"{name}.faces",), shine)
        passes["lamps"].view, passes["lamps"].projection = lamps.view, lamps.projection
    for part, pass_ in passes.items():
        pass_.targets = (pass_.name,)
        format_ = "rgba8" if part == "faces" else "rgba16f"
        declare(frame, Target(pass_.name, size, (format_,), filter="nearest"))
    inputs = tuple(pass_.name for part, pass_ in passes.items() if part != "faces")
    numbers = np.array([settings.gi_strength, settings.gi_albedo, bool(emission)], np.float32)
    glow_pass = _put(world, name, inputs, Batch(GLOW, {"numbers": numbers}, blend="add", count=1))
    glow_pass.targets, glow_pass.viewport, glow_pass.after = lamps.targets, lamps.viewport, lamps.name
    return {name, *(pass_.name for pass_ in passes.values())}


def beside(batch: Batch) -> Batch:
    """Return a batch of lamps that light walls: at the height of the walls, scaled by `cascades.FACE`, no ambient."""
    from .cascades import FACE

    rows = batch.arrays["lights"]
    selected = rows[:, f.KIND] != f.GRADIENT
    rows = rows[selected]
    suns = (rows[:, f.KIND] == f.SUN)[:, None]
    rows[:, f.RED : f.BLUE + 1] *= np.where(suns, FACE * np.float32(_SUN_FACTOR), FACE)
    rows[:, f.HEIGHT] = _LAMP_HEIGHT
    arrays = {**batch.arrays, "lights": rows, "reach": batch.arrays["reach"][selected]}
    return Batch(LIGHTS, arrays, origin=batch.origin, blend="add", count=len(rows))


def _put(world: World, name: str, inputs: tuple[str, ...], batch: Batch) -> Pass:
    """Add a pass with a batch to the frame."""
    batch.source = "lighting.gi"
    return world[Glow].kept.put(world[Frame], name, batch, inputs=inputs, rank="lights")


def _turn(view: Pass, size: tuple[int, int]) -> Array:
    """Return the matrix, float32 4, by rows, from normals on the grid of a view to normals in the world."""
    linear, _ = matrices(Pass("grid", view=view.view, projection=view.projection), size, (0.0, 0.0))
    return (linear * (np.array(size) / 2)[:, None]).T.astype(np.float32).ravel()


def _solid(world: World, name: str, view: Pass, size: tuple[int, int]) -> tuple[Array, int]:
    """Return the walls of a view on a grid, uint8 (h, w), and a version number that changes with them."""
    from .walls_kernels import rasterize

    memory = world[Glow]
    walls = world[Walls]
    linear, shift = matrices(Pass("grid", view=view.view, projection=view.projection), size, (0.0, 0.0))
    stamp = (walls, size, linear.tobytes(), shift.tobytes())
    cached = memory.grids.get(name)
    if cached is not None and cached[0] == stamp:
        return cached[1], cached[2]
    ends = walls.edges.reshape(-1, 2).astype(np.float64)
    places = ((ends @ linear.T + shift + 1) * (np.array(size) / 2)).ravel()
    solid = np.zeros((size[1], size[0]), np.uint8)
    if len(walls):
        rasterize(places, ~is_open(walls.edges), solid)
    memory.grids[name] = (stamp, solid, next(_versions))
    return solid, memory.grids[name][2]
