"""EXTRACT: fog of war as passes above the layers of the world, and below effects and layers in screen space.

The drawn fog follows the visible squares within a fraction of a second, and its edges are soft; both are view state.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, Edges, Stage, Transform, derived, system
from rish_frame import Batch, Frame, Pass, Recorder
from rish_frame.frame import RANKS
from rish_jit import Array

from ..formulas import decode
from ..passes.extract import Lighting
from ..post.passes import Source
from ..walls.walls import Walls, is_open
from .components import FogOfWar
from .fog import Fog, FogView
from .kinds import FOG

if TYPE_CHECKING:
    from rish_core import World

_BELOW = RANKS[: RANKS.index("post")]
_OTHERS = ("flat", "ground", "group", "light.")
_MAX_WIDTH = 16
"""The greatest number of squares over which an edge is softened, and to which the visible area is grown into walls."""


@derived(reads=(Fog, FogOfWar, Disabled, Walls))
class FogGoal:
    """The fog as it is drawn when it rests. values: float32 (h, w, 2), how visible each square is, and how seen."""

    values: Array = np.zeros((0, 0, 2), np.float32)

    def compute(self, world: World) -> None:
        """Grow the visible squares into walls, and soften the edges."""
        from .fog_kernels import goal

        fog, table = world[Fog], world.table(FogOfWar)
        row = int(world.query(FogOfWar).rows(FogOfWar)[0])
        sizes = (float(table.column(name)[row]) for name in ("margin", "soft"))
        grown, blurs = (min(round(size / fog.cell), _MAX_WIDTH) for size in sizes)
        self.values = np.empty((*fog.now.shape, 2), np.float32)
        goal(fog.now, fog.seen, _solid(fog, world[Walls]), grown, max(blurs, 1), self.values)


@system(
    Stage.EXTRACT, reads=(FogOfWar, Fog, Source, Lighting, Edges, Transform), writes=(Frame, FogView),
    after="lighting.light", before=("lighting.post", "render.apply_materials"),
)  # fmt: skip
def veil(world: World, dt: float) -> None:
    """Add the passes that draw the fog over the world (system `lighting.veil`)."""
    frame, view, fog = world[Frame], world[FogView], world[Fog]
    query = world.query(FogOfWar)
    if len(query) and fog.entity and world[Lighting].able and not frame.plain:
        seconds = float(world.table(FogOfWar).column("seconds")[int(query.rows(FogOfWar)[0])])
        _approach(world, view, dt, seconds)
        frame.retain("lighting.fog", world, (Frame, FogView, FogOfWar, Lighting, _place), partial(_record, world))


def _place(world: World) -> tuple[Any, ...]:
    """Return where the fog lies, and the target that it is drawn onto."""
    fog = world[Fog]
    return fog.low, fog.cell, world[Source].target


def _record(world: World, recorder: Recorder) -> None:
    """Record a pass for each view."""
    frame, onto = world[Frame], world[Source].target or world[Frame].canvas
    batch = _batch(world, onto)
    for number, scene in enumerate(_views(world, frame), 1):
        recorder.add_pass(_pass(frame, f"{FOG}.{number}", onto, scene))
        recorder.add(batch, f"{FOG}.{number}")


def _approach(world: World, view: FogView, dt: float, seconds: float) -> None:
    """Move the drawn fog towards the state of the fog."""
    from .fog_kernels import approach

    goal = world[FogGoal].values
    if view.shown is None or view.shown.shape != goal.shape:
        view.shown = goal.copy()
        view.version += 1
    else:
        share = np.float32(min(3 * dt / seconds, 1) if seconds > 0 else 1)
        if approach(view.shown.reshape(-1), goal.reshape(-1), share):
            view.shown = view.shown[:]  # another array for the drawers, in the same memory
            view.version += 1


def _solid(fog: Fog, walls: Walls) -> Array:
    """Return the squares of the fog that are inside walls, or that a wall touches, uint8 (h, w)."""
    from ..gi.walls_kernels import rasterize

    solid = np.zeros(fog.now.shape, np.uint8)
    if len(walls):
        places = (walls.edges.reshape(-1, 2).astype(np.float64) - fog.low) / fog.cell
        rasterize(places.ravel(), ~is_open(walls.edges), solid)
    return solid


def _views(world: World, frame: Frame) -> list[Pass]:
    """Return one pass of the world for each camera of the frame."""
    moved = world[Lighting].moved
    views: dict[Any, Pass] = {}
    for pass_ in frame.ordered():
        if pass_.name.startswith(_OTHERS) or pass_.rank not in _BELOW:
            continue
        if moved.get(pass_.name, pass_.targets) == (frame.canvas,):
            views.setdefault(pass_.viewport, pass_)
    return list(views.values())


def _pass(frame: Frame, name: str, onto: str, scene: Pass) -> Pass:
    """Return a pass that draws fog over the view of a camera."""
    others = [p for p in frame.passes.values() if p.targets == (onto,) and not p.name.startswith(f"{FOG}.")]
    return Pass(
        name, (onto,), (onto,), scene.view, scene.projection, scene.viewport, clear=False,
        after=tuple(p.name for p in others if p.rank in _BELOW),
    )  # fmt: skip


def _batch(world: World, onto: str) -> Batch:
    """Return the batch of the fog over an image."""
    view, fog, table = world[FogView], world[Fog], world.table(FogOfWar)
    row = int(world.query(FogOfWar).rows(FogOfWar)[0])
    red, green, blue, alpha = np.asarray(table.column("unseen")[row], np.float64)
    dim, saturation = (float(table.column(name)[row]) for name in ("dim", "saturation"))
    encoded = world[Frame].target(onto).formats[0] == "rgba8"
    unseen = (*decode(np.array([red, green, blue])), alpha)
    arrays = {
        "squares": view.shown,
        "numbers": np.array([*unseen, dim, saturation, fog.cell, encoded], np.float32),
    }
    return Batch(FOG, arrays, origin=fog.low, blend="replace", count=1, source="lighting.fog")
