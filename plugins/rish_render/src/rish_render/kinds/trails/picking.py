"""Picks trails along their path, not by the box around them."""

from __future__ import annotations

import numpy as np

from rish_core import Transform
from rish_frame import Hits, WorldMatrices

from ...drawables.pick_scene import PickScene
from ...drawables.touching import near_path
from ..strokes.mesh import scale_of
from ..strokes.picking import reach_of_paths, tapered
from .trail import Trail, TrailPlaces


def pick_trails(scene: PickScene) -> list[Hits]:
    """Return the trails that the region touches."""
    seen, table, places = scene.visible(Trail), scene.world.table(Trail), scene.world[TrailPlaces]
    entities = table.entities[seen.rows]
    own = scene.world[WorldMatrices].rows(scene.world.table(Transform).rows_of(entities))
    shift, row_of = seen.matrix[:, 4:] - own[:, 4:], {int(e): k for k, e in enumerate(places.entities.tolist())}
    touched, reach = np.zeros(len(seen.rows), np.bool_), reach_of_paths(scene, seen)
    for k, entity in enumerate(entities.tolist()):
        at = row_of.get(entity, -1)
        count = int(places.count[at]) if at >= 0 else 0
        fresh = places.now - places.time[at, :count] <= table.column("seconds")[seen.rows[k]]
        count = int(fresh.sum())
        if count < 2:
            continue
        points = places.place[at, :count] + shift[k]
        size = float(scale_of(seen.matrix[k : k + 1])[0])
        first, last = (float(table.column(name)[seen.rows[k]]) * size for name in ("width", "width_end"))
        half = np.maximum(tapered(points, first, last) / 2, reach[k] * size)
        region = scene.corners(bool(scene.stack.screen[seen.numbers[k]]))
        cuts = np.flatnonzero(places.broken[at, : count - 1]) + 1
        touched[k] = any(
            len(run) > 1 and near_path(run, wide, region)
            for run, wide in zip(np.split(points, cuts), np.split(half, cuts), strict=True)
        )
    seen = seen.some(touched)
    return scene.hits(Trail, seen.rows, seen.numbers, seen.matrix[:, 5])
