"""The light of a batch on the graphics card: suns and sky in a uniform block, lamps and clusters in tables.

A fragment shader has room for 16 textures, and eight shadow maps and five attachments may be among them. So all that
is small is in the block, and the lists of lamps follow the table of clusters.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from rish_ecs.declarations import distinct
from rish_frame import Batch, PerVersion
from rish_jit import Array

from ... import layout as at
from ...light.albedo import albedo_rows
from .programs import LIGHT, UNITS
from .tables import Table

_BYTES = 16 * (at.SCENE // 4 + 9 + at.MAX_SUNS * at.SUN // 4)
"""The size of the part of the block that changes; the rows of the albedo follow."""


class Lit:
    """The light of one batch. defines: what its shaders need. lamp_maps, sun_maps: see `sources`."""

    def __init__(self, ctx: Any) -> None:
        self.block = ctx.buffer(data=bytes(_BYTES) + albedo_rows().tobytes())
        self.lamps, self.clusters = Table(ctx), Table(ctx, 1, "i")
        self.defines: frozenset[str] = frozenset()
        self.lamp_maps: tuple[int, ...] = ()
        self.sun_maps: tuple[int, ...] = ()


class Light:
    """The light of one context."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self._lit = PerVersion[Lit]()
        self._atlas: Any = None
        self._atlas_seen: Array | None = None

    def use(self, batch: Batch) -> Lit:
        """Upload the changed parts of the light of a batch, and bind it."""
        lit = self._lit.written(batch, lambda: Lit(self._ctx), _fill)
        lit.block.bind_to_uniform_block(LIGHT)
        lit.lamps.use(UNITS["lamps"])
        lit.clusters.use(UNITS["clusters"])
        if "atlas" in batch.arrays:
            self._use_atlas(batch.arrays["atlas"])
        return lit

    def _use_atlas(self, atlas: Array) -> None:
        if self._atlas is None:
            nearest = (self._ctx.NEAREST, self._ctx.NEAREST)
            size = (at.ATLAS_SIDE, at.ATLAS_SIDE * at.ATLAS_LEVELS)
            self._atlas = self._ctx.texture(size, components=3, dtype="f4", filter=nearest)
        if self._atlas_seen is not atlas:
            self._atlas.write(np.ascontiguousarray(atlas, np.float32))
            self._atlas_seen = atlas
        self._atlas.use(UNITS["atlas"])


def _fill(lit: Lit, batch: Batch) -> None:
    arrays = batch.arrays
    suns = arrays["suns"][: at.MAX_SUNS]
    lit.block.write(block(arrays["scene"], arrays.get("ambient"), suns))
    defines = {f"SUNS {len(suns)}"} if len(suns) else set[str]()
    if arrays["scene"][at.FOG_DENSITY] > 0:
        defines.add("FOG")
    lit.sun_maps, lit.lamp_maps = (), ()
    lamps = arrays.get("lamps")
    if lamps is not None and len(lamps):
        lit.lamps.write(lamps)
        clusters = arrays["clusters"] + np.array([arrays["clusters"].size, 0], np.int32)
        lit.clusters.write(np.concatenate([clusters.reshape(-1), arrays["cluster_lamps"]]))
        defines.add("LAMPS")
        maps = distinct(lamps[:, at.LAMP_MAP]).astype(int)
        lit.lamp_maps = tuple(maps[maps >= 0].tolist())
    if (suns[:, at.SUN_MAP] >= 0).any():
        lit.sun_maps = tuple(suns[:, at.SUN_MAP].astype(int).tolist())
        defines |= {"SUN_SHADOWS", "SHADOWS"}
    if lit.lamp_maps:
        defines |= {"LAMP_SHADOWS", "SHADOWS"}
    lit.defines = frozenset(defines)


def block(scene: Array, ambient: Array | None, suns: Array) -> bytes:
    """Return the part of the uniform block `Light` that changes, as bytes."""
    numbers = np.zeros((_BYTES // 16, 4), np.float32)
    first = at.SCENE // 4
    numbers[:first].reshape(-1)[:] = scene
    if ambient is not None:
        numbers[first : first + 9, :3] = ambient
    rows = len(suns) * at.SUN // 4
    numbers[first + 9 : first + 9 + rows] = suns.reshape(-1, 4)
    return numbers.tobytes()
