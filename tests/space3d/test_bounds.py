"""The bounds of entities for tools."""

from __future__ import annotations

import numpy as np

from rish_core import World
from rish_space3d import Bounds3D, ToolView3D
from rish_space3d.tool_view import SpaceView


def test_bounds_are_joined_from_all_sources() -> None:
    """Each source adds to the box of an entity; what no source draws has none."""
    bounds, nothing = Bounds3D(), np.full((3, 2, 3), np.nan)
    assert np.isnan(bounds.of(World(), [1])).all()
    one, two = nothing.copy(), nothing.copy()
    one[0], one[1] = [[0, 0, 0], [1, 1, 1]], [[0, 0, 0], [1, 1, 1]]
    two[1] = [[-2, 0, 0], [0, 0, 5]]
    bounds.add("one", lambda world, handles: one)
    bounds.add("two", lambda world, handles: two)
    found = bounds.of(World(), [4, 5, 6])
    assert found[0].tolist() == [[0, 0, 0], [1, 1, 1]]
    assert found[1].tolist() == [[-2, 0, 0], [1, 1, 5]]
    assert np.isnan(found[2]).all()


def test_a_tool_gives_the_picture_back_to_the_game() -> None:
    """After `reset` nothing of the tool is left."""
    tool = ToolView3D(view=SpaceView(), hidden=True, lines=np.zeros((2, 2, 3), np.float32))
    tool.reset()
    assert tool.view is None
    assert not tool.hidden
    assert not len(tool.lines)
