"""What stands still at the bottom of a pass, kept as a picture.

The batches at the beginning of a pass that have stayed the same since the last frame (a background, a map under a
resting camera) give the same pixels again. When they have done so twice, what a target holds after them is kept; the
next frames begin with a copy of that instead of clearing and drawing. Only a pass that clears all its targets can be
kept, for it depends on nothing before.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias
from weakref import ref

import numpy as np
import numpy.typing as npt

from rish_frame import Batch

from .surfaces import Surface

Array = npt.NDArray[Any]
Mark: TypeAlias = "tuple[ref[Batch], int, int, float]"

WORTH = 200_000.0
"""Nanoseconds; what is drawn sooner is not kept."""


def marks(batches: Sequence[Batch], still: Sequence[bool]) -> list[Mark]:
    """A key for each of the first batches that may be kept: those that are versioned and `still`."""
    found: list[Mark] = []
    for batch, steady in zip(batches, still, strict=True):
        if not steady or batch.version is None:
            break
        found.append((ref(batch), batch.version, batch.layer, batch.z))
    return found


@dataclass
class PassMemory:
    """The memory of one pass. ground: what the pictures depend on, beside the batches.

    last: the marks of the last frame. shown: the marks whose picture is kept. pictures: of each attachment, then depth.
    skipped: what could not be drawn of it, for the statistics.
    """

    ground: tuple[Any, ...] = ()
    last: list[Mark] = field(default_factory=list[Mark])
    shown: list[Mark] = field(default_factory=list[Mark])
    pictures: list[Array] = field(default_factory=list[Array])
    skipped: dict[str, str] = field(default_factory=dict[str, str])

    def begin(self, ground: tuple[Any, ...], now: list[Mark]) -> int:
        """How many batches at the beginning are the same as in the last frame."""
        same = 0
        if ground == self.ground:
            while same < min(len(now), len(self.last)) and now[same] == self.last[same]:
                same += 1
        else:
            self.shown, self.pictures = [], []
        self.ground, self.last = ground, now
        if self.shown and now[: len(self.shown)] != self.shown:
            self.shown, self.pictures = [], []
        return same

    def keep(self, count: int, surface: Surface, skipped: dict[str, str]) -> None:
        """Keep what the surface holds after the first `count` batches."""
        self.shown, self.skipped = self.last[:count], dict(skipped)
        self.pictures = [array.copy() for array in _arrays(surface)]

    def restore(self, surface: Surface, first: int, last: int) -> None:
        """Put the rows `first` up to `last` of the kept pictures onto the surface."""
        for array, picture in zip(_arrays(surface), self.pictures, strict=True):
            np.copyto(array[first:last], picture[first:last])


def _arrays(surface: Surface) -> list[Array]:
    return [*surface.colours, *([] if surface.depth is None else [surface.depth])]
