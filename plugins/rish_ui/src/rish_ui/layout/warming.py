"""When kernels do the layout, and when plain Python does: compiling them takes longer than many small layouts."""

from __future__ import annotations

from rish_jit import Ready

from .nodes import LayoutNodes
from .solve import solve_heights, solve_widths

MANY = 400
"""The number of widgets from which a scene gets its kernels before it begins."""
_MUCH = 40_000
"""The number of nodes laid out by plain Python, in one or two seconds, after which a process compiles the kernels."""
_worked = 0


def _warm_up() -> None:
    nodes = LayoutNodes(2)
    nodes.values["parent"] = (-1, 0)
    solve_widths(nodes, 16, 16)
    solve_heights(nodes)


READY = Ready(_warm_up)
"""`READY.now()` compiles the kernels of the layout."""


def use_kernels(count: int) -> bool:
    """Return whether kernels should lay out a tree with a number of nodes, and count them as work that is done."""
    global _worked
    _worked += count
    return READY.serve(_worked, _MUCH)
