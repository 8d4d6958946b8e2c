"""Calls the kernels of the layout once, so that none compiles while a game is played."""

from __future__ import annotations

from rish_ecs.jit import Ready

from .nodes import LayoutNodes
from .solve import solve_heights, solve_widths


def _warm_up() -> None:
    nodes = LayoutNodes(2)
    nodes.values["parent"] = (-1, 0)
    solve_widths(nodes, 16, 16)
    solve_heights(nodes)


READY = Ready(_warm_up)
"""`READY.now()` compiles the kernels of the layout."""
