"""Scripts: classes whose methods are called for the entities that have them, and whose fields are columns.

    class Door(Script):
        '''Opens when something touches it.'''
        open: bool = False
        speed: float = field(40, unit="units/s", low=0)

        def on_contact_begin(self, contact):
            self.open = True
            self.after(2, self.shut)

        def shut(self):
            self.open = False

A script class *is* a component: `Door: {speed: 60}` in a manifest, `world.spawn(Door(speed=60))`, one row for each
entity. So its fields are checked, shown, saved, hashed and kept over a reload like those of any component, and a script
has no other memory. In its methods `self` is a light view of the entity's row (see `access.py`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, dataclass_transform

from rish_core import Input, spawn_prefab
from rish_core.common import names
from rish_ecs import DeclarationError, UsageError, place_of
from rish_ecs.declarations import current, declare

from . import timers

if TYPE_CHECKING:
    from rish_core import World

_RESERVED = frozenset({"__init__", "__setattr__", "__getattr__", "__getattribute__", "__slots__", "__eq__", "__hash__"})
_HELPERS = frozenset(
    {"entity", "world", "get", "has", "add", "remove", "spawn", "despawn", "find", "find_tagged", "find_all", "emit",
     "input", "after", "every", "begin", "cancel", "waits"}
)  # fmt: skip
"""Names that every script inherits; no script may define them."""
LIVE = "__live__"
"""Marks the classes of the objects that methods are called on; see `access.Binding`."""


@dataclass_transform()
class Script:
    """The base class of all scripts. All methods that begin with `on_` are optional."""

    __slots__ = ("_row", "entity")
    needs = ()
    """Components that an entity must also have to be in the query of `on_update_all`: a class or several."""

    if TYPE_CHECKING:
        entity: int
        _row: int
        world: World

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if LIVE not in cls.__dict__:
            _check_names(cls)
            declare(cls, "component", {}, 2)

    # Optional methods

    def on_create(self) -> None:
        """Called once after the script was added to its entity, in a tick, before all other methods."""

    def on_destroy(self) -> None:
        """Called before the script or its entity is removed or the scene changes. Entity and components still exist."""

    def on_start(self) -> None:
        """Called when the simulation starts, before the first update, for the scripts that exist then."""

    def on_stop(self) -> None:
        """Called when the simulation stops."""

    def on_fixed_update(self, dt: float) -> None:
        """Called once a tick in Stage.FORCES, before physics; dt in seconds."""

    def on_update(self, dt: float) -> None:
        """Called once a tick in Stage.UPDATE, after physics and after events and timers; dt in seconds."""

    def on_frame(self, alpha: float) -> None:
        """Called once a frame: only `view=True` fields may be written. alpha: between two ticks, 0..1."""

    def on_inspect(self, ui: Any) -> None:
        """Called when the inspector shows the script: add widgets with `ui`."""

    def on_reload(self) -> None:
        """Called after the script's code was replaced while the game runs; its fields are unchanged."""

    @staticmethod
    def on_update_all(query: Any, world: World, dt: float) -> None:
        """Called once a tick for all entities together, after `on_update` of this class: columns instead of objects.

        query: the entities with this script and all components in `needs`. The tables of the query count as written.
        """

    # The entity and its neighbors

    def get(self, cls: type, entity: int = 0) -> Any:
        """Return a component of this entity, or of another, as a light view; a script has its methods.

        Raises StaleEntity if the entity is gone, UnknownName if it has no such component.
        """
        raise _unbound(self)

    def has(self, cls: type, entity: int = 0) -> bool:
        """Return whether this entity, or another, exists and has a component."""
        handle = self.entity if entity == 0 else entity
        return self.world.alive(handle) and self.world.has(handle, cls)

    def add(self, *parts: Any) -> None:
        """Add components to this entity, at the end of the stage."""
        self.world.add(self.entity, *parts)

    def remove(self, *kinds: type) -> None:
        """Remove components from this entity, at the end of the stage."""
        self.world.remove(self.entity, *kinds)

    def spawn(self, *parts: Any, at: Any = None, parent: int = 0) -> int:
        """Spawn an entity from a prefab, `self.spawn("bullet", at=(x, y))`, or from components; return its handle.

        It exists from the end of the stage on. parts: after a prefab's name, components that override it.
        """
        if parts and isinstance(parts[0], str):
            return spawn_prefab(self.world, parts[0], *parts[1:], at=at, parent=parent)
        if at is not None or parent:
            raise UsageError("at and parent go with a prefab", hint="Write self.spawn(Transform(position=...), ...)")
        return self.world.spawn(*parts)

    def despawn(self, entity: int = 0) -> None:
        """Remove this entity, or another, with its children, at the end of the stage."""
        self.world.despawn(self.entity if entity == 0 else entity)

    def find(self, name: str) -> int | None:
        """Return the handle of the first entity with that name, or None if there is none."""
        return names.find(self.world, name)

    def named(self, name: str) -> int:
        """Return the handle of the first entity with that name. Raises UnknownName with the most similar name."""
        return names.named(self.world, name)

    def find_tagged(self, tag: str) -> list[int]:
        """Return the handles of all entities with that tag."""
        return names.tagged(self.world, tag).tolist()

    def find_all(self, cls: type, *more: type) -> list[Any]:
        """Return all components of a class and of its subclasses, of enabled entities, as light views.

        more: components that the entities must have as well. The order is class by class in the order of declaration;
        `cls` itself may be a base class that is not registered. Raises UnknownName if there is no such class.
        """
        cls = current(cls)
        kinds = [table.schema.cls for table in self.world.tables.values()]
        classes = [kind for kind in kinds if issubclass(kind, cls)] or [cls]
        return [self.get(kind, handle) for kind in classes for handle in self.world.query(kind, *more)]

    def emit(self, cls: type, /, **values: Any) -> None:
        """Emit an event."""
        self.world.emit(cls, **values)

    @property
    def input(self) -> Input:
        """The input of the player: `self.input.down("left")`, `self.input.pressed("jump")`."""
        return self.world[Input]

    # Time

    def after(self, seconds: float, method: str | Callable[[], Any]) -> int:
        """Call a method of this script once, in `seconds`; return the number of the timer."""
        return timers.start(self, method, seconds)

    def every(self, seconds: float, method: str | Callable[[], Any]) -> int:
        """Call a method of this script repeatedly, every `seconds`; return the number of the timer."""
        return timers.start(self, method, seconds, again=True)

    def begin(self, method: str | Callable[[], Sequence[Any]]) -> int:
        """Start a sequence, a method that returns a tuple of steps, and return its number.

        If the sequence is running already, it starts again from the first step.
        """
        return timers.begin(self, method)

    def cancel(self, which: int | str | Callable[[], Any] | None = None) -> int:
        """Stop a timer or sequence by its number, those of a method, or all; return how many were stopped."""
        return timers.cancel(self, which)

    def waits(self, which: int | str | Callable[[], Any]) -> bool:
        """Return whether a timer or sequence with that number, or of that method, is active."""
        return timers.waits(self, which)


def _check_names(cls: type) -> None:
    """Raise DeclarationError for names that every script inherits, and for class attributes that are not saved."""
    annotations = inspect.get_annotations(cls)
    for name, value in cls.__dict__.items():
        if name in _RESERVED or name in _HELPERS:
            hint = "Write on_create(self) to begin with something" if name == "__init__" else "Choose another name"
            what = f"script {cls.__name__} defines {name}, which every script has"
            raise DeclarationError(what, where=place_of(cls), hint=hint)
        if isinstance(value, (list, dict, set)) and name not in annotations and not (name.isupper() or name[0] == "_"):
            shared = f"one {type(value).__name__} shared by all entities"
            hint = f"Annotate it, as in {name}: list[float], or write {name.upper()} for what never changes"
            what = f"{cls.__name__}.{name} is {shared}, which is neither saved nor restored"
            raise DeclarationError(what, where=place_of(cls), hint=hint)
    for name in annotations:
        if name in _HELPERS or hasattr(Script, name):
            raise DeclarationError(
                f"{cls.__name__}.{name}: the name is reserved: every script has it",
                where=place_of(cls),
                hint="Choose another name for the field",
            )


def _unbound(script: Any) -> UsageError:
    """Return the error for a script object that belongs to no entity."""
    name = type(script).__name__
    return UsageError(
        f"this {name} holds only values for a spawn and belongs to no entity",
        hint=f"Spawn it, then world[Scripts].get(entity, {name})",
    )


def overrides(cls: type, method: str) -> bool:
    """Return whether a script class defines an optional method, or a method that only events call."""
    function = getattr(cls, method, None)
    return callable(function) and function is not getattr(Script, method, None)
