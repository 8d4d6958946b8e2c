"""Decides whether kernels or plain Python do the layout: compiling kernels takes longer than many small layouts."""

from __future__ import annotations

from rish_jit import Ready

from .nodes import LayoutNodes
from .solve import solve_heights, solve_widths

MIN_KERNEL_WIDGETS = 400
"""The smallest number of widgets with which a scene compiles the kernels before it begins."""
_MAX_PLAIN_NODES = 40_000
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
    """Return whether kernels should lay out a tree of `count` nodes; add the count to the work of this process."""
    global _worked
    _worked += count
    return READY.serve(_worked, _MAX_PLAIN_NODES)
