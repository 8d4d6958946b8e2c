"""Views: an entity as an object, for code that handles single entities.

A view holds the handle and looks up the row at each access, so it stays valid when rows move; after the entity has
died, an access raises StaleEntity. Loops over many entities should use queries instead.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .declarations.component import kind_of
from .declarations.system import TICK_STAGES
from .storage.entities import describe

if TYPE_CHECKING:
    from .world import World


class ComponentView:
    """One component of one entity; attributes read and write the columns. Vectors are read as `Vector` tuples.

    The views of each component have their own class with a property for each field, see `view_of`.
    """

    __slots__ = ("_cls", "_handle", "_world")
    _cls: type[Any]
    _handle: int
    _world: World

    def __init__(self, world: World, handle: int, cls: type) -> None:
        set_slot = object.__setattr__
        set_slot(self, "_world", world)
        set_slot(self, "_handle", handle)
        set_slot(self, "_cls", cls)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        table, row = self._world.locate(self._handle, self._cls)
        return table.read_value(name, row)

    def __setattr__(self, name: str, value: Any) -> None:
        world = self._world
        table = world.tables.get(self._cls)
        if table is None or (row := table.row_of(self._handle)) < 0:
            table, row = world.locate(self._handle, self._cls)
        if world.stage is not None and world.stage not in TICK_STAGES and not table.schema.field(name).view:
            world.check_stage(f"writing {self._cls.__name__}.{name}")
        table.write_row(name, row, value)

    def __repr__(self) -> str:
        fields = self._cls.__kind__.fields
        inner = ", ".join(f"{name}={getattr(self, name)!r}" for name in fields)
        return f"<{self._cls.__name__} of {describe(self._handle)}: {inner}>"


def view_of(world: World, handle: int, cls: type[Any]) -> ComponentView:
    """Return the view of a component that an entity has."""
    kind = kind_of(cls)
    if kind.view_class is None:
        properties = {name: _property(name) for name in kind.fields}
        kind.view_class = type("ComponentView", (ComponentView,), {"__slots__": (), **properties})
    return kind.view_class(world, handle, cls)


def _property(name: str) -> property:
    def read(view: Any) -> Any:
        world, handle = view._world, view._handle
        table = world.tables.get(view._cls)
        if table is None or (row := table.row_of(handle)) < 0:
            table, row = world.locate(handle, view._cls)
        return table.read_value(name, row)

    return property(read)


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
