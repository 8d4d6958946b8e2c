"""Collides the particles of one pool with the edges of the world, and orders the children of hits."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as np

from rish_core import Edges
from rish_jit import Array

from ..births.births import Orders, Workshop
from ..components.notices import Notices
from ..files.preset_library import Page
from ..pools.pools import Span, Store
from ..pools.spaces import matrix_of, taken, turned_round
from ..preset import RESPONSES, Collision
from .edge_grid import EdgeGrid

if TYPE_CHECKING:
    from rish_core import World

F32 = np.float32


def collide_pool(store: Store, row: int, page: Page, span: Span, orders: Orders, dt: float) -> None:
    """Stop the particles of a pool at the first edge in their movement of this tick, and order the children of hits.

    Local particles are tested with the current position of their emitter; the emitter's own movement does not count.
    """
    rule, world = page.preset.collision, store.world
    if rule is None or Edges not in world or not len(world[Edges]):
        _miss(world, page.preset.name)
        return
    grid = world[EdgeGrid]
    n = int(store.pools.live[row])
    columns = [column[:n] for column in span.columns]
    if not page.preset.local:
        _hit(store, row, page, rule, columns, span, grid, orders, dt)
        return
    matrix = matrix_of(store, row)
    back = turned_round(matrix)
    if back is None:
        return
    in_world = taken(matrix, *columns[:4])
    if _hit(store, row, page, rule, [*in_world, *columns[4:]], span, grid, orders, dt):
        for column, value in zip(columns, taken(back, *in_world), strict=False):
            column[:] = value


def _hit(
    store: Store, row: int, page: Page, rule: Collision, columns: list[Array], span: Span, grid: EdgeGrid,
    orders: Orders, dt: float,
) -> int:  # fmt: skip
    """Run the kernel over positions and velocities in the world; return the number of particles that hit an edge."""
    from ..kernels.collide import HIT, collide

    n, child = len(columns[0]), page.preset.on_hit
    hits = store.world[Workshop].buffer("hits", HIT * n)[: HIT * n if child is not None else 0]
    count = collide(
        n, (tuple(columns), span.extras), page.speed, F32(dt), (grid.edges, grid.masks, rule.mask),
        (grid.begins, grid.ends, grid.items, *grid.origin, grid.per, grid.wide, grid.high),
        (RESPONSES.index(rule.response), F32(rule.bounce), F32(rule.friction)), hits,
    )  # fmt: skip
    if child is not None and count:
        rows = hits[: HIT * count].reshape(-1, HIT)
        colors = rows[:, 6].copy().view(np.int32)
        orders.children(store, row, child, rows[:, :4].astype(np.float64), colors, rows[:, 4:6])
    return count


def _miss(world: World, name: str) -> None:
    """Log once that particles of a preset cannot collide, because no plugin has published edges."""
    if Edges not in world or not len(world[Edges]):
        what = f"{name} has `collide`, but the world has no edges, so its particles pass through everything"
        advice = "add 'physics' to plugins in game.yaml, or a tile map"
        world[Notices](f"{what}; {advice}", logging.INFO, key="edges")
