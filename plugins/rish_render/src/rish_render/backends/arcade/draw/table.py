"""The kinds of batches that the arcade backend draws without a drawer: one row for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rish_frame import Batch

from ..device import Device
from ..scene import PassContext
from .mesh import draw_mesh
from .painter import Painter
from .polygons import PolygonsDrawer
from .shapes import draw_lines, draw_shapes
from .sprites import draw_sprites, draw_wide
from .tiles import TilesDrawer

Draw = Callable[[Painter, PassContext, Sequence[Batch]], None]
"""Draws batches of one kind and state."""


class KindDrawing(NamedTuple):
    """How a kind of batches is drawn.

    make: returns the function that draws, for an opened device. joined: whether neighboring batches of equal state are
    drawn in one call.
    """

    make: Callable[[Device], Draw]
    joined: bool = False


KINDS: dict[str, KindDrawing] = {
    "sprites": KindDrawing(lambda device: draw_sprites, joined=True),
    "sprites_wide": KindDrawing(lambda device: draw_wide, joined=True),
    "tiles": KindDrawing(TilesDrawer),
    "shapes": KindDrawing(lambda device: draw_shapes, joined=True),
    "lines": KindDrawing(lambda device: draw_lines, joined=True),
    "polygons": KindDrawing(PolygonsDrawer),
    "mesh": KindDrawing(lambda device: draw_mesh),
}
"""The kinds, by name."""
JOINED = frozenset(kind for kind, drawing in KINDS.items() if drawing.joined)
"""The kinds whose neighboring batches are drawn in one call."""
