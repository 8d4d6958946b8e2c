"""Children by name, for tracks such as `lid/Transform.rotation`."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import Name, Transform
from rish_core.common import hierarchy_of
from rish_ecs import resource

if TYPE_CHECKING:
    from rish_ecs import World

Array = npt.NDArray[Any]


@resource(derived=True)
class Children:
    """The named children of entities; found again when entities, names or parents have changed.

    known: the child by parent and number of the name. paths: results, with the entities that were asked for.
    """

    known: dict[tuple[int, int], int] = dataclass_field(default_factory=dict[tuple[int, int], int])
    paths: dict[str, tuple[Array, Array]] = dataclass_field(default_factory=dict[str, "tuple[Array, Array]"])
    token: Any = None

    def rebuild(self, world: World) -> None:
        """Forget everything after a restore."""
        self.token = None

    def find(self, world: World, entities: Array, path: str) -> Array:
        """Return the descendants at a path of names, `arm/hand`, int64 n; 0 where there is none."""
        self._refresh(world)
        before = self.paths.get(path)
        if before is not None and np.array_equal(before[0], entities):
            return before[1]
        handles = entities.tolist()
        for name in path.split("/"):
            number = world.texts.find(name)
            handles = [self.known.get((handle, number), 0) for handle in handles]
        found = np.array(handles, np.int64)
        self.paths[path] = (entities.copy(), found)
        return found

    def _refresh(self, world: World) -> None:
        names = world.tables.get(Name)
        token = (world.membership, names.version if names is not None else 0, hierarchy_of(world))
        if self.token is not None and self.token[:2] == token[:2] and self.token[2] is token[2]:
            return
        self.token = token
        self.known.clear()
        self.paths.clear()
        both = world.query(Name, Transform)
        parents, numbers = both[Transform.parent].tolist(), both[Name.value].tolist()
        for child, parent, number in zip(both.entities.tolist(), parents, numbers, strict=True):
            if parent:
                self.known.setdefault((parent, number), child)
