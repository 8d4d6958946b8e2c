"""The layout: from sizes, shares and contents to rectangles, over arrays and without a World.

nodes = LayoutNodes(n); set columns of nodes.values; widths = solve_widths(nodes, 1280, 720); set content_height and
baseline of the contents at these widths; rects = solve_heights(nodes)
"""

# Names are exported through __getattr__; the imports below are for type checkers.
# pyright: reportUnusedImport=false

from __future__ import annotations

from typing import TYPE_CHECKING

from rish_jit.lazy import lazy_names

if TYPE_CHECKING:
    from .nodes import LayoutNodes
    from .solve import solve_heights, solve_widths

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "nodes": "LayoutNodes",
        "solve": "solve_heights solve_widths",
    },
)
__all__ = __dir__()  # pyright: ignore[reportUnsupportedDunderAll]
