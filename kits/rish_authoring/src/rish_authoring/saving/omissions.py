"""Lists the entities and components that a save leaves out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from rish_ecs import kind_of

from .worlds import NAMED, Spawned

NAMELESS = "an entity without a name"
_PARENT = "parent"


@dataclass(frozen=True)
class Loss:
    """Data of an entity that is lost.

    name: the entity. parts: the names of its lost components, or `parent`. whole: whether the entity itself is lost.
    """

    name: str
    parts: tuple[str, ...]
    whole: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.parts)}" if self.parts else self.name


@dataclass
class Losses:
    """The data that the new text lacks. lost: of the World. removed: of the files."""

    lost: list[Loss] = field(default_factory=list[Loss])
    removed: list[Loss] = field(default_factory=list[Loss])


Parts = Counter[tuple[str, str, str]]
"""The number of entities with a name, a component and its values; the component "" stands for the entity itself."""


def parts_of(side: Spawned, handles: Iterable[int], *, values: bool = True) -> Parts:
    """Return the parts of entities. values: whether components with different values are different parts."""
    parts: Parts = Counter()
    for handle in handles:
        name = side.name(handle) or NAMELESS
        parts[name, "", ""] += 1
        parent = side.parent(handle)
        if parent:
            parts[name, _PARENT, side.name(parent) if values else ""] += 1
        for cls in side.components(handle):
            parts[name, kind_of(cls).name, _values_text(side, handle, cls) if values else ""] += 1
    return parts


def missing(scene: Parts, without: Parts) -> list[Loss]:
    """Return the parts of one scene that another scene lacks.

    Names, tags and groups are listed only if the entity lacks nothing else.
    """
    by_name: dict[str, list[str]] = {}
    named = {kind_of(cls).name for cls in NAMED}
    for name, component, _ in scene - without:
        by_name.setdefault(name, []).append(component)
    losses: list[Loss] = []
    for name, components in by_name.items():
        parts = dict.fromkeys(part for part in components if part and part not in named)
        parts = parts or dict.fromkeys(part for part in components if part)
        losses.append(Loss(name, tuple(parts), "" in components))
    return losses


def _values_text(side: Spawned, handle: int, cls: type) -> str:
    """Return the values of a component as text; a reference is the name of its target."""
    texts: list[str] = []
    for name, value in side.read(handle, cls).items():
        if kind_of(cls).fields[name].type.special == "entity":
            texts.append(f"{name}={side.name(int(value)) if value else ''}")
        else:
            texts.append(f"{name}={value.tolist() if isinstance(value, np.ndarray) else value!r}")  # pyright: ignore[reportUnknownMemberType]
    return "; ".join(texts)
