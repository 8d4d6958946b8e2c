"""The registry of scripts: all scripts as objects, in the order in which they are called.

It is derived: all of its data can be computed from the tables, so it is not in snapshots. Scripts are called class by
class in the order of declaration, within a class in the order of its table. That is the order of spawning, except
that the last row replaces a removed one. The order is state, so it is the same in every run.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from rish_core import Disabled, Interventions, resource
from rish_ecs import Inputs, Rows, nearest, place_of
from rish_ecs.query import classes

from .. import faults
from ..access import Binding
from ..script import LIVE, Script, overrides
from ..timers import drop_timers
from ..watchdog import Watchdog

if TYPE_CHECKING:
    from rish_core import World

_log = logging.getLogger("rish.scripts")


class ScriptClass:
    """The scripts of one class.

    cls: the class, which is a component. name: its full name, `game.Door`. query_classes: the components of the query
    for `on_update_all`. class_view: a view without an entity, for messages about the class.
    """

    def __init__(self, scripts: Scripts, binding: Binding) -> None:
        self.scripts = scripts
        self.binding = binding
        self.cls: type = binding.kind.cls
        self.name = binding.kind.key
        self.query_classes: tuple[type, ...] = (self.cls, *classes(getattr(self.cls, "needs", ())))
        self.class_view = binding.nobody()
        self.updates, self.updates_all = self.defines("on_update"), self.defines("on_update_all")
        self._members: list[Any] = []
        self._inputs = Inputs((Rows(self.cls), Rows(Disabled), faults.Faults))

    def defines(self, method: str) -> bool:
        """Return whether the class defines an optional method."""
        return overrides(self.cls, method)

    def everyone(self) -> list[Any]:
        """Return all scripts of the class in the order of the table, including scripts that are not called now."""
        return [self.binding.at(handle) for handle in self.binding.table.entities.tolist()]

    def members(self) -> list[Any]:
        """Return the scripts that are called, in the order of the table: of enabled entities, and not set aside."""
        world = self.scripts.world
        if self._inputs.changed(world):
            at, aside = self.binding.at, set(faults.set_aside(world, self.name))
            handles = world.query(self.cls).entities.tolist()
            self._members = [at(handle) for handle in handles if handle not in aside]
        return self._members

    def member(self, handle: int) -> Any:
        """Return the script of an entity: None if it has none, False if it is not called now."""
        world = self.scripts.world
        if self.binding.table.row_of(handle) < 0:
            return None
        if world.table(Disabled).row_of(handle) >= 0 or faults.is_aside(world, handle, self.name):
            return False
        return self.binding.at(handle)


@resource(derived=True)
class Scripts:
    """The scripts of a world as objects: `world[Scripts].get(entity, Door).open`.

    policy: the policy of the App for errors, `raise` or `disable`.
    """

    policy: str = "disable"

    def __post_init__(self) -> None:
        """Set the private fields to empty."""
        self.bindings: dict[type, Binding] = {}
        self.views: dict[type, dict[int, Any]] = {}
        self.logged: set[Any] = set()
        self.watchdog = Watchdog([Scripts.call, Scripts.call_each, Scripts.call_all])
        self.attached = False
        self._classes: dict[str, ScriptClass] = {}
        self._classes_by_method: dict[tuple[str, ...], list[ScriptClass]] = {}
        self._kinds: list[Any] = []
        self._handled: frozenset[type] = frozenset()
        self._declared = Inputs(())
        self._watched: list[tuple[Any, Callable[[Any], None]]] = []

    def rebuild(self, world: World) -> None:
        """Attach to a world; after a restore, tables and objects stay the same."""
        if not self.attached:
            self.world, self.attached = world, True
        self.classes()

    def classes(self, *methods: str) -> list[ScriptClass]:
        """Return the script classes of the world that define one of the methods; all classes if none is given.

        They are made again if classes were added, removed or reloaded.
        """
        tables = self.world.tables
        if self._declared.changed(self.world):
            kinds = [table.schema for table in tables.values()]
            if kinds != self._kinds:
                self._kinds = kinds
                self._renew()
            methods_of = {cls: queue.kind.marks.get("script", "") for cls, queue in self.world.queues.items()}
            every = self._classes.values()
            self._handled = frozenset(
                cls for cls, name in methods_of.items() if name and any(each.defines(name) for each in every)
            )
        matching = self._classes_by_method.get(methods)
        if matching is None:
            matching = [
                script_class
                for script_class in self._classes.values()
                if not methods or any(map(script_class.defines, methods))
            ]
            self._classes_by_method[methods] = matching
        return matching

    @property
    def handled(self) -> frozenset[type]:
        """The types of the events for which a script class has a method."""
        self.classes()
        return self._handled

    def member(self, handle: int, name: str) -> Any:
        """Return a script of an entity by its full name: None if there is none, False if it is not called now."""
        self.classes()
        script_class = self._classes.get(name)
        return script_class.member(handle) if script_class is not None else None

    def get(self, entity: int, cls: type) -> Any:
        """Return a component of an entity as a light view; a script has its methods.

        Raises StaleEntity, NotYet, or UnknownName if the entity has no such component.
        """
        return self.binding(cls).at(int(entity))

    def of(self, entity: int) -> list[Any]:
        """Return all scripts of an entity, in the order in which they are called."""
        return [
            script_class.binding.at(entity)
            for script_class in self.classes()
            if script_class.binding.table.row_of(entity) >= 0
        ]

    def binding(self, cls: type) -> Binding:
        """Return the binding of a component. Raises UnknownName."""
        self.classes()
        binding = self.bindings.get(cls)
        if binding is None:
            table = self.world.table(cls)
            kind = table.schema
            binding = self.bindings.get(kind.cls)
            if binding is None:
                live = self._live() if issubclass(kind.cls, Script) else {}
                base = (kind.cls,) if live else ()
                binding = self.bindings[kind.cls] = Binding(self.world, table, *base, more=live)
            self.bindings[cls] = binding
            self.views[cls] = binding.objects
        return binding

    def call(self, script: Any, method: Any, *arguments: Any, check: Callable[[Any], Any] | None = None) -> Any:
        """Call a method of a script, given by name or as a callable; return its result, or None if it raised.

        check: called with the result; what it returns is returned instead, and errors that it raises count as errors.
        """
        try:
            answer = (getattr(script, method) if isinstance(method, str) else method)(*arguments)
            return answer if check is None else check(answer)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            name = method if isinstance(method, str) else getattr(method, "__name__", "a step")
            self.failed(script, name, error)
            return None

    def call_each(self, script_class: ScriptClass, method: Callable[[Any, float], None], value: float) -> None:
        """Call a method of all scripts of a class; an error of one script does not affect the others."""
        if not len(script_class.binding.table):
            return
        members = iter(script_class.members())
        with self.watchdog:
            while True:
                script = None
                try:
                    for script in members:
                        method(script, value)
                    return
                except KeyboardInterrupt:
                    raise
                except BaseException as error:
                    if script is None:
                        raise
                    self.failed(script, method.__name__, error)

    def call_all(self, script_class: ScriptClass, dt: float) -> None:
        """Call `on_update_all` of a class once for all its entities; mark the tables of the query as written."""
        query = self.world.query(*script_class.query_classes)
        if not len(query) or faults.is_aside(self.world, 0, script_class.name):
            return
        with self.watchdog:
            try:
                script_class.cls.on_update_all(query, self.world, dt)
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                self.failed(script_class.class_view, "on_update_all", error)
        for cls in script_class.query_classes:
            self.world.table(cls).mark()

    def failed(self, script: Any, doing: str, error: BaseException) -> None:
        """Report an error of a script."""
        if isinstance(error, faults.ScriptStuck):
            self.watchdog.end_call(reached=True)
            self.world[Interventions].note(f"{faults.label(script)} was stopped")
        policy = "disable" if doing == "on_inspect" else self.policy  # an editor goes on
        faults.note(script, doing, error, policy, self.logged)

    def _live(self) -> dict[str, Any]:
        """Return the additional attributes of view classes of scripts: the World, and a fast `get`."""
        views, world = self.views, self.world

        def get(script: Any, cls: Any, entity: int = 0) -> Any:
            handle = script.entity if entity == 0 else entity
            try:
                return views[cls][handle]
            except KeyError:
                return self.get(handle, cls)

        return {LIVE: True, "world": world, "get": get}

    def _renew(self) -> None:
        """Discard all views, bind the scripts again, and register callbacks for the removal of scripts."""
        for table, callback in self._watched:
            if callback in table.on_remove:
                table.on_remove.remove(callback)
        self._watched.clear()
        for binding in self.bindings.values():
            binding.close()
        self.bindings.clear()
        self.views.clear()
        self._classes.clear()
        for kind in self._kinds:
            if issubclass(kind.cls, Script):
                script_class = ScriptClass(self, self.binding(kind.cls))
                self._classes[script_class.name] = script_class
                callback = self._removal_callback(script_class)
                table = script_class.binding.table
                table.on_remove.append(callback)
                self._watched.append((table, callback))
        self._classes_by_method.clear()
        self._warn_of_misspellings()

    def _warn_of_misspellings(self) -> None:
        """Log the methods whose names are similar to a known method, but which are never called."""
        events = [queue.kind.marks.get("script", "") for queue in self.world.queues.values()]
        known_names = {name.removeprefix("on_") for name in (*dir(Script), *events) if name.startswith("on_")}
        for script_class in self._classes.values():
            for name, value in vars(script_class.cls).items():
                short_name = name.removeprefix("on_")
                suggestion = (
                    nearest(short_name, known_names)
                    if short_name != name and short_name not in known_names and callable(value)
                    else None
                )
                if suggestion is not None:
                    what = "%s: %s.%s is never called (did you mean 'on_%s'?)"
                    _log.warning(what, place_of(value), script_class.cls.__name__, name, suggestion)

    def _removal_callback(self, script_class: ScriptClass) -> Callable[[Any], None]:
        """Return the callback for entities whose script is about to be removed."""
        has_method = script_class.defines("on_destroy")

        def leave(handles: Any) -> None:
            if has_method:
                with self.watchdog:
                    for handle in handles.tolist():
                        self.call(script_class.binding.at(handle), "on_destroy")
            drop_timers(self.world, handles, script_class.name)
            faults.pardon(self.world, script_class.name, handles)

        return leave


def scripts_of(world: World) -> Scripts:
    """Return the scripts of a world."""
    scripts: Scripts = world[Scripts]
    if not scripts.attached:
        scripts.rebuild(world)
    return scripts
