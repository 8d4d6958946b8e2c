"""A table that plugins share: edges that block.

Plugins that don't know each other meet here. Physics, tile maps and occluders publish `Edges`; particles bounce off
them, lights cast shadows from them, eyes are blocked by them. A source replaces its own edges and no others, and its
version shows a reader whether to read again.
"""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import Each, Entity, Str, field, resource, table

if TYPE_CHECKING:
    from rish_ecs import World


@table
class Edges:
    """Line segments from (x0, y0) to (x1, y1) in world units; solid lies on the left of the direction."""

    x0: float = field(unit="units")
    y0: float = field(unit="units")
    x1: float = field(unit="units")
    y1: float = field(unit="units")
    owner: Entity = field(doc="the entity whose edge it is, or 0")
    mask: int = field(1, doc="a bit for each layer that it blocks")
    material: Str = field("", doc="what it is made of, for sounds and sparks")
    source: Str = field("", doc="the plugin that published it")


@resource
class EdgeVersions:
    """How often each source of edges has published; by source name."""

    by_source: dict[str, int] = dataclass_field(default_factory=dict[str, int])


def publish_edges(world: World, source: str, **columns: Any) -> None:
    """Replace the edges of one source by `columns` (x0, y0, x1, y1, ...: arrays or `Each`) and raise its version.

    A single value stands for all of them. Raises UsageError or DeclarationError for what does not fit, and then
    nothing has changed.
    """
    edges = world[Edges]
    lengths = [len(value) for value in columns.values() if np.ndim(value) or isinstance(value, Each)]
    before, count = len(edges), max(lengths, default=1 if columns else 0)
    edges.append(count, **{**columns, "source": source})
    stay = np.flatnonzero(edges.column("source")[:before] != world.intern(source))
    stay = np.concatenate([stay, np.arange(before, before + count)])
    edges.move_rows(np.arange(len(stay)), stay)
    edges.resize(len(stay))
    versions = world[EdgeVersions].by_source
    versions[source] = versions.get(source, 0) + 1


def edges_version(world: World, without: str = "") -> int:
    """A number that changes whenever any source, except perhaps one, publishes."""
    versions = world[EdgeVersions].by_source
    return sum(versions.values()) - versions.get(without, 0)
