"""Picks lines along their path, not by the box around them."""

from __future__ import annotations

import numpy as np

from rish_frame import Hits

from ...drawables.pick_scene import PickScene
from ...drawables.touching import near_path
from ..strokes.picking import in_box, reach_of_paths, tapered
from .line import Line


def pick_lines(scene: PickScene) -> list[Hits]:
    """Return the lines that the region touches; gaps between dashes count as well."""
    seen = scene.visible(Line)
    table = scene.world.table(Line)
    seen = seen.some((table.column("opacity")[seen.rows] > 0) & (table.column("color")[seen.rows, 3] > 0))
    spans, reach = table.column("points")[seen.rows], reach_of_paths(scene, seen)
    first, last = table.column("width")[seen.rows], table.column("width_end")[seen.rows]
    last = np.where(last < 0, first, last)
    local, touched = scene.into(seen.matrix, seen.numbers), np.zeros(len(seen.rows), np.bool_)
    for k in in_box(table, "points", spans, local, np.maximum(reach, np.maximum(first, last) / 2)):
        points = table.read_row("points", int(seen.rows[k]))
        if table.column("closed")[seen.rows[k]]:
            points = np.concatenate([points, points[:1]])
        touched[k] = near_path(points, np.maximum(tapered(points, first[k], last[k]) / 2, reach[k]), local[k])
    seen = seen.some(touched)
    return scene.hits(Line, seen.rows, seen.numbers, seen.matrix[:, 5])
