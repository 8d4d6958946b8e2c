"""What a save leaves out, in words of entities and components."""

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
    """Something of an entity. name: of the entity. parts: names of components, or `parent`. whole: the entity too."""

    name: str
    parts: tuple[str, ...]
    whole: bool = False

    def __str__(self) -> str:
        return f"{self.name}: {', '.join(self.parts)}" if self.parts else self.name


@dataclass
class Losses:
    """lost: what the World has and the new text lacks. removed: what the files have and the new text lacks."""

    lost: list[Loss] = field(default_factory=list[Loss])
    removed: list[Loss] = field(default_factory=list[Loss])


Parts = Counter[tuple[str, str, str]]
"""How often a scene has an entity's name, a component of it and its values; the component "" is the entity itself."""


def parts_of(side: Spawned, handles: Iterable[int], *, values: bool = True) -> Parts:
    """Return the parts of entities. values: whether components with other values are other parts."""
    found: Parts = Counter()
    for handle in handles:
        name = side.name(handle) or NAMELESS
        found[name, "", ""] += 1
        parent = side.parent(handle)
        if parent:
            found[name, _PARENT, side.name(parent) if values else ""] += 1
        for cls in side.components(handle):
            found[name, kind_of(cls).name, _said(side, handle, cls) if values else ""] += 1
    return found


def missing(of: Parts, without: Parts) -> list[Loss]:
    """Return the parts that another scene has not, by name of entity; a name is a part if it is all that differs."""
    by_name: dict[str, list[str]] = {}
    own = {kind_of(cls).name for cls in NAMED}
    for name, component, _ in of - without:
        by_name.setdefault(name, []).append(component)
    losses: list[Loss] = []
    for name, components in by_name.items():
        parts = dict.fromkeys(each for each in components if each and each not in own)
        parts = parts or dict.fromkeys(each for each in components if each)
        losses.append(Loss(name, tuple(parts), "" in components))
    return losses


def _said(side: Spawned, handle: int, cls: type) -> str:
    """Return the values of a component as text; a reference is the name of its target."""
    said: list[str] = []
    for name, value in side.read(handle, cls).items():
        if kind_of(cls).fields[name].type.special == "entity":
            said.append(f"{name}={side.name(int(value)) if value else ''}")
        else:
            said.append(f"{name}={value.tolist() if isinstance(value, np.ndarray) else value!r}")  # pyright: ignore[reportUnknownMemberType]
    return "; ".join(said)
