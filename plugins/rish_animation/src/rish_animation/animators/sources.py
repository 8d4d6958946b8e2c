"""Sources: everything that Animators write in a tick, in the order in which it is mixed.

A source is a clip at a time with a share. The sources of one target are sorted by layer, then by animator; clips that
fade out come before the present clip of their animator. The position of a source among those of its target is its rank.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from rish_jit import Array

from ..clips.clip_library import ClipLibrary
from .components import Animator, FadingClips

if TYPE_CHECKING:
    from rish_ecs import World


class Sources(NamedTuple):
    """Columns (n,) of sources. target: entities. clip: indices in `ClipLibrary.ready`. time: seconds in the clip.

    share: how much of the values of lower ranks is replaced, 0 to 1. step: how much of the present values of the fields
    is replaced if there is no lower rank. rank: see the module. mask: text numbers.
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
            np.concatenate(both)
            for both in zip(columns, _fading_sources(world, library, rows, columns, dt), strict=True)
        ]
    target, clips, time, share, step, layer, order, mask = columns
    rank = np.zeros(len(target), np.int64)
    if len(target) > len(rows) or layer.any() or table.target.any():
        sort = np.lexsort((order, layer, target))
        starts = np.flatnonzero(np.concatenate([[True], target[sort][1:] != target[sort][:-1]]))
        rank[sort] = np.arange(len(sort)) - np.repeat(starts, np.diff(np.append(starts, len(sort))))
    return Sources(target, clips, library.timings.folded(clips, time), share, step, rank, mask)


def _fade(table: Any, rows: Array, dt: float) -> tuple[Array, Array]:
    """Advance the fades of n rows; return float64 (n,) twice: the share of each clip, and the step towards it.

    Steps s = (p1 - p0) / (1 - p0) towards values that stay leave the share 1 - p1 of the values at the beginning.
    """
    if not table.fade.any():
        return np.ones(len(rows)), np.ones(len(rows))
    fade, faded = table.fade[rows].astype(np.float64), table.faded[rows].astype(np.float64)
    progress = np.minimum(faded + dt, fade)
    table.faded[rows] = progress
    table.mark(rows)
    length = np.where(fade > 0, fade, 1.0)
    before, share = np.where(fade > 0, faded / length, 1.0), np.where(fade > 0, progress / length, 1.0)
    share = np.where(share > 1.0 - 1e-6, 1.0, share)
    return share, np.where(before < 1.0, (share - before) / np.maximum(1.0 - before, 1e-9), 1.0)


def _fading_sources(world: World, library: ClipLibrary, rows: Array, columns: list[Array], dt: float) -> list[Array]:
    """Advance the clips that fade out and return the columns of their sources. Clips that have faded out are removed.

    A clip that another one followed in this tick is included, so that its last values are written.
    """
    fading, table = world[FadingClips], world.table(Animator)
    index_of_row = np.full(len(table) + 1, -1)  # the index in `rows` of each row of the table, and -1 at the end
    index_of_row[rows] = np.arange(len(rows))
    owner = index_of_row[table.rows_of(fading.animator)]
    if (owner < 0).any():
        fading.keep_rows(owner >= 0)
        owner = owner[owner >= 0]
    pairs = zip(fading.clips.tolist(), fading.clip.tolist(), strict=True)
    clips = np.array([library.find(world, *pair) for pair in pairs], np.int64)
    fading.time[:] = library.timings.carried_on(clips, fading.time, fading.speed * dt)
    fading.mark()
    share, step = _fade(fading, np.arange(len(fading)), dt)
    order = columns[6][owner] - 1.0 + (np.arange(len(fading)) + 1.0) / (len(fading) + 2.0)
    result = [columns[0][owner], clips, fading.time.astype(np.float64), share, step, columns[5][owner], order]
    result.append(columns[7][owner])
    fading.keep_rows(columns[3][owner] < table.weight[rows][owner])  # the clip above covers the others
    known = clips >= 0
    return [column[known] for column in result]
