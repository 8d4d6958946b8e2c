"""Views: an entity as an object, for code that handles single entities.

A view holds the handle and looks up the row at each access, so it stays valid when rows move; after the entity has
died, an access raises StaleEntity. Loops over many entities should use queries instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .storage.entities import describe
from .vector import value_of

if TYPE_CHECKING:
    from .world import World


class ComponentView:
    """One component of one entity; attributes read and write the columns. Vectors are read as `Vector` tuples."""

    __slots__ = ("_cls", "_handle", "_world")
    _cls: type[Any]
    _handle: int
    _world: World

    def __init__(self, world: World, handle: int, cls: type) -> None:
        object.__setattr__(self, "_world", world)
        object.__setattr__(self, "_handle", handle)
        object.__setattr__(self, "_cls", cls)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        table, row = self._world.locate(self._handle, self._cls)
        return value_of(table.schema.field(name).type, table.read_row(name, row))

    def __setattr__(self, name: str, value: Any) -> None:
        table, row = self._world.locate(self._handle, self._cls)
        if not table.schema.field(name).view:
            self._world.check_stage(f"writing {self._cls.__name__}.{name}")
        table.write_row(name, row, value)

    def __repr__(self) -> str:
        fields = self._cls.__kind__.fields
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
        return f"<{self._cls.__name__} of {describe(self._handle)}: {inner}>"


class EntityView:
    """One entity; `view[Body]` is its Body, `Body in view` checks whether it has one."""

    __slots__ = ("handle", "world")

    def __init__(self, world: World, handle: int) -> None:
        self.world = world
        self.handle = handle

    @property
    def alive(self) -> bool:
        """Whether the entity still exists."""
        return self.world.alive(self.handle)

    def __getitem__(self, cls: type) -> ComponentView:
        return self.world.get(self.handle, cls)

    def __contains__(self, cls: type) -> bool:
        return self.world.has(self.handle, cls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, EntityView) and other.world is self.world and other.handle == self.handle

    def __hash__(self) -> int:
        return self.handle

    def add(self, *parts: Any) -> None:
        """Add components."""
        self.world.add(self.handle, *parts)

    def set(self, *parts: Any) -> None:
        """Write the given fields of components that it has."""
        self.world.set(self.handle, *parts)

    def remove(self, *kinds: type) -> None:
        """Remove components."""
        self.world.remove(self.handle, *kinds)

    def despawn(self) -> None:
        """Remove the entity and its children."""
        self.world.despawn(self.handle)

    def __repr__(self) -> str:
        kinds = ", ".join(cls.__name__ for cls in self.world.components_of(self.handle)) if self.alive else "gone"
        return f"<entity {describe(self.handle)}: {kinds}>"
