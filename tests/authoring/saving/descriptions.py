"""A plain, slow comparison of two Worlds, by descriptions of their entities."""

from __future__ import annotations

from collections import Counter

import numpy as np

from rish_authoring.saving.worlds import Spawned
from rish_ecs import kind_of


def described(side: Spawned, handles: list[int]) -> Counter[str]:
    """Return descriptions of entities, which do not depend on handles: components, values, targets and parents.

    In each of three rounds a description includes the hashes of the descriptions of the targets.
    """
    own: dict[int, str] = {}
    links: dict[int, list[tuple[str, int]]] = {}
    for handle in handles:
        parts: list[str] = []
        targets = [("parent", side.parent(handle))]
        for cls in side.components(handle):
            parts.append(kind_of(cls).key)
            for name, value in side.read(handle, cls).items():
                spec = kind_of(cls).fields[name]
                if spec.type.special == "entity":
                    targets.append((f"{kind_of(cls).key}.{name}", int(value)))
                else:
                    shown = value.tolist() if isinstance(value, np.ndarray) else value  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
                    parts.append(f"{kind_of(cls).key}.{name}={shown!r}")
        own[handle] = "; ".join(sorted(parts))
        links[handle] = targets
    said = dict(own)
    for _ in range(3):
        digests = {handle: str(hash(text)) for handle, text in said.items()}
        said = {
            handle: own[handle] + "".join(
                f"; {name}->{digests.get(target, side.name(target) or 'none') if target else 'none'}"
                for name, target in links[handle]
            )
            for handle in handles
        }  # fmt: skip
    return Counter(own[handle] + f" ({hash(said[handle])})" for handle in handles)
