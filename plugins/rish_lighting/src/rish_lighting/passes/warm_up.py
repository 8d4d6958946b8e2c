"""Draws the lights of a scene once onto a hidden target, so that no kernel and no shader compiles during the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_frame import Batch, Frame, Pass, Target

from .. import formulas as f
from ..components.settings import LightingSettings
from ..lamps.lamps import collect_lamps
from ..shadows.diamond import MIN_BINS, WEDGES
from ..walls.walls import NO_WALLS
from .compose import NO_COOKIES
from .cookies import Cookies
from .extract import Lighting, is_lit, needs_linear
from .kinds import LAY, LIGHTS

if TYPE_CHECKING:
    from rish_core import World

_LIGHT, _SHEET = "light.warm-up", "light.warm-up.sheet"


def warm_up(world: World, frame: Frame) -> list[Batch]:
    """Add passes that draw lights, and sheets as the scene needs them, onto small targets; return no batches."""
    lit, linear = is_lit(world), needs_linear(world)
    if not (lit or linear) or not world[Lighting].able:
        return []
    size = (16, 16)
    frame.add_target(Target(_LIGHT, size, ("rgba16f",)))
    frame.add_target(Target(_SHEET, size))
    if lit:
        frame.add_pass(Pass(_LIGHT, targets=(_LIGHT,), batches=[lights_of(world)]))
    inputs = (_SHEET, _LIGHT) if lit else (_SHEET,)
    for target in ("screen",) * lit + (f"{_LIGHT}.picture",) * linear:
        encoded = target == "screen"
        if not encoded:
            frame.add_target(Target(target, size, ("rgba16f",)))
        flags, glow = np.array([lit, 0, 0, encoded], np.int32), np.ones(1, np.float32)
        lay = Batch(LAY, {"flags": flags, "glow": glow}, count=1, source="lighting")
        frame.add_pass(Pass(f"{_LIGHT}.lay.{target}", targets=(target,), inputs=inputs, after=_LIGHT, batches=[lay]))
    return []


def lights_of(world: World) -> Batch:
    """Return a batch with a lamp of each kind in the scene, in the middle, and shadow maps in which nothing blocks."""
    lamps = collect_lamps(world, shadows=bool(world[LightingSettings].shadows), rows=8)
    first = np.unique(lamps.table[:, f.KIND], return_index=True)[1]
    table = lamps.table[first]
    table[:, f.X] = table[:, f.Y] = 0
    table[:, f.START], table[:, f.BINS] = 0, MIN_BINS
    table[:, f.SHADOW] = np.where(lamps.casts[first], np.where(table[:, f.SIZE] > 0, f.SOFT, f.HARD), f.NO_SHADOW)
    table[:, f.STEP] = table[:, f.THICK] = 1
    arrays = {
        "lights": table.astype(np.float32),
        "reach": np.ones((len(table), WEDGES), np.float32),
        "maps": np.full(MIN_BINS * 16, 1e30, np.float32),
        "cookies": world[Cookies].stacked(world, lamps.images) if lamps.images else NO_COOKIES,
    }
    return Batch(LIGHTS, arrays, blend="add", count=len(table), source="lighting")


def needs_shadows(world: World) -> bool:
    """Return True if lamps of the scene may cast shadows."""
    return is_lit(world) and world[Lighting].able and bool(world[LightingSettings].shadows)


def cast_shadows() -> None:
    """Compute a shadow map without walls."""
    from ..shadows.kernels import cast_points, reach_of

    none, light, one = NO_WALLS, np.zeros(3, np.float32), np.zeros(1, np.int64)
    bins, texels = np.full(1, MIN_BINS, np.int64), np.zeros(MIN_BINS, np.float32)
    cast_points(
        none.edges.reshape(-1), none.family, none.mask, none.two_sided, light, one, np.full(1, -1, np.int32), one, bins,
        one, texels,
    )  # fmt: skip
    reach_of(light, one, bins, one, WEDGES, texels, np.zeros(WEDGES, np.float32), np.zeros(1, np.float32))
