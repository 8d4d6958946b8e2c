"""Patches the parts of a view where sprites came, went or changed, without computing the others again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rish_jit import Array

from ...packing.order import resized
from .parts import Part, Placing, fill_style, numbers_below

if TYPE_CHECKING:
    from .looks import SpriteLooks


_FEW = 16
"""Up to this number, sprites are counted one by one, which is faster than numpy."""


@dataclass
class Owners:
    """Where each sprite is drawn, by row of its table. part: int64 n, -1 for none. group: uint32 n, within the part."""

    part: Array = field(default_factory=lambda: np.zeros(0, np.int64))
    group: Array = field(default_factory=lambda: np.zeros(0, np.uint32))


class _Change(NamedTuple):
    """The change of one part.

    rows: those that changed and are in it now, with their groups. counts: how many sprites each group has now. touched:
    the groups that lost or got sprites. in_place: whether the same sprites are in the same groups as before.
    """

    part: Part
    number: int
    rows: Array
    groups: list[int]
    counts: Array
    touched: set[int]
    in_place: bool


def patch_parts(
    parts: Mapping[int, Part], owners: Owners, looks: SpriteLooks, changed: Array, placing: Placing
) -> bool:  # fmt: skip
    """Patch the parts; return False if all of them must be computed again.

    parts: by the number of their space. changed: rows of Sprite, ascending. placing: where these are drawn now.
    """
    count = len(looks.frame)
    changes = _changes(parts, owners, count, changed, placing)
    if changes is None:
        return False
    owners.part, owners.group = resized(owners.part, count), resized(owners.group, count)
    owners.part[changed] = placing.part
    for change in changes:
        owners.group[change.rows] = change.groups
    return all(_patch(change, owners, looks) for change in changes)


def _changes(
    parts: Mapping[int, Part], owners: Owners, count: int, changed: Array, placing: Placing
) -> list[_Change] | None:
    """Return the changes of all parts that lost or get sprites; None if one of them or a group does not exist yet."""
    known = changed
    if count != len(owners.part):
        known = np.concatenate([changed[changed < len(owners.part)], np.arange(count, len(owners.part))])
    before = owners.part[known]
    changes: list[_Change] = []
    for number in {*before.tolist(), *placing.part.tolist()} - {-1}:
        mine, part = placing.part == number, parts.get(number)
        groups = None if part is None else part.groups.of(placing.some(mine))
        if part is None or groups is None:
            return None
        lost, counts = owners.group[known[before == number]].tolist(), part.style.groups.copy()
        if len(lost) + len(groups) <= _FEW:
            for group in lost:
                counts[group] -= 1
            for group in groups:
                counts[group] += 1
        else:
            counts += np.bincount(groups, minlength=len(counts)) - np.bincount(lost, minlength=len(counts))
        if not counts.any():
            return None
        in_place = (
            count == len(owners.part) and lost == groups and np.array_equal(known[before == number], changed[mine])
        )
        changes.append(_Change(part, number, changed[mine], groups, counts, {*lost, *groups}, in_place))
    return changes


def _patch(change: _Change, owners: Owners, looks: SpriteLooks) -> bool:
    """Patch one part; return False if the order of its groups changed."""
    part = change.part
    if change.in_place:
        positions = change.rows if part.whole else np.searchsorted(part.rows, change.rows)
        fill_style(part, looks, part.style.key, part.style.groups, positions, whole=part.whole)
        return True
    count = len(owners.part)
    whole = int(change.counts.sum()) == count
    if whole:
        rows, key = numbers_below(count, part.rows if part.whole else part.rows[:0]), owners.group
    else:
        rows = np.flatnonzero(owners.part == change.number).astype(np.int32)
        key = owners.group[rows]
    if not part.groups.in_order(change.touched, key, change.counts):
        return False
    positions = change.rows if whole and part.whole else _moved_positions(part.rows, rows, change.rows)
    part.rows = rows
    fill_style(part, looks, key, change.counts, positions, whole=whole)
    return True


def _moved_positions(before: Array, rows: Array, changed: Array) -> Array:
    """Return the positions in `rows` of the changed rows, and of all rows whose position is another one than before."""
    both = min(len(before), len(rows))
    differs = before[:both] != rows[:both]
    same = int(differs.argmax()) if differs.any() else both
    at = np.searchsorted(rows, changed)
    return np.concatenate([at[at < same], np.arange(same, len(rows))])
