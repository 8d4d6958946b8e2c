"""Pools: spans of particles, found by their key, and their columns as slices.

A `Store` is one of three, state, view or space: the tables of particles, variations and pools. A pool is found by its
preset, its place in the drawing order and, if a preset's particles can't be shared, its emitter. After an emitter and
its last particle are removed, the span of the pool is free for the next pool of the same size.
"""

from __future__ import annotations

from dataclasses import dataclass
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, cast

import numpy as np

from rish_core import Columns, resource
from rish_ecs import Inputs
from rish_ecs.random import stream_key
from rish_jit import Array

from ..components.tables import COLUMNS, EXTRAS, SPACE, SPACE_COLUMNS, STATE, VIEW, ViewStreams
from ..files.preset_library import Page, PresetLibrary

if TYPE_CHECKING:
    from rish_core import World

Ten: TypeAlias = tuple[Array, Array, Array, Array, Array, Array, Array, Array, Array, Array]
Four: TypeAlias = tuple[Array, Array, Array, Array]
Key = tuple[int, int, float, int]
"""The text numbers of preset and layer, z, owner."""
_SPACE = 2
"""The number of the store of particles in space."""
_NOWHERE = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0)
_NO_VARIATION = (1.0, 1.0, -1.0, 0)
"""The variations of a particle that was emitted without any."""


class Span(NamedTuple):
    """A pool's columns in the order of the kernels: ten, and four of variations (empty if there are none)."""

    columns: Ten
    extras: Four


@resource(derived=True)
class PoolIndex:
    """Maps keys to rows of the pools' tables; rebuilt whenever other code may have changed them.

    stores: the two halves of the world. ready: the arguments of each pool's step, see `step_arguments`; they contain
    columns and are cleared when these grow.
    """

    rows: dict[int, dict[Key, int]] = dataclass_field(default_factory=dict[int, dict[Key, int]])
    stores: dict[int, Store] = dataclass_field(default_factory=dict[int, "Store"])
    ready: dict[tuple[bool, int], Any] = dataclass_field(default_factory=dict[tuple[bool, int], Any])

    def rebuild(self, world: World) -> None:
        """Clear all data, because a restore may have changed the pools."""
        self.rows.clear()
        self.stores.clear()
        self.ready.clear()


@dataclass(eq=False, slots=True)
class Store:
    """The particles of a world that are state, that are view state, or that are in space.

    view: whether they are view state. half: its number among these. columns: of its particles. presets: those that
    `fit` has seen.

    spans: the results of `span` by row of the pools; cleared when a pool gets other columns, or these grow.
    """

    world: World
    view: bool
    particles: Columns
    variations: Columns
    pools: Columns
    half: int
    columns: tuple[str, ...] = COLUMNS
    presets: Inputs = dataclass_field(default_factory=lambda: Inputs((PresetLibrary,)))
    spans: dict[int, Span] = dataclass_field(default_factory=dict[int, "Span"])

    @classmethod
    def of(cls, world: World, view: bool) -> Store:
        """Return one half of a world's particles."""
        stores = world[PoolIndex].stores
        store = stores.get(view)
        if store is None:
            store = stores[view] = cls(
                world, view, *(world[kind] for kind in (VIEW if view else STATE)), half=int(view)
            )
        return store

    @classmethod
    def in_space(cls, world: World) -> Store:
        """Return the particles in space, which are view state."""
        stores = world[PoolIndex].stores
        store = stores.get(_SPACE)
        if store is None:
            store = stores[_SPACE] = cls(
                world, True, *(world[kind] for kind in SPACE), half=_SPACE, columns=SPACE_COLUMNS
            )
        return store

    def name(self, row: int) -> str:
        """Return the full name of a pool's preset, "" for a free pool."""
        return self.pools.read_row("preset", row)

    def page(self, row: int) -> Page | None:
        """Return the page of a pool's preset; None for a free pool or an unknown preset."""
        name = self.name(row)
        return self.world[PresetLibrary].page(self.world, name) if name else None

    def span(self, row: int) -> Span:
        """Return the columns of a pool, over its complete capacity."""
        before = self.spans.get(row)
        if before is not None:
            return before
        pools = self.pools
        start, room, extra = int(pools.start[row]), int(pools.capacity[row]), int(pools.extra[row])
        columns = cast("Ten", tuple([self.particles.flat(name)[start : start + room] for name in self.columns]))
        end = extra + room if extra >= 0 else 0
        extras = cast("Four", tuple([self.variations.flat(name)[max(extra, 0) : end] for name in EXTRAS]))
        span = Span(columns, extras)
        self.spans[row] = span
        return span

    def find(self, page: Page, layer: str, z: float, owner: int) -> int:
        """Return the row of the pool of a preset. If there is none, a new pool is created."""
        world, preset = self.world, page.preset
        key = world.intern(preset.name), world.intern(layer), float(np.float32(z)), owner if preset.alone else 0
        rows = self._rows()
        row = rows.get(key, -1)
        if row < 0:
            row = rows[key] = self._claim(key, preset.capacity, preset.varied)
        return row

    def draw(self, name: str, count: int) -> tuple[int, int]:
        """Reserve `count` numbers of a preset's stream; return its key and the counter of the first, which is even."""
        world, name = self.world, f"particles.{name}"
        if self.view:
            counters = world[ViewStreams].counters
            counter = counters.get(name, 0) + 1 & ~1
            counters[name] = counter + count
            return stream_key(world.seed, name), counter
        stream = world.random(name)
        counter = stream.counter + 1 & ~1
        stream.counter = counter + count
        return stream.key, counter

    def release(self, row: int) -> None:
        """Free a pool; its span is kept for another pool of the same size."""
        pools = self.pools
        pools.column("preset")[row] = 0
        pools.live[row] = pools.dropped[row] = pools.owner[row] = 0
        self.world[PoolIndex].rows.pop(self.half, None)

    def fit(self) -> None:
        """Give each pool whose preset was changed the capacity and the columns that the preset needs now.

        Its particles are moved to another span, the oldest first; those that do not fit count as dropped.
        """
        if not self.presets.changed(self.world):
            return
        self.world[PoolIndex].ready.clear()
        self.spans.clear()
        for row in range(len(self.pools)):
            page = self.page(row)
            if page is not None:
                preset, varied = page.preset, self.pools.extra[row] >= 0
                if (preset.capacity, preset.varied) != (self.pools.capacity[row], varied):
                    self._move_span(row, preset.capacity, preset.varied)

    def _move_span(self, row: int, room: int, varied: bool) -> None:
        pools = self.pools
        key = tuple(pools.flat(name).item(row) for name in ("preset", "layer", "z", "owner"))
        new_row = self._claim(key, room, varied)
        live, old_span, span = min(int(pools.live[row]), room), self.span(row), self.span(new_row)
        for to, column in zip(span.columns, old_span.columns, strict=True):
            to[:live] = column[:live]
        if varied:
            extras: Any = (
                old_span.extras if pools.extra[row] >= 0 else [np.full(live, value) for value in _NO_VARIATION]
            )
            for to, column in zip(span.extras, extras, strict=True):
                to[:live] = column[:live]
        pools.dropped[new_row] = pools.dropped[row] + pools.live[row] - live
        pools.live[new_row], pools.center[new_row], pools.matrix[new_row] = live, pools.center[row], pools.matrix[row]
        self.release(row)

    def _rows(self) -> dict[Key, int]:
        index = self.world[PoolIndex].rows
        rows = index.get(self.half)
        if rows is None:
            pools = self.pools
            parts = [pools.flat(name).tolist() for name in ("preset", "layer", "z", "owner")]
            keys = zip(*parts, strict=True)
            rows = index[self.half] = {key: row for row, key in enumerate(keys) if key[0]}
        return rows

    def _claim(self, key: Key, room: int, varied: bool) -> int:
        """Return the row of a free pool of that capacity, or of a new pool."""
        pools = self.pools
        fits = (pools.column("preset") == 0) & (pools.capacity == room) & ((pools.extra >= 0) == varied)
        free = np.flatnonzero(fits)
        if len(free):
            row = int(free[0])
        else:
            self.world[PoolIndex].ready.clear()
            self.spans.clear()
            rows = pools.append(
                1,
                start=self.particles.resize(len(self.particles) + room).start,
                capacity=room,
                extra=self.variations.resize(len(self.variations) + room).start if varied else -1,
            )
            row = rows.start
            self._clean(row)
        columns = (pools.column(name) for name in ("preset", "layer", "z", "owner"))
        for column, value in zip(columns, key, strict=True):
            column[row] = value
        pools.live[row] = pools.dropped[row] = 0
        pools.matrix[row] = _NOWHERE if self.half == _SPACE else (1, 0, 0, 1, 0, 0)
        return row

    def _clean(self, row: int) -> None:
        """Set new rows to 0, because their content must not differ from run to run."""
        span = self.span(row)
        for column in (*span.columns, *span.extras):
            column[:] = 0
