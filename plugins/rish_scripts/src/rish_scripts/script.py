"""Scripts: classes whose methods are called for the entities that carry them, and whose fields are columns.

    class Door(Script):
        '''Opens when something touches it.'''
        open: bool = False
        speed: float = field(40, unit="units/s", low=0)

        def on_contact_begin(self, contact):
            self.open = True
            self.after(2, self.shut)

        def shut(self):
            self.open = False

A script class *is* a component: `Door: {speed: 60}` in a manifest, `world.spawn(Door(speed=60))`, one row an entity. So
its fields are checked, shown, saved, hashed and kept over a reload like any others, and a script has no memory
besides them. In its methods `self` is a light view of the entity's row (see `access.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, dataclass_transform

from rish_core import Input, spawn_prefab
from rish_core.common import names
from rish_ecs import DeclarationError, UsageError, place_of
from rish_ecs.declarations import current, declare

from . import timers

if TYPE_CHECKING:
    from rish_core import World

_KEPT = frozenset({"__init__", "__setattr__", "__getattr__", "__getattribute__", "__slots__", "__eq__", "__hash__"})
_HELPERS = frozenset(
    {"entity", "world", "get", "has", "add", "remove", "spawn", "despawn", "find", "find_tagged", "find_all", "emit",
     "input", "after", "every", "begin", "cancel", "waits"}
)  # fmt: skip
"""Names that every script inherits; no script may define them."""
LIVE = "__live__"
"""Marks the classes of the objects that methods are called on; see `access.Binding`."""


@dataclass_transform()
class Script:
    """The base of all scripts. Every method that begins with `on_` may be left out."""

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

    # What may be defined

    def on_create(self) -> None:
        """The script came to its entity; called once, in a tick, before anything else is."""

    def on_destroy(self) -> None:
        """The script or its entity is about to go: despawned, removed, or the scene changes. All is still there."""

    def on_start(self) -> None:
        """The simulation begins: before its first update, for the scripts that are there by then."""

    def on_stop(self) -> None:
        """The simulation ends."""

    def on_fixed_update(self, dt: float) -> None:
        """Once a tick in Stage.FORCES, before physics; dt in seconds."""

    def on_update(self, dt: float) -> None:
        """Once a tick in Stage.UPDATE, after physics and after events and timers; dt in seconds."""

    def on_frame(self, alpha: float) -> None:
        """Once a picture: only `view=True` fields may be written. alpha: between two ticks, 0..1."""

    def on_inspect(self, ui: Any) -> None:
        """The inspector shows the script: add widgets with `ui`."""

    def on_reload(self) -> None:
        """The script's code was replaced while the game runs; its fields are as they were."""

    @staticmethod
    def on_update_all(query: Any, world: World, dt: float) -> None:
        """Once a tick for all entities at once, after `on_update` of this class: columns instead of objects.

        query: the entities with this script and with all that it `needs`. The tables of the query count as written.
        """

    # The entity and its neighbours

    def get(self, cls: type, entity: int = 0) -> Any:
        """A component of this entity, or of another, as a light view; a script with its methods.

        Raises StaleEntity where the entity is gone, UnknownName where it has no such component.
        """
        raise _unbound(self)

    def has(self, cls: type, entity: int = 0) -> bool:
        """Whether this entity, or another, is there and carries a component."""
        handle = self.entity if entity == 0 else entity
        return self.world.alive(handle) and self.world.has(handle, cls)

    def add(self, *parts: Any) -> None:
        """Give this entity components, at the end of the stage."""
        self.world.add(self.entity, *parts)

    def remove(self, *kinds: type) -> None:
        """Take components from this entity, at the end of the stage."""
        self.world.remove(self.entity, *kinds)

    def spawn(self, *parts: Any, at: Any = None, parent: int = 0) -> int:
        """Make an entity: `self.spawn("bullet", at=(x, y))` of a prefab, or of components; gives its handle.

        It exists at the end of the stage. parts: after a prefab's name, components that override it.
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
        """The handle of the first entity with that name, or None where there is none."""
        return names.find(self.world, name)

    def named(self, name: str) -> int:
        """The handle of the first entity with that name. Raises UnknownName with the nearest name."""
        return names.named(self.world, name)

    def find_tagged(self, tag: str) -> list[int]:
        """The handles of all entities with that tag."""
        return names.tagged(self.world, tag).tolist()

    def find_all(self, cls: type, *more: type) -> list[Any]:
        """All components of a class and of those derived from it, of enabled entities, as light views.

        more: which the entities carry as well. Class by class in the order of declaration; `cls` itself may be a base
        that is registered nowhere. Raises UnknownName where there is no such class.
        """
        cls = current(cls)
        kinds = [table.schema.cls for table in self.world.tables.values()]
        found = [kind for kind in kinds if issubclass(kind, cls)] or [cls]
        return [self.get(kind, handle) for kind in found for handle in self.world.query(kind, *more)]

    def emit(self, cls: type, /, **values: Any) -> None:
        """Emit an event."""
        self.world.emit(cls, **values)

    @property
    def input(self) -> Input:
        """The input of the player: `self.input.down("left")`, `self.input.pressed("jump")`."""
        return self.world[Input]

    # Time

    def after(self, seconds: float, method: str | Callable[[], Any]) -> int:
        """Call a method of this script once, in `seconds`; gives the number of the timer."""
        return timers.start(self, method, seconds)

    def every(self, seconds: float, method: str | Callable[[], Any]) -> int:
        """Call a method of this script again and again; gives the number of the timer."""
        return timers.start(self, method, seconds, again=True)

    def begin(self, method: str | Callable[[], Sequence[Any]]) -> int:
        """Begin a sequence: a method that returns a tuple of steps; again where it runs already. Gives its number."""
        return timers.begin(self, method)

    def cancel(self, which: int | str | Callable[[], Any] | None = None) -> int:
        """Stop a timer or sequence by its number, all of a method, or all of this script; gives how many."""
        return timers.cancel(self, which)

    def waits(self, which: int | str | Callable[[], Any]) -> bool:
        """Whether a timer or sequence of that number, or of that method, is under way."""
        return timers.waits(self, which)


def _check_names(cls: type) -> None:
    """Raise DeclarationError for what would hide a part of the engine, or be memory that is not saved."""
    annotations = cls.__dict__.get("__annotations__", {})  # noqa: RUF063 (without those of the bases)
    for name, value in cls.__dict__.items():
        if name in _KEPT or name in _HELPERS:
            hint = "Write on_create(self) to begin with something" if name == "__init__" else "Choose another name"
            what = f"script {cls.__name__} defines {name}, which every script has"
            raise DeclarationError(what, where=place_of(cls), hint=hint)
        if isinstance(value, (list, dict, set)) and name not in annotations and not (name.isupper() or name[0] == "_"):
            raise DeclarationError(
                f"{cls.__name__}.{name} is one {type(value).__name__} for all, which is neither saved nor restored",
                where=place_of(cls),
                hint=f"Annotate it, as in {name}: list[float], or write {name.upper()} for what never changes",
            )
    for name in annotations:
        if name in _HELPERS or hasattr(Script, name):
            raise DeclarationError(
                f"{cls.__name__}.{name}: the name is kept for what every script has",
                where=place_of(cls),
                hint="Choose another name for the field",
            )


def _unbound(script: Any) -> UsageError:
    name = type(script).__name__
    return UsageError(
        f"this {name} is only the values for a spawn; it belongs to no entity",
        hint=f"Spawn it, then world[Scripts].get(entity, {name})",
    )


def overrides(cls: type, method: str) -> bool:
    """Whether a script class defines a method that may be left out, or one that only events name."""
    found = getattr(cls, method, None)
    return callable(found) and found is not getattr(Script, method, None)
