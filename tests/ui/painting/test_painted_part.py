"""Parts of paintings whose widgets are painted again one by one hold what painting all of them gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_ui.painting.painted_part import PaintedPart

LISTS = ("backs", "boxes", "images", "lines", "texts")


class Widget:
    """Paints some items: their numbers by list. A nine-patch goes over the boxes, or below those that follow it."""

    def __init__(self, random: np.random.Generator) -> None:
        self.renew(random)

    def renew(self, random: np.random.Generator) -> None:
        """Paint other items from now on."""
        self.items = {name: random.integers(0, 99, int(random.integers(0, 3))).tolist() for name in LISTS[1:]}
        if random.integers(2):
            self.items["boxes"] = []
        self.nine_patch = int(random.integers(100, 999)) if random.integers(2) else None

    def paint(self, part: Any) -> None:
        """Add the items to a part."""
        if self.nine_patch is not None:
            (part.images if part.boxes else part.backs).append(self.nine_patch)
        for name, items in self.items.items():
            getattr(part, name).extend(items)


@pytest.mark.parametrize("seed", range(20))
def test_a_part_that_is_painted_in_pieces_is_that_painted_whole(seed: int) -> None:
    """After some widgets changed, only these are painted again, and the lists are those of all widgets; a nine-patch
    moves when boxes come or go below it. The version rises if the lists are others."""
    random, part = np.random.default_rng(seed), PaintedPart()
    members = [(Widget(random), False) for _ in range(int(random.integers(1, 9)))]
    part.paint(members, None, lambda member: member[0].paint(part))
    for _ in range(30):
        changed = {member for member in members if random.integers(4) == 0}
        for widget, _ in changed:
            widget.renew(random)
        version, before = part.version, [getattr(part, name)[:] for name in LISTS]
        part.paint(members, changed, lambda member: member[0].paint(part))
        whole = PaintedPart()
        whole.paint(members, None, lambda member, whole=whole: member[0].paint(whole))
        lists = [getattr(part, name) for name in LISTS]
        assert lists == [getattr(whole, name) for name in LISTS]
        assert part.ends == whole.ends
        assert (part.version > version) == (lists != before)


def test_a_widget_that_did_not_change_is_not_painted() -> None:
    """Of many widgets, only the changed one is painted again."""
    random, part = np.random.default_rng(1), PaintedPart()
    members = [(Widget(random), False) for _ in range(24)]
    for widget, _ in members:
        widget.items["boxes"] = [1]
    part.paint(members, None, lambda member: member[0].paint(part))
    painted: list[Any] = []
    part.paint(members, {members[7]}, lambda member: (painted.append(member), member[0].paint(part)))
    assert painted == [members[7]]
