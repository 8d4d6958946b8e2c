"""Sprite sheets: one image that contains many cells, numbered row by row.

In a grid, cell 0 is at the top left, and cells are counted row by row. A sheet that Aseprite packed has a `.json`
beside its image with the rectangle of each cell. A number beyond the last cell starts again at 0, so a counter may
increase without limit; numbers below 0 count from the end.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rish_ecs import Asset, Vec2, component, field
from rish_ecs.declarations import distinct
from rish_jit import Array

if TYPE_CHECKING:
    from rish_ecs import World


@component
class SpriteSheet:
    """The cells in the image of the same entity's Sprite; `Sprite.frame` selects one."""

    cell: Vec2 = field((0, 0), unit="px", low=0, doc="width and height of a cell", meanings={0: "of the whole image"})
    columns: int = field(0, low=0, doc="cells in a line", meanings={0: "as many as fit"})
    margin: int = field(0, unit="px", low=0, doc="around the grid")
    spacing: int = field(0, unit="px", low=0, doc="between the cells")
    count: int = field(0, low=0, doc="how many there are", meanings={0: "as many as fit"})
    file: Asset = field(
        "", names="sheets", doc="a .json of Aseprite with the places of the cells; then the grid is not used"
    )


def sheet_regions(world: World, rows: Array, size: Array, frame: Array) -> Array:
    """Return x y w h of the cells that sprites show, texels from the top left of their images, float32 (n, 4).

    rows: n, rows of the `SpriteSheet` table. size: (n, 2), of the images, texels. frame: n, `Sprite.frame`.
    """
    table = world[SpriteSheet]
    columns = tuple(table.column(name)[rows] for name in ("cell", "columns", "margin", "spacing", "count"))
    regions = cell_regions(columns, size, frame)
    files = table.file[rows]
    for number in distinct(files[files > 0]).tolist():
        from .table import ClipTable

        cells = world[ClipTable].library.get(world, number).cells
        if len(cells):  # otherwise the grid is used
            mine = files == number
            regions[mine] = cells[frame[mine].astype(np.int64) % len(cells)]
    return regions


def cell_regions(sheet: tuple[Array, ...], size: Array, frame: Array) -> Array:
    """Return x y w h of the chosen cells, texels from the top left of their images, float32 (n, 4), whole numbers.

    sheet: the columns cell (n, 2), columns, margin, spacing and count (n) of `SpriteSheet`, a row a sprite. size: (n,
    2), of the images, texels. frame: n, any whole numbers. A cell never reaches beyond the image.
    """
    cell, columns, margin, spacing, count = sheet
    room = np.maximum(np.floor(size).astype(np.int64), 1)
    wide = np.where(cell >= 1, np.floor(cell), room).astype(np.int64)
    wide = np.minimum(wide, room)
    step = wide + spacing[:, None].astype(np.int64)
    border = margin.astype(np.int64)[:, None]
    fit = np.maximum((room - 2 * border + step - wide) // step, 1)
    across = np.where(columns > 0, columns, fit[:, 0]).astype(np.int64)
    total = np.where(count > 0, count, across * fit[:, 1]).astype(np.int64)
    chosen = frame.astype(np.int64) % total
    place = np.stack([chosen % across, chosen // across], axis=1)
    corner = np.clip(border + place * step, 0, room - wide)
    return np.concatenate([corner, wide], axis=1).astype(np.float32)
