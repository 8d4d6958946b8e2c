"""Collects orders for particles by pool and carries them out at the end of a step.

Emitters, `emit`, events and dying particles all make requests in the same form, an *order*: how many particles of which
pool at which position. All orders of one pool are carried out by one call of a kernel.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import resource
from rish_ecs.random import Stream
from rish_jit import Array

from ..files.preset_library import Page, PresetLibrary
from ..pools.numbers import birth_numbers, shape_kind, spots_of
from ..pools.pools import Store
from ..pools.spaces import matrix_of, taken
from ..preset import Child, Preset, Span

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32
_UPRIGHT = (1.0, 0.0, 0.0, 1.0)
MAX_GENERATIONS = 6
"""The greatest number of generations of children that are emitted within one tick."""


@resource(derived=True)
class Workshop:
    """Buffers of the kernels and values computed from pages; all of it can be computed again."""

    buffers: dict[str, Array] = dataclass_field(default_factory=dict[str, Array])
    values: dict[str, tuple[Page, Array, Array]] = dataclass_field(
        default_factory=dict[str, "tuple[Page, Array, Array]"]
    )

    def buffer(self, name: str, size: int, dtype: Any = F32) -> Array:
        """Return a buffer of at least `size` numbers; it grows by half and never shrinks."""
        array = self.buffers.get(name)
        if array is None or len(array) < size:
            array = self.buffers[name] = np.zeros(size + size // 2, dtype)
        return array

    def births(self, world: World, page: Page) -> tuple[Array, Array]:
        """Return the numbers of a page for `spawn`, float32, and the spots of its shape, see `numbers.spots_of`."""
        cached = self.values.get(page.preset.name)
        if cached is None or cached[0] is not page:
            cached = (page, birth_numbers(page.preset), spots_of(world, page.preset.shape))
            self.values[page.preset.name] = cached
        return cached[1], cached[2]


class Orders:
    """The requests of one step, by store and pool: lists of float32 (k, 12) and int32 (k, 3), see `kernels.spawn`."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.requests: dict[tuple[Store, int], list[tuple[Array, Array]]] = {}

    def add(self, store: Store, row: int, orders: Array, counts: Array, tints: Any = -1, spread: bool = False) -> None:
        """Request particles in a pool."""
        emitting = counts > 0
        if not emitting.any():
            return
        wholes = np.empty((len(counts), 3), np.int32)
        wholes[:, 0], wholes[:, 1], wholes[:, 2] = counts, tints, spread
        if not emitting.all():
            orders, wholes = orders[emitting], wholes[emitting]
        self.requests.setdefault((store, row), []).append((orders.astype(F32), wholes))

    def carry_out(self, dt: float) -> None:
        """Emit all requested particles, and then the children that they request, generation by generation. dt: seconds
        of the tick.
        """
        for _ in range(MAX_GENERATIONS):
            if not self.requests:
                return
            requests, self.requests = self.requests, {}
            for (store, row), parts in requests.items():
                page = store.page(row)
                if page is not None:
                    self._spawn(store, row, page, parts, dt)

    def _spawn(self, store: Store, row: int, page: Page, parts: list[tuple[Array, Array]], dt: float) -> None:
        from ..kernels.spawn import PLAIN, VARIED, WORDS, spawn

        pools, preset, shop = store.pools, page.preset, self.world[Workshop]
        orders, wholes = (np.concatenate(arrays).ravel() for arrays in zip(*parts, strict=True))
        numbers, spots = shop.births(self.world, page)
        span, before = store.span(row), int(pools.live[row])
        varied = len(span.extras[0]) > 0
        total = int(wholes[::3].sum(dtype=np.int64))
        key, counter = store.draw(preset.name, total * (VARIED if varied else PLAIN))
        live, requested = spawn(
            before, int(pools.capacity[row]), (span.columns, span.extras), (orders, wholes), numbers,
            (shape_kind(preset.shape), preset.shape.outward, spots), (page.tints, preset.blended), (key, counter),
            F32(dt * preset.time_scale), shop.buffer("words", WORDS, np.uint32),
        )  # fmt: skip
        pools.live[row] = live
        pools.dropped[row] += requested - (live - before)
        if preset.on_birth is not None and live > before:
            points = np.column_stack([column[before:live] for column in span.columns[:4]])
            points = self.in_world(store, row, preset, points)
            self.children(store, row, preset.on_birth, points, span.columns[9][before:live])

    def in_world(self, store: Store, row: int, preset: Preset, points: Array) -> Array:
        """Convert positions and velocities of a pool's particles (n, 4) to the world, float64 (n, 4)."""
        if preset.local:
            points = np.column_stack(taken(matrix_of(store, row), *points.T))
        return points.astype(np.float64)

    def children(
        self, store: Store, row: int, child: Child, points: Array, tints: Array, normals: Array | None = None
    ) -> None:
        """Request the children of a pool's particles at points (n, 4), position and velocity in the world.

        normals: (n, 2), the direction of each child's own x axis.
        """
        page = self.world[PresetLibrary].page(self.world, child.preset)
        if page is None:
            return
        pools, parent = store.pools, store.page(row)
        target_store = Store.of(self.world, store.view or page.preset.view)
        z = float(pools.z[row]) + page.preset.look.z - (parent.preset.look.z if parent is not None else 0)
        target = target_store.find(page, self.world.text(int(pools.layer[row])), z, 0)
        stream = Stream(*target_store.draw(f"{child.preset} counts", 2 * len(points)))
        counts = drawn_counts(stream, child.count, len(points))
        if child.chance < 1:
            counts = np.where(stream.uniform(size=len(points)) < child.chance, counts, 0)
        orders = np.zeros((len(points), 12))
        orders[:, 0:2], orders[:, 4:8], orders[:, 9] = points[:, :2], _UPRIGHT, 1
        if normals is not None:
            x, y = normals.T
            orders[:, 4:8] = np.column_stack([x, y, -y, x])
        orders[:, 10:12] = points[:, 2:4] * child.inherit
        if page.preset.alone and len(points):
            target_store.pools.center[target] = points[-1, :2]
        self.add(target_store, target, orders, counts, tints if child.tint else -1)


def drawn_counts(stream: Stream, count: Span, n: int) -> Array:
    """Draw n counts uniformly from a span, rounded down, int64 (n,)."""
    if count[0] == count[1]:
        return np.full(n, int(count[0]), np.int64)
    return np.floor(stream.uniform(count[0], count[1] + (float(count[1]).is_integer()), size=n)).astype(np.int64)
