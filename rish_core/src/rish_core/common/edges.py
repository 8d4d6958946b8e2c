"""A table of blocking line segments that plugins share.

Through this table plugins exchange edges without importing each other. Physics, tile maps and occluders publish
`Edges`; particles bounce off them, lights cast shadows from them, lines of sight end at them. A source replaces only
its own edges. What is computed from them declares `Edges` as a source.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Each, Entity, Str, field, table

if TYPE_CHECKING:
    from rish_ecs import World


@table
class Edges:
    """Line segments from (x0, y0) to (x1, y1) in world units; the solid side is on the left of the direction."""

    x0: float = field(unit="units", doc="where it begins")
    y0: float = field(unit="units", doc="where it begins")
    x1: float = field(unit="units", doc="where it ends")
    y1: float = field(unit="units", doc="where it ends")
    owner: Entity = field(doc="the entity whose edge it is, or 0")
    mask: int = field(1, doc="a bit for each layer that it blocks")
    material: Str = field("", doc="what it is made of, for sounds and sparks")
    source: Str = field("", doc="the plugin that published it")


def publish_edges(world: World, source: str, **columns: Any) -> None:
    """Replace the edges of one source by `columns` (x0, y0, x1, y1, ...: arrays or `Each`).

    A single value applies to all edges. Raises UsageError or DeclarationError for invalid columns; then nothing has
    changed.
    """
    edges = world[Edges]
    lengths = [len(value) for value in columns.values() if np.ndim(value) or isinstance(value, Each)]
    first_new, count = len(edges), max(lengths, default=1 if columns else 0)
    edges.append(count, **{**columns, "source": source})
    keep = edges.column("source") != world.intern(source)
    keep[first_new:] = True
    edges.keep_rows(keep)
