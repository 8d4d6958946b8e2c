"""Evaluates the curves of all sources, and writes the values into the fields."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_expressions import children_at
from rish_jit import Array

from ..clips.clip_library import ClipLibrary, log_missing
from ..clips.curves import Curve
from ..values import mix, read, write
from .sources import Sources

if TYPE_CHECKING:
    from rish_ecs import World


def write_sources(world: World, library: ClipLibrary, sources: Sources) -> None:
    """Write the values of all sources, those with a lower rank first."""
    highest = int(sources.rank.max(initial=0))
    unmixed = highest == 0 and bool((sources.share >= 1.0).all() and (sources.step >= 1.0).all())
    written: dict[Any, Array] | None = None if unmixed else {}
    key = sources.rank * (len(library.ready) + 1) + sources.clip
    order = np.argsort(key, kind="stable")
    keys = key[order]
    starts = [0, *(np.flatnonzero(keys[1:] != keys[:-1]) + 1).tolist(), len(keys)]
    for first, end in pairwise(starts):
        indices = order[first:end]
        clip = library.ready[int(sources.clip[indices[0]])]
        group = sources if len(indices) == len(order) else Sources(*(column[indices] for column in sources))
        row_cache: dict[Any, Array] = {}
        masked = bool(group.mask.any())
        for curve in clip.curves:
            allowed = _unmasked(world, group, curve) if masked else None
            if allowed is not None:
                group_of_curve = Sources(*(column[allowed] for column in group))
                _write_curve(world, library, group_of_curve, curve, written, {})
            else:
                _write_curve(world, library, group, curve, written, row_cache)


def _unmasked(world: World, group: Sources, curve: Curve) -> Array | None:
    """Return int64 (m,): the indices of the sources whose mask allows a curve; None for all of them."""
    allowed = np.ones(len(group.mask), np.bool_)
    for number in np.unique(group.mask[group.mask > 0]).tolist():
        parts = [part.strip() for part in world.text(number).split(",")]
        if not any(part and curve.field.text.startswith(part) for part in parts):
            allowed &= group.mask != number
    return None if allowed.all() else np.flatnonzero(allowed)


def _write_curve(
    world: World,
    library: ClipLibrary,
    group: Sources,
    curve: Curve,
    written: dict[Any, Array] | None,
    row_cache: dict[Any, Array],
) -> None:
    """Write one curve for a group of sources with the same clip and rank.

    written: by field, bool (rows,), which rows a lower rank has written in this tick; None if nothing is mixed.
    row_cache: the rows of the targets by component and children.
    """
    field = curve.field
    children = field.target.children
    rows = row_cache.get((field.cls, children))
    if rows is None:
        entities = children_at(world, group.target, children) if children else group.target
        rows = row_cache[field.cls, children] = world.table(field.cls).rows_of(entities)
    time, share, step = group.time, group.share, group.step
    if len(rows) and rows.min() < 0:
        log_missing(library, world, int(group.target[rows < 0][0]), field, curve.track.place)
        present = rows >= 0
        rows, time, share, step = rows[present], time[present], share[present], step[present]
    if not len(rows):
        return
    values = curve.at(time)
    if written is not None:
        key = (children, field.cls, field.target.field, field.target.element)
        mark = written.get(key)
        if mark is None:
            mark = written[key] = np.zeros(len(world.table(field.cls)), np.bool_)
        share = np.where(mark[rows], share, step)
        mark[rows] = True
        if (share < 1.0).any():
            values = mix(field, read(world, field, rows), values, share)
    write(world, field, rows, values)
