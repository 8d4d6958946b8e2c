"""EXTRACT: adds passes that draw reflected light and the light of glowing areas onto the light of lit layers.

For each view of a light target there are passes in this order: a scene of texels, made from walls and glowing areas;
the normals of its walls; the light of lamps on the walls, drawn with the usual lamp drawers; and the global
illumination computed from these. It is computed again for each frame with a fixed number of bounces, so it depends only
on the current frame.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Edges, Stage, Transform, resource, system
from rish_frame import Batch, Frame, Pass, Recorder, Target
from rish_frame.frame import pixel_rect
from rish_jit import Array

from .. import formulas as f
from ..components.settings import GRADES, LightingSettings
from ..drawers.matrices import matrices
from ..passes.extract import Lighting
from ..passes.kinds import LIGHTS
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


@resource(derived=True)
class Glow:
    """A cache of the walls as texels, by pass, with the values from which they were computed."""

    grids: dict[str, tuple[Any, Array]] = dataclass_field(default_factory=dict[str, Any])


@system(
    Stage.EXTRACT, reads=(LightingSettings, Lighting, Edges, Transform), writes=(Frame, Glow), after="lighting.light",
    before=("lighting.veil", "lighting.post", "render.apply_materials"),
)  # fmt: skip
def glow(world: World, dt: float) -> None:
    """Add the passes of global illumination for lit layers (system `lighting.glow`)."""
    if _side(world) and world[Lighting].able:
        world[Frame].retain("lighting.gi", world, (Frame, Lighting, Walls, LightingSettings), partial(_record, world))


def _side(world: World) -> int:
    """Return the number of texels along the longer side of a grid, 0 without global illumination."""
    return GRADES.get(str(world[LightingSettings].gi), 0)


def _record(world: World, recorder: Recorder) -> None:
    """Record the passes of all views."""
    frame, names = world[Frame], set[str]()
    for lay in [pass_ for pass_ in frame.passes.values() if pass_.name.startswith("light.lay.")]:
        number = next((name.rpartition(".")[2] for name in lay.inputs if name.startswith("light.light.")), "-")
        emission = next((name for name in lay.inputs if name.startswith(f"{lay.inputs[0]}:")), "")
        for lamps in [pass_ for name, pass_ in frame.passes.items() if name.startswith(f"{_LAMPS}{number}.")]:
            name = f"{GLOW}.{lamps.name.removeprefix(_LAMPS)}"
            shine = beside(lamps.batches[0])
            if name not in names and (emission or shine.count):
                names.add(name)
                _illuminate(world, recorder, name, lamps, shine, emission)


def _illuminate(world: World, recorder: Recorder, name: str, lamps: Pass, shine: Batch, emission: str) -> None:
    """Record the passes of a view.

    lamps: the pass that draws the view's lamps. shine: these lamps, as they light walls. emission: the attachment that
    glows, "" for none.
    """
    frame, settings = world[Frame], world[LightingSettings]
    rect = pixel_rect(lamps.viewport, frame.target(lamps.targets[0]).pixel_size(frame.size))[2:]
    share = min(_side(world) / max(*rect, 1), 1.0)
    size = (max(round(rect[0] * share), 1), max(round(rect[1] * share), 1))
    window = np.array(lamps.viewport or (0, 0, 1, 1), np.float32)
    arrays = {
        "solid": _solid(world, name, lamps, size),
        "numbers": np.array([settings.emission, *window], np.float32),
    }

    def add(part: str, inputs: tuple[str, ...], batch: Batch, format_: str = "rgba16f") -> Pass:
        onto = f"{name}.{part}"
        recorder.add_target(Target(onto, size, (format_,), filter="nearest"))
        return _add(recorder, Pass(onto, (onto,), inputs), batch)

    inputs = (add("scene", (emission,) if emission else (), Batch(SCENE, arrays, blend="replace", count=1)).name,)
    if shine.count:
        faces = add("faces", inputs, Batch(FACES, {"turn": _turn(lamps, size)}, blend="replace", count=1), "rgba8")
        lit = add("lamps", (faces.name,), shine)
        lit.view, lit.projection = lamps.view, lamps.projection
        inputs = (*inputs, lit.name)
    numbers = np.array([settings.gi_strength, settings.gi_albedo, bool(emission)], np.float32)
    light = Batch(GLOW, {"numbers": numbers}, blend="add", count=1)
    _add(recorder, Pass(name, lamps.targets, inputs, viewport=lamps.viewport, after=lamps.name), light)


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


def _add(recorder: Recorder, pass_: Pass, batch: Batch) -> Pass:
    pass_.rank, batch.source = "lights", "lighting.gi"
    pass_ = recorder.add_pass(pass_)
    recorder.add(batch, pass_.name)
    return pass_


def _turn(view: Pass, size: tuple[int, int]) -> Array:
    """Return the matrix, float32 4, by rows, from normals on the grid of a view to normals in the world."""
    linear, _ = matrices(Pass("grid", view=view.view, projection=view.projection), size, (0.0, 0.0))
    return (linear * (np.array(size) / 2)[:, None]).T.astype(np.float32).ravel()


def _solid(world: World, name: str, view: Pass, size: tuple[int, int]) -> Array:
    """Return the walls of a view on a grid, uint8 (h, w); the same array while they are the same."""
    from .walls_kernels import rasterize

    memory = world[Glow]
    walls = world[Walls]
    linear, shift = matrices(Pass("grid", view=view.view, projection=view.projection), size, (0.0, 0.0))
    key = (walls, size, linear.tobytes(), shift.tobytes())
    last, solid = memory.grids.get(name, (None, None))
    if solid is not None and last == key:
        return solid
    ends = walls.edges.reshape(-1, 2).astype(np.float64)
    places = ((ends @ linear.T + shift + 1) * (np.array(size) / 2)).ravel()
    solid = np.zeros((size[1], size[0]), np.uint8)
    if len(walls):
        rasterize(places, ~is_open(walls.edges), solid)
    memory.grids[name] = key, solid
    return solid
