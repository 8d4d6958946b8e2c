"""Sources: everything that Animators write in a tick, in the order in which it is laid over one another.

A source is a clip at a time with a share. Those of one target are sorted by layer, then by animator, and the clips that
fade out below an animator come before its own; the place of a source among those of its target is its rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from ..clips.clip_library import ClipLibrary
from .components import Animator, FadingClips

if TYPE_CHECKING:
    from rish_ecs import World

Array = npt.NDArray[Any]


class Sources(NamedTuple):
    """Columns of sources: target: entities. clip: indices in `ClipLibrary.ready`. time: seconds in the clip.

    share: of the values over those below, 0 to 1. step: the share with which the present values of the fields are
    replaced where nothing is below. rank: see the module. mask: numbers of texts.
    """

    target: Array
    clip: Array
    time: Array
    share: Array
    step: Array
    rank: Array
    mask: Array


def sources_of(world: World, library: ClipLibrary, rows: Array, clips: Array, dt: float) -> Sources:
    """Return the sources of the animators (rows of the table) that play. clips: indices in `library.ready`."""
    table = world.table(Animator)
    target = table.target[rows]
    target = np.where(target == 0, table.entities[rows], target)
    time = table.time[rows].astype(np.float64)
    share, step = _fade(table, rows, dt)
    weight = table.weight[rows].astype(np.float64)
    mask, layer = table.mask[rows], table.layer[rows]
    order = np.arange(len(rows), dtype=np.float64)
    columns = [target, clips, time, share * weight, step, layer, order, mask]
    fading = world[FadingClips]
    if len(fading):
        columns = [
            np.concatenate(both) for both in zip(columns, _below(world, library, rows, columns, dt), strict=True)
        ]
    target, clips, time, share, step, layer, order, mask = columns
    rank = np.zeros(len(target), np.int64)
    if len(target) > len(rows) or layer.any() or table.target.any():
        sort = np.lexsort((order, layer, target))
        starts = np.flatnonzero(np.concatenate([[True], target[sort][1:] != target[sort][:-1]]))
        rank[sort] = np.arange(len(sort)) - np.repeat(starts, np.diff(np.append(starts, len(sort))))
    return Sources(target, clips, library.timings.folded(clips, time), share, step, rank, mask)


def _fade(table: Any, rows: Array, dt: float) -> tuple[Array, Array]:
    """Advance the fades of some rows; return the share of each clip, and the step towards it, float64 n each.

    Steps s = (p1 - p0) / (1 - p0) towards values that stay leave the share 1 - p1 of the values at the beginning.
    """
    if not table.fade.any():
        return np.ones(len(rows)), np.ones(len(rows))
    fade, faded = table.fade[rows].astype(np.float64), table.faded[rows].astype(np.float64)
    now = np.minimum(faded + dt, fade)
    table.faded[rows] = now
    length = np.where(fade > 0, fade, 1.0)
    before, share = np.where(fade > 0, faded / length, 1.0), np.where(fade > 0, now / length, 1.0)
    share = np.where(share > 1.0 - 1e-6, 1.0, share)
    return share, np.where(before < 1.0, (share - before) / np.maximum(1.0 - before, 1e-9), 1.0)


def _below(world: World, library: ClipLibrary, rows: Array, columns: list[Array], dt: float) -> list[Array]:
    """Advance the clips that fade out and return the columns of their sources; those that are over are removed.

    A clip that was followed by another one in this tick is among them, so that its last values are written.
    """
    fading, table = world[FadingClips], world.table(Animator)
    place = np.full(len(table) + 1, -1)  # the index among `rows` of each row of the table; the last: of no row
    place[rows] = np.arange(len(rows))
    above = place[table.rows_of(fading.animator)]
    if (above < 0).any():
        fading.keep_rows(above >= 0)
        above = above[above >= 0]
    pairs = zip(fading.clips.tolist(), fading.clip.tolist(), strict=True)
    clips = np.array([library.find(world, *pair) for pair in pairs], np.int64)
    fading.time[:] = library.timings.carried_on(clips, fading.time, fading.speed * dt)
    share, step = _fade(fading, np.arange(len(fading)), dt)
    fading.mark()
    order = columns[6][above] - 1.0 + (np.arange(len(fading)) + 1.0) / (len(fading) + 2.0)
    found = [columns[0][above], clips, fading.time.astype(np.float64), share, step, columns[5][above], order]
    found.append(columns[7][above])
    fading.keep_rows(columns[3][above] < table.weight[rows][above])  # the clip above covers the others
    known = clips >= 0
    return [column[known] for column in found]
