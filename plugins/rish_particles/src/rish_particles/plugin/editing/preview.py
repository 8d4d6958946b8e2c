"""Preview: the particles of one emitter in a World of its own, for the panel and for scene views of an edited game.

It runs the same step as the game, and draws particles as discs. The edited World is not changed.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_core import Assets, Transform
from rish_frame import ImageMask, WorldMatrices
from rish_jit import Array

from ...births.births import Workshop
from ...components.emitter import Emitter
from ...components.notices import Notices
from ...components.settings import ParticleSettings
from ...components.tables import Pools, ViewPools, ViewStreams
from ...files.preset_library import Page, PresetLibrary
from ...motion.step import step_particles
from ...pools.pools import PoolIndex, Store
from ...pools.spaces import matrix_of
from ...preset import Effect

if TYPE_CHECKING:
    from rish_core import World

MAX_DOTS = 1500
"""The greatest number of particles that are drawn."""
_DT = 1 / 60
_DISC_RATIO = 0.45
"""The size of a disc as a share of the particle's size, because pictures fade towards their edge."""


class Dots(NamedTuple):
    """The discs that a preview draws, in the order of drawing: places (n, 2) in units, radii n in units, colors n as
    `0xAABBGGRR`.
    """

    places: Array
    radii: Array
    colors: Array


class Preview:
    """Particles of an emitter around the origin. seconds: since it began. count: of living particles."""

    def __init__(self, world: World) -> None:
        shared = [cls for cls in (ParticleSettings, Assets, ImageMask) if cls in world]
        self.world = world.private(*shared)
        for cls in (PresetLibrary, PoolIndex, Workshop, Notices, ViewStreams, WorldMatrices):
            with contextlib.suppress(TypeError):
                self.world.put(cls())
        self.emitter = 0
        self.seconds = 0.0
        self._shown: str | None = None
        self._effect: Effect | None = None
        self._dots = Dots(np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.uint32))

    @property
    def count(self) -> int:
        """The number of living particles."""
        return sum(int(self.world[cls].live.sum()) for cls in (Pools, ViewPools))

    def restart(self) -> None:
        """Remove all particles; the next step starts from the beginning."""
        self._shown = None

    def show(self, effect: Effect, matrix: Array | None = None, **values: Any) -> None:
        """Set the effect that is emitted. matrix: of the emitter, a b c d. values: fields of its `Emitter`."""
        if self._effect is not effect:
            self.world[PresetLibrary].add(effect, effect.name)
            self._effect = effect
        if self._shown != effect.name:
            self._begin(effect)
        turn, growth = 0.0, (1.0, 1.0)
        if matrix is not None:
            a, b, c, d = (float(part) for part in matrix[:4])
            turn, growth = float(np.arctan2(b, a)), (float(np.hypot(a, b)), float(np.hypot(c, d)))
        self.world.set(self.emitter, Transform(rotation=turn, scale=growth))
        if values:
            self.world.set(self.emitter, Emitter(**values))

    def _begin(self, effect: Effect) -> None:
        for cls in (Pools, ViewPools):
            self.world[cls].live[:] = 0
        if self.emitter:
            self.world.despawn(self.emitter)
            self.world.flush()
        self.emitter = self.world.spawn(Transform(), Emitter(preset=effect.name))
        self._shown, self.seconds = effect.name, 0.0

    def step(self, seconds: float) -> None:
        """Advance the preview by a duration in seconds, at most by a tenth of a second."""
        if self._shown is None:
            return
        for _ in range(max(1, min(round(seconds / _DT), 6))):
            step_particles(self.world, _DT)
            self.seconds += _DT
        self._dots = self._drawn()

    @property
    def dots(self) -> Dots:
        """The particles as discs, the lowest first."""
        return self._dots

    def _drawn(self) -> Dots:
        parts: list[tuple[float, Dots]] = []
        for view in (False, True):
            store = Store.of(self.world, view)
            for row, live in enumerate(store.pools.live.tolist()):
                page = store.page(row) if live else None
                if page is not None and page.preset.look.visible:
                    parts.append((page.preset.look.z, _dots_of(store, row, page, live)))
        parts.sort(key=lambda part: part[0])
        dots_of_parts = [dots for _, dots in parts]
        if not dots_of_parts:
            return Dots(np.zeros((0, 2)), np.zeros(0), np.zeros(0, np.uint32))
        return Dots(*(np.concatenate(columns)[-MAX_DOTS:] for columns in zip(*dots_of_parts, strict=True)))


def _dots_of(store: Store, row: int, page: Page, live: int) -> Dots:
    """Return the particles of a pool as discs, as the kernel `pack` computes size and color."""
    columns, extras = store.span(row)
    x, y, _, _, age, life, _, _, size, rgba = (column[:live].copy() for column in columns)
    share = np.clip(age / np.maximum(life, 1e-6), 0, 1)
    at = np.minimum((share * 128).astype(np.int64), 128)
    if len(extras[0]):
        last = extras[2][:live]
        size = np.where(last >= 0, size + (last - size) * share, size)
    size = size * (page.size[2 * at] + page.size[2 * at + 1] * (share * 128 - at))
    if page.preset.local:
        a, b, c, d, tx, ty = matrix_of(store, row).tolist()
        x, y = a * x + c * y + tx, b * x + d * y + ty
    table = page.color[np.floor(share * 256 + 0.5).astype(np.int64)].view(np.uint8).reshape(-1, 4).astype(np.uint32)
    tint = np.ascontiguousarray(rgba).view(np.uint8).reshape(-1, 4).astype(np.uint32)
    red, green, blue, alpha = ((table * tint + 127) // 255).T
    colors = red | green << 8 | blue << 16 | alpha << 24
    return Dots(
        np.column_stack([x, y]),
        np.maximum(size * (_DISC_RATIO if page.preset.look.filter == "linear" else 0.5), 0),
        colors,
    )
