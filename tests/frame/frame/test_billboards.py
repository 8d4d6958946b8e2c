"""The list of billboards that plugins fill in LATE."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import UsageError
from rish_frame import Billboards


def test_one_value_counts_for_all_billboards_of_a_set() -> None:
    """Sizes, turns and colors are one for all or one for each; places must be in space; each change has a version."""
    shown = Billboards()
    added = shown.add("a.png", np.zeros((3, 3)), 2.0, [0, 1, 2], (255, 0, 0, 128), additive=True)
    assert shown.sets == [added]
    assert (len(added), added.sizes.tolist(), added.turns.tolist()) == (3, [2, 2, 2], [0, 1, 2])
    assert added.colors.tolist() == [[255, 0, 0, 128]] * 3
    assert added.additive
    version = shown.version
    shown.clear()
    assert shown.sets == []
    assert shown.version > version
    with pytest.raises(UsageError, match="places"):
        shown.add("a.png", [(1, 2)], 1.0, 0.0, (255, 255, 255, 255))
