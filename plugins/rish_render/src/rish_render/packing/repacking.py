"""Repacking: packs a few sprites again, and puts them at their places among those that stay packed."""

from __future__ import annotations

import numpy as np

from rish_frame import INSTANCE
from rish_frame.poses import Poses
from rish_jit import Array

from .packing import Packed, Style, plain_pack

FEW = 16
"""The greatest number of sprites that are packed again one by one; more are packed faster by the kernel with all."""


def repack(
    packed: Packed, poses: Poses, bases: Array, rows: Array, style: Style, window: Array, positions: Array
) -> Packed | None:  # fmt: skip
    """Return the packed sprites after some changed; None if all must be packed again.

    packed: the last result for the same window, with its sources; it is overwritten. positions: int64, of the sprites
    that changed. The other arguments are those of `plain_pack`.
    """
    fresh = plain_pack(poses, bases, rows[positions], _some(style, positions), window, sources=True)
    most = len(packed.instances) + len(fresh.instances)
    if len(packed.odd) or len(fresh.odd) or len(packed.source) != len(packed.instances):
        return None
    source = np.empty(most, np.int32)
    source[: len(packed.source)] = packed.source
    sprites = _Packing(_words(packed, most), source, len(packed.source), packed.counts, len(style.groups))
    keys = style.key[positions]
    drawn = {int(positions[k]): (int(keys[k]), n) for n, k in enumerate(fresh.source.tolist())}
    words = fresh.instances.view(np.uint64).reshape(-1, 2)
    for place in sprites.places(positions, len(rows))[::-1].tolist():
        position = int(source[place])
        group, number = drawn.get(position, (-1, -1))
        if group == sprites.group(place):
            sprites.words[place] = words[number]  # it stays at its place
            del drawn[position]
        else:
            sprites.remove(place)
    for position, (group, number) in drawn.items():
        sprites.insert(group, position, words[number])
    count = sprites.count
    return Packed(
        sprites.words[:count].reshape(-1).view(INSTANCE), sprites.counts, source[:count], packed.odd, packed.before
    )


def _words(packed: Packed, count: int) -> Array:
    """Return the packed sprites as uint64 (m, 2), in memory for at least `count` of them: their own if it suffices."""
    owner = packed.instances if packed.instances.base is None else packed.instances.base
    words = owner.view(np.uint64).reshape(-1, 2)
    if len(words) < count:
        words = np.empty((count + count // 4 + FEW, 2), np.uint64)
        words[: len(packed.instances)] = packed.instances.view(np.uint64).reshape(-1, 2)
    return words


class _Packing:
    """Packed sprites, sorted by group and then by position, into which others can be inserted.

    words: uint64 (m, 2), the instances. source: int32 m, the position of each. count: how many of both are used.
    counts: of each group.
    """

    def __init__(self, words: Array, source: Array, count: int, counts: Array, groups: int) -> None:
        self.words, self.source, self.count = words, source, count
        self.counts = np.zeros(groups, np.int64)
        self.counts[: len(counts)] = counts

    def places(self, positions: Array, end: int) -> Array:
        """Return the places of sprites, and of those whose position is not below an end; int64, ascending."""
        source = self.source[: self.count]
        chosen = source >= end
        for position in positions.tolist():
            chosen |= source == position
        return np.flatnonzero(chosen)

    def group(self, place: int) -> int:
        """Return the group of a place."""
        return int(np.searchsorted(np.cumsum(self.counts), place, side="right"))

    def remove(self, place: int) -> None:
        """Remove the sprite at a place."""
        self.counts[self.group(place)] -= 1
        for column in (self.words, self.source):
            column[place : self.count - 1] = column[place + 1 : self.count]
        self.count -= 1

    def insert(self, group: int, position: int, words: Array) -> None:
        """Insert a sprite into its group."""
        first = int(self.counts[:group].sum())
        place = first + int(np.searchsorted(self.source[first : first + self.counts[group]], position))
        for column, value in ((self.words, words), (self.source, position)):
            column[place + 1 : self.count + 1] = column[place : self.count]
            column[place] = value
        self.counts[group] += 1
        self.count += 1


def _some(style: Style, which: Array) -> Style:
    """Return the style of some sprites; the order of packing is not needed for few."""
    return Style(
        style.size[which].reshape(-1), style.frame[which], style.rgba[which], style.key[which],
        style.shift.reshape(-1, 2)[which].reshape(-1) if len(style.shift) else style.shift,
        style.snaps[which] if len(style.snaps) else style.snaps, style.groups, style.order,
    )  # fmt: skip
