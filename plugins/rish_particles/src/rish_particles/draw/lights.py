"""Makes particles give light: writes rows of `LightPoints` for each pool whose preset has a light.

A lighting plugin reads them in EXTRACT. Without such a plugin this is logged once, and the particles give no light.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from rish_core import LayerStack, Stage, system
from rish_ecs.declarations import distinct
from rish_frame import Frame, LightPoints, WorldMatrices
from rish_jit import Array

from ..components.notices import Notices
from ..components.settings import ParticleSettings
from ..files.preset_library import Page, PresetLibrary
from ..pools.pools import Store
from ..pools.spaces import matrix_of, scale_of, taken
from ..preset import ParticleLight

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32


@system(
    Stage.LATE,
    reads=WorldMatrices,
    writes=(LightPoints, PresetLibrary, Notices),
    after=("frame.interpolate_poses", "frame.clear_lights"),
    name="shine",
    derive=True,
)
def shine(world: World, dt: float) -> None:
    """The system `particles.shine`: makes evenly chosen particles points of light. Their brightness is in proportion
    to their opacity.
    """
    back = (1.0 - world.alpha) * world.dt * world[ParticleSettings].time_scale
    for view in (False, True):
        store = Store.of(world, view)
        for row, live in enumerate(store.pools.flat("live").tolist()):
            page = store.page(row) if live else None
            light = page.preset.light if page is not None else None
            if page is None or light is None or _flat(store, row):
                continue
            if not world[Notices].lit and Frame in world and world[Frame].pictures is not None:
                what = f"{page.preset.name} has a light, but no plugin draws lights"
                world[Notices](f"{what}: add 'lighting' to plugins in game.yaml", logging.INFO, key="lights")
            _shine_pool(store, row, page, light, live, back * page.preset.time_scale)


def _flat(store: Store, row: int) -> bool:
    """Return True if a pool is drawn in screen space, where the world's lights have no effect."""
    world, name = store.world, store.world.text(int(store.pools.layer[row]))
    return bool(name) and LayerStack in world and world[LayerStack].layer(name).space == "screen"


def _shine_pool(store: Store, row: int, page: Page, light: ParticleLight, live: int, back: float) -> None:
    """Add some of a pool's particles as lights at their drawn positions: `back` seconds before the last tick."""
    indices = distinct(np.linspace(0, live - 1, min(live, light.maximum)).astype(np.int64))
    span = store.span(row)
    x, y, vx, vy, age, life, _, _, _, rgba = (column[:live][indices] for column in span.columns)
    share = np.minimum(age / life, F32(1))
    factor = np.interp(share, np.linspace(0, 1, len(page.speed) // 2), page.speed[::2]).astype(F32)
    if len(span.extras[0]):
        first, last = (column[:live][indices] for column in span.extras[:2])
        factor *= first + (last - first) * share
    way = factor * np.minimum(age, F32(back))
    x, y, radius = x - vx * way, y - vy * way, light.radius
    if page.preset.local:
        matrix = matrix_of(store, row, drawn=True)
        x, y, _, _ = taken(matrix, x, y, vx, vy)
        radius *= scale_of(matrix)
    palette = page.color[(share * 256 + 0.5).astype(np.int64)].view(np.uint8).reshape(-1, 4)
    tint = rgba.view(np.uint8).reshape(-1, 4) / 255.0
    colors = np.ones((len(indices), 4), F32)
    colors[:, :3] = _linear(tint[:, :3] * np.array(light.color[:3]))
    opacity = tint[:, 3] * light.color[3] * palette[:, 3] / 255.0
    shine = (light.intensity * opacity).astype(F32)
    store.world[LightPoints].append(len(indices), x=x, y=y, radius=F32(radius), color=colors, intensity=shine)


def _linear(encoded: Array) -> Array:
    """Convert sRGB code values to linear light (IEC 61966-2-1)."""
    return np.where(encoded <= 0.04045, encoded / 12.92, ((encoded + 0.055) / 1.055) ** 2.4)
