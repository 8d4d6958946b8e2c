"""Emitters in space: where they are, and what they emit, as orders of `births`."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, Transform, derived
from rish_core.common import hierarchy_of
from rish_ecs import Rows
from rish_jit import Array
from rish_space3d import Transform3D, local_matrices, product

from ..births.emission import Crowd, order_crowd
from ..births.preset_orders import PresetOrders
from ..components.emitter import Emitter
from ..files.preset_library import Page
from ..pools.pools import Store

if TYPE_CHECKING:
    from rish_core import World

    from .births import SpaceOrders

_DEEPEST = 64
"""How many levels of parents are followed."""
PLACE, WAY, AXES, SIZE, VELOCITY = slice(0, 3), slice(3, 6), slice(6, 15), 15, slice(16, 19)
"""The columns of an order in space: the place and the movement in this tick, m; the axes, row by row, with the scale;
the scale alone; the velocity that the particles inherit, m/s."""
ORDER = 19


def matrices_of(world: World, rows: Array) -> Array:
    """Return the matrices in the world of rows of Transform3D in this tick, float32 (k, 3, 4)."""
    table, parents = world.table(Transform3D), hierarchy_of(world, Transform3D).parents
    columns = [table.column(name) for name in ("position", "rotation", "scale")]

    def local(which: Array) -> Array:
        poses = [column[which] for column in columns]
        return local_matrices(*poses, *poses, back=np.float32(0))

    matrix, above = local(rows), parents[rows]
    for _ in range(_DEEPEST):
        hung = np.flatnonzero(above >= 0)
        if not len(hung):
            break
        matrix[hung] = product(local(above[hung]), matrix[hung])
        above[hung] = parents[above[hung]]
    return matrix


@derived(reads=(Rows(Emitter), Rows(Disabled), Rows(Transform), Transform3D))
class SpacePlaces:
    """The enabled emitters that have a Transform3D and no Transform.

    rows: int64 (k,), of the table of emitters. entities: int64 (k,). matrix: float32 (k, 3, 4), in the world.
    """

    rows: Array = np.zeros(0, np.int64)
    entities: Array = np.zeros(0, np.int64)
    matrix: Array = np.zeros((0, 3, 4), np.float32)

    def compute(self, world: World) -> None:
        """Compute the matrices of all emitters in space."""
        query = world.query(Emitter, Transform3D)
        alone = world.table(Transform).rows_of(query.entities) < 0
        self.rows, self.entities = query.rows(Emitter)[alone], query.entities[alone]
        self.matrix = matrices_of(world, query.rows(Transform3D)[alone])


class SpaceCrowd(Crowd):
    """Emitters in space that run one effect. matrix: (k, 3, 4), world."""

    def __init__(self, world: World, rows: Array, matrix: Array, entities: Array) -> None:
        self.world, self.rows, self.entities, self.matrix = world, rows, entities, matrix
        self.table = world[Emitter]
        before = np.column_stack([self.table.was[rows], self.table.was_z[rows]])
        self.way = matrix[:, :, 3] - before

    def store(self, page: Page) -> Store:
        """Return the particles in space."""
        return Store.in_space(self.world)

    @property
    def owed(self) -> Array:
        """float32 (n, 8): parts of particles that all emitters have yet to emit."""
        return self.table.owed_in_space

    def remember(self) -> None:
        """Remember the places until the next tick."""
        self.table.was[self.rows], self.table.was_z[self.rows] = self.matrix[:, :2, 3], self.matrix[:, 2, 3]

    def distances(self) -> Array:
        """Return 0: emitters in space emit at any distance."""
        return np.zeros(len(self.rows))

    def orders(self, page: Page, part: int, times: Array, dt: float) -> PresetOrders:
        """Return the orders of these emitters for one preset of their effect."""
        return SpacePresetOrders(self, page, part, times, dt)

    @cached_property
    def far(self) -> Array:
        """float64 (k,): how far each emitter moved in this tick, units of its preset."""
        return np.sqrt((self.way.astype(np.float64) ** 2).sum(axis=1)) / np.maximum(self.size, 1e-9)

    @cached_property
    def poses(self) -> Array:
        """float64 (k, ORDER): orders with the place, the axes and the size of each emitter."""
        orders = np.zeros((len(self.rows), ORDER))
        orders[:, PLACE] = self.matrix[:, :, 3]
        orders[:, AXES] = (self.matrix[:, :, :3] * self.size[:, None, None]).reshape(-1, 9)
        orders[:, SIZE] = self.size
        return orders


class SpacePresetOrders(PresetOrders):
    """The orders of emitters in space for one preset, see `PresetOrders`."""

    @cached_property
    def pools(self) -> list[tuple[Any, int]]:
        """The pools that these emitters fill, each with the indices of its emitters."""
        crowd, preset, store = self.crowd, self.page.preset, self.store
        owners = crowd.entities if preset.alone else np.zeros(len(crowd.rows), np.int64)
        keys = list(zip(crowd.table.layer[crowd.rows].tolist(), crowd.size.tolist(), owners.tolist(), strict=True))
        pools: list[tuple[Any, int]] = []
        for key in dict.fromkeys(keys):
            layer, size, owner = key
            pool = store.find(self.page, crowd.world.text(layer) or preset.look.layer, size, owner)
            which = [k for k, other in enumerate(keys) if other == key]
            if owner:
                matrix = crowd.matrix[which[0]]
                if preset.local:
                    store.pools.matrix[pool] = matrix.reshape(-1)
                store.pools.center[pool] = 0 if preset.local else matrix[:, 3]
            pools.append((which, pool))
        return pools

    @cached_property
    def rows(self) -> Array:
        """float64 (k, ORDER): the order of each emitter."""
        crowd, preset = self.crowd, self.page.preset
        rows = crowd.poses.copy()
        rows[:, WAY] = crowd.way
        rows[:, VELOCITY] = crowd.way * (preset.inherit / self.dt)
        if preset.local:
            rows[:, PLACE] = rows[:, WAY] = rows[:, VELOCITY] = 0
            rows[:, AXES] = np.outer(crowd.size, np.eye(3).reshape(-1))
        return rows


def order_space_emitters(orders: SpaceOrders, dt: float, prewarm: Any) -> None:
    """Order the particles that all emitters in space emit in this tick, and update the emitters' times."""
    world = orders.world
    if not len(world[Emitter]) or Transform3D not in world.tables:
        return
    places: SpacePlaces = world[SpacePlaces]
    if len(places.rows):
        order_crowd(SpaceCrowd(world, places.rows, places.matrix, places.entities), orders, dt, prewarm)
