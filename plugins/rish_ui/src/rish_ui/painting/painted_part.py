"""A part of the painting of a root: its widgets are painted again one by one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

from rish_frame import Part

_LISTS: Callable[[Part], tuple[list[Any], ...]] = attrgetter("backs", "boxes", "images", "lines", "texts")


@dataclass(eq=False)
class PaintedPart(Part):
    """A part, and which of its items each member has painted.

    ends: for each member, how many backs, boxes, images, lines and texts it and those before it have painted.
    """

    ends: list[tuple[int, ...]] = field(default_factory=list[tuple[int, ...]])

    def paint(self, members: Sequence[Any], changed: Collection[Any] | None, paint: Callable[[Any], object]) -> None:
        """Call `paint` for the members that changed, in order, and keep the items of the others.

        The version stays if the items are the same, as those of a bar whose end is still on the same pixel.
        changed: None for all. Where a nine-patch is painted depends on whether there are boxes below it, so a member is
        painted again too if that has changed. Of a frame in which one of 1,000 labels changes, 1.15 ms, this saves
        0.07 ms.
        """
        lists, before = _LISTS(self), self.ends
        items = [each[:] for each in lists]
        for each in lists:
            each.clear()
        self.ends = []
        start = (0,) * len(lists)
        for number, member in enumerate(members):
            end = before[number] if number < len(before) else start
            if changed is None or member in changed or bool(self.boxes) != (start[1] > 0):
                paint(member)
            else:
                for each, painted, first, last in zip(lists, items, start, end, strict=True):
                    if first < last:
                        each += painted[first:last]
            self.ends.append(tuple(map(len, lists)))
            start = end
        self.version += [*lists] != items
