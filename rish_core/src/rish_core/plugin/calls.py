"""Isolated hook calls: an exception in one plugin's implementation does not prevent the calls of the others.

pluggy manages the hooks and implementations and their order. But its own call stops at the first exception by design,
so the loop is written here. It passes each implementation the arguments that it names, and passes an exception to
`on_failure`, which applies the policy (see `Plugins`). The loop is faster than that of pluggy.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pluggy

from rish_ecs import Place, UnknownName, UsageError, in_engine, message_of, place_of, place_of_error

from ..errors import PluginError
from . import hooks
from .declaration_checks import Reader
from .implementations import Implementation, spec_arguments

_Row = tuple[str, Callable[..., Any], tuple[str, ...]]
Around = Callable[[str, str, Callable[..., Any]], Callable[..., Any]]
"""`around(plugin, name, function)` returns the function to call instead; name: of the hook or system."""


@dataclass(frozen=True)
class Failure:
    """The failure of a plugin: the hook (or `import`), the place and the error.

    aside: the plugins that were disabled because of it, the failed one first; empty if the error was raised instead.
    """

    plugin: str
    hook: str
    place: Place
    error: BaseException
    aside: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """The message without the place."""
        doing = "could not be imported" if self.hook == "import" else f"failed in {self.hook}"
        return f"plugin '{self.plugin}' {doing}: {message_of(self.error)}"

    def as_error(self) -> PluginError:
        """Return the failure as a PluginError, to be raised from `error`."""
        return PluginError(self.what, where=self.place)

    def __str__(self) -> str:
        also = f". Disabled with it: {', '.join(self.aside[1:])}" if len(self.aside) > 1 else ""
        return f"{self.place}: {self.what}{also}"


def blame(error: BaseException, function: Callable[..., Any] | None) -> Place:
    """Return the place of a failure: the deepest line outside the engine, otherwise the function that was called."""
    place = place_of_error(error)
    inside = place.file == "?" or in_engine(Path(place.file).resolve())
    return place_of(function) if inside and function is not None else place


class Face:
    """The object that is registered with pluggy for a plugin; its only attributes are checked implementations."""

    def __init__(self, name: str, implementations: Iterable[Implementation]) -> None:
        self.name = name
        self.options: dict[str, Mapping[str, Any]] = {}
        self.arguments: dict[str, tuple[str, ...]] = {}
        for implementation in implementations:
            self.options[implementation.hook] = implementation.options
            self.arguments[implementation.hook] = implementation.arguments
            setattr(self, implementation.hook, implementation.function)


class HookManager(pluggy.PluginManager):
    """pluggy's manager with two changes: it uses only functions of a `Face`, and calls plugins in their order."""

    def __init__(self) -> None:
        super().__init__(hooks.PROJECT)
        self.arguments: dict[str, tuple[str, ...]] = {}
        self.owners: dict[str, str] = {}
        self.declaring: dict[str, str] = {}
        self.readers: dict[str, Reader] = {}
        self.add_specs("core", hooks)

    def add_specs(self, plugin: str, namespace: Any) -> None:
        """Add a module or class of hook specifications. Raises PluginError if it is invalid."""
        arguments: dict[str, tuple[str, ...]] = {}
        for name in dir(namespace):
            spec: Any = getattr(namespace, name)
            if not hasattr(spec, f"{hooks.PROJECT}_spec"):
                continue
            if not name.startswith(hooks.PREFIX):
                raise PluginError(f"plugin '{plugin}': the hook '{name}' does not begin with {hooks.PREFIX}")
            if name in self.owners:
                raise PluginError(
                    f"the hook '{name}' comes from both '{self.owners[name]}' and '{plugin}'",
                    hint=f"One of them must rename it, to {hooks.PREFIX}{plugin}_... for example",
                )
            arguments[name] = spec_arguments(spec)
            declares: str | None = getattr(spec, "declares", None)
            if declares:
                self.declaring[name] = declares
            reader: Reader | None = getattr(spec, "reads", None)
            if reader is not None:
                self.readers[name] = reader
        if not arguments:
            raise PluginError(
                f"plugin '{plugin}': rish_hookspecs returned {namespace!r}, which has no hooks",
                hint="Return a module whose functions are marked @hookspec",
            )
        self.add_hookspecs(namespace)
        self.arguments.update(arguments)
        self.owners.update(dict.fromkeys(arguments, plugin))

    def register_all(self, faces: Sequence[Face]) -> None:
        """Register plugins, which are given in the order of calling, in reverse: pluggy calls the last one first."""
        for face in reversed(faces):
            self.register(face, face.name)

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
        """Return the options if an attribute of a plugin is an implementation, otherwise None (overrides pluggy)."""
        options = cast("Face", plugin).options.get(name)
        return None if options is None else dict(options)

    def rows(self, hook: str) -> tuple[_Row, ...]:
        """Return the implementations of a hook in the order of calling: plugin, function, names of arguments."""
        implementations = getattr(self.hook, hook).get_hookimpls()
        order = implementations if hook in hooks.UNWINDING else reversed(implementations)
        return tuple((each.plugin_name, each.function, cast("Face", each.plugin).arguments[hook]) for each in order)


class IsolatedCaller:
    """Calls hooks; an exception in one implementation does not stop the others.

    faces: the plugins in their order. on_failure: called with each `Failure`; it may raise, or call `drop`: then the
    dropped plugins are no longer called, not even in the current call. around: see `App.wrap_calls`.
    """

    def __init__(self, manager: HookManager, faces: Sequence[Face], on_failure: Callable[[Failure], object]) -> None:
        self.hook_manager = manager
        self.dropped: set[str] = set()
        self.on_failure = on_failure
        self.around: Around | None = None
        self._needed: dict[str, Set[str]] = {
            hook: frozenset(arguments) for hook, arguments in manager.arguments.items()
        }
        manager.register_all(faces)
        self._rows = {hook: manager.rows(hook) for hook in manager.arguments}

    def has(self, hook: str) -> bool:
        """Whether any plugin implements a hook."""
        return bool(self._table(hook))

    def implementers(self, hook: str) -> tuple[str, ...]:
        """Return the plugins that implement a hook, in the order of calling."""
        return tuple(row[0] for row in self._table(hook))

    def gather(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Call a hook; return the results that are not None as a list of (plugin, result), in order.

        Raises UnknownName for an unknown hook, UsageError for wrong arguments, and errors of `on_failure`: immediately,
        or in hooks of `UNWINDING` after all plugins were called.
        """
        return list(self._results(hook, arguments))

    def first(self, hook: str, **arguments: Any) -> tuple[str, Any] | None:
        """Call a hook until a plugin returns a result; return (plugin, result), or None. Raises like `gather`."""
        return next(self._results(hook, arguments), None)

    def tell(self, plugins: Collection[str], hook: str, **arguments: Any) -> None:
        """Call a hook of some plugins only. Raises like `gather`."""
        for _ in self._results(hook, arguments, plugins):
            pass

    def _results(
        self, hook: str, arguments: Mapping[str, Any], only: Collection[str] | None = None
    ) -> Iterator[tuple[str, Any]]:
        deferred: PluginError | None = None
        for plugin, function, names in self._table(hook, arguments):
            if plugin in self.dropped or (only is not None and plugin not in only):
                continue
            try:
                call = function if self.around is None else self.around(plugin, hook, function)
                result = call(*[arguments[name] for name in names])
            except KeyboardInterrupt:
                raise
            except BaseException as error:
                deferred = self._failed(Failure(plugin, hook, blame(error, function), error)) or deferred
            else:
                if result is not None:
                    yield plugin, result
        if deferred is not None:
            raise deferred

    def _failed(self, failure: Failure) -> PluginError | None:
        """Call `on_failure`; in hooks of `UNWINDING` return its error, because other plugins must still be called."""
        try:
            self.on_failure(failure)
        except PluginError as error:
            if failure.hook not in hooks.UNWINDING:
                raise
            return error
        return None

    def drop(self, plugins: Iterable[str]) -> None:
        """Stop calling these plugins."""
        self.drop_only({*self.dropped, *plugins})

    def drop_only(self, plugins: Iterable[str]) -> None:
        """Call all plugins except for these."""
        self.dropped = set(plugins)
        for hook in self._rows:
            rows = self.hook_manager.rows(hook)
            self._rows[hook] = tuple(row for row in rows if row[0] not in self.dropped)

    def _table(self, hook: str, arguments: Mapping[str, Any] | None = None) -> tuple[_Row, ...]:
        rows = self._rows.get(hook)
        if rows is None:
            raise UnknownName(f"no hook is called '{hook}'", given=hook, choices=self._rows)
        if arguments is not None and arguments.keys() != self._needed[hook]:
            expected = ", ".join(self.hook_manager.arguments[hook]) or "none"
            raise UsageError(f"the hook {hook} was called with {sorted(arguments)}, but its arguments are: {expected}")
        return rows
