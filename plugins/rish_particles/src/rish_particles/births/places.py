"""Where the emitters are: a value that is computed again only if one of them or of what carries it has moved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_core import Disabled, Transform, derived, world_matrices
from rish_core.common import hierarchy_of
from rish_ecs import Rows
from rish_jit import Array

from ..components.emitter import Emitter

if TYPE_CHECKING:
    from rish_core import World

_FEW = 32
"""The number of emitters up to which the written rows of Transform are compared with theirs."""


@derived(reads=(Rows(Emitter), Rows(Disabled), Transform))
class EmitterPlaces:
    """The enabled emitters that have a Transform.

    rows: int64 (k,), of the table of emitters. entities: int64 (k,). matrix: float32 (k, 6), in the world. carriers:
    the rows of Transform that the matrices depend on; None for many emitters, and if a parent may get its Transform
    later.
    """

    rows: Array = np.zeros(0, np.int64)
    entities: Array = np.zeros(0, np.int64)
    matrix: Array = np.zeros((0, 6), np.float32)
    carriers: frozenset[int] | None = None

    def compute(self, world: World) -> None:
        """Compute the matrices of all emitters."""
        query = world.query(Emitter, Transform)
        places = query.rows(Transform)
        self.rows, self.entities = query.rows(Emitter), query.entities
        self.matrix = world_matrices(world, places)
        hierarchy = hierarchy_of(world)
        if len(places) <= _FEW and not hierarchy.loose:
            parents, carriers = hierarchy.parents, set[int]()
            for row in places.tolist():
                while row >= 0 and row not in carriers:
                    carriers.add(row)
                    row = parents.item(row)
            self.carriers = frozenset(carriers)

    def patch(self, world: World, changes: Any) -> bool:
        """Stay the same if other rows were written: a particle emitter that stands still then costs a quarter less."""
        moved = changes[Transform]
        if self.carriers is None or moved.removed.size or not self.carriers.isdisjoint(moved.rows.tolist()):
            return False
        emitters = world.table(Emitter).rows_of(world.table(Transform).entities[moved.rows])
        return not (emitters >= 0).any()  # an emitter may have got its Transform
