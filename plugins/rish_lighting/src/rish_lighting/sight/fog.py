"""Fog of war: the squares of the world that are visible now, and those that were visible before.

Both are state, in snapshots and in the hash: games may read it, and a rewind restores it. It changes in the tick, and
is computed again only if a viewer or an edge has moved.
"""

from __future__ import annotations

import math
from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Disabled, Edges, Stage, Transform, derived, resource, system
from rish_ecs import Inputs, UsageError
from rish_jit import Array

from .components import FogOfWar, Sight
from .queries import SIDES, blocks_of, unit_circle, viewers_of

if TYPE_CHECKING:
    from rish_core import World

MAX_CELLS = 1 << 22
"""The greatest number of squares of a fog."""


def _nothing() -> npt.NDArray[np.uint8]:
    return np.zeros((0, 0), np.uint8)


@resource
class Fog:
    """The fog of the scene.

    entity: the entity with the `FogOfWar`, 0 for none. low: its lower left corner; cell: the side of a square, units.
    now, seen: uint8 (h, w), 1 if the middle of a square is visible now, or was visible before; the bottom row first.
    """

    entity: int = 0
    low: tuple[float, float] = (0.0, 0.0)
    cell: float = 1.0
    now: npt.NDArray[np.uint8] = dataclass_field(default_factory=_nothing)
    seen: npt.NDArray[np.uint8] = dataclass_field(default_factory=_nothing)

    def is_seen(self, points: npt.ArrayLike) -> Array:
        """Return for each point (n, 2) whether it is visible now, bool (n,). Without fog all points are visible."""
        return self._at(self.now, points)

    def was_seen(self, points: npt.ArrayLike) -> Array:
        """Return for each point (n, 2) whether it is visible now or was visible before, bool (n,). Without fog all
        points are.
        """
        return self._at(self.seen, points)

    def forget(self) -> None:
        """Forget all squares except those that are visible now."""
        self.seen = self.now.copy()

    def _at(self, squares: Array, points: npt.ArrayLike) -> Array:
        places = np.asarray(points, np.float64).reshape(-1, 2)
        if not self.entity:
            return np.ones(len(places), np.bool_)
        high, wide = squares.shape
        x, y = np.floor((places - self.low) / self.cell).T
        inside = (x >= 0) & (y >= 0) & (x < wide) & (y < high)
        values = squares[np.where(inside, y, 0).astype(np.int64), np.where(inside, x, 0).astype(np.int64)]
        return inside & (values > 0)


@derived(reads=(Sight, Transform, Disabled))
class Viewers:
    """The m viewers that are switched on. places: float64 (m, 2). families: int64 m, whose edges do not block. radius:
    float64 m. mask: int64 m.
    """

    places: Array = np.zeros((0, 2))
    families: Array = np.zeros(0, np.int64)
    radius: Array = np.zeros(0)
    mask: Array = np.zeros(0, np.int64)

    def compute(self, world: World) -> None:
        """Collect the viewers with a finite position."""
        query, table = world.query(Sight, Transform), world.table(Sight)
        rows = query.rows(Sight)
        on = table.column("enabled")[rows]
        if not on.any():
            return
        places, families = viewers_of(world, query.entities[on])
        fine, rows = np.isfinite(places).all(axis=1), rows[on]
        self.places, self.families = places[fine], families[fine]
        self.radius = table.column("radius")[rows[fine]].astype(np.float64)
        self.mask = table.column("mask")[rows[fine]].astype(np.int64)


@resource(derived=True)
class FogView:
    """The fog as it is drawn, see `fog_extract`, and what the fog was last computed from.

    version: rises whenever the drawn fog changes.
    """

    inputs: Inputs = dataclass_field(default_factory=lambda: Inputs((Viewers, Edges, Transform.parent, FogOfWar)))
    shown: Any = None
    version: int = 0

    def rebuild(self, world: World) -> None:
        """Compute the fog again after a restore, and show it without a transition."""
        self.inputs.forget()
        self.shown = None


@system(
    Stage.UPDATE, reads=(Sight, FogOfWar, Transform, Edges), writes=(Fog, FogView),
    after=("*.*", "lighting.publish"), name="look",
)  # fmt: skip
def look(world: World, dt: float) -> None:
    """Compute the squares that viewers see (system `lighting.look`)."""
    fog: Fog = world[Fog]
    query = world.query(FogOfWar)
    if not len(query):
        if fog.entity:
            fog.entity, fog.now, fog.seen = 0, _nothing(), _nothing()
        return
    table, row = world.table(FogOfWar), int(query.rows(FogOfWar)[0])
    _fit(fog, int(query.entities[0]), table, row)
    if world[FogView].inputs.changed(world):
        _lift(world, fog)
        if not table.column("memory")[row]:
            fog.seen = fog.now.copy()


def _lift(world: World, fog: Fog) -> None:
    """Compute the squares that are visible now, and add them to those that were seen before."""
    from .fog_kernels import fill
    from .kernels import polygons

    fog.now = np.zeros_like(fog.now)
    viewers = world[Viewers]
    if not len(viewers.places):
        return
    circle = unit_circle(SIDES).ravel()
    points, starts = polygons(
        *blocks_of(world), viewers.places.ravel(), viewers.radius, viewers.families, viewers.mask, circle
    )
    fill((points - fog.low) / fog.cell, starts, fog.now)
    fog.seen = fog.seen | fog.now


def _fit(fog: Fog, entity: int, table: Any, row: int) -> None:
    """Resize the grid of the fog to the box of its component; if the size changes, all squares become unseen."""
    low, high = (np.asarray(table.column(name)[row], np.float64) for name in ("low", "high"))
    cell = float(table.column("cell")[row])
    sides = np.ceil((high - low) / cell)
    if not (np.isfinite(sides).all() and (sides >= 1).all() and sides.prod() <= MAX_CELLS):
        raise UsageError(
            f"entity {entity}: its FogOfWar covers {low.tolist()} to {high.tolist()} in squares of {cell:g} units",
            hint=f"`high` must lie beyond `low`, with at most {MAX_CELLS} squares between them; make `cell` larger",
        )
    corner, shape = (float(low[0]), float(low[1])), (math.floor(sides[1]), math.floor(sides[0]))
    if (fog.entity, fog.low, fog.cell, fog.now.shape) != (entity, corner, cell, shape):
        fog.entity, fog.low, fog.cell = entity, corner, cell
        fog.now, fog.seen = np.zeros(shape, np.uint8), np.zeros(shape, np.uint8)
