"""Isolated calls: each plugin's implementation of a hook in turn, so that one that raises stops no other.

pluggy keeps the manager of hooks and implementations, with its order options; its own call stops at the first exception
by design, so the loop is written here. It gives an implementation the arguments it names, catches what it raises, and
hands that to `on_failure`, which decides (see `Plugins`). The loop costs less than pluggy's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import pluggy

from rish_ecs import Place, RishError, UnknownName, UsageError, in_engine, place_of, place_of_error

from ..errors import PluginError
from . import hooks
from .declared import Reader
from .implementations import Implementation, spec_arguments

_Row = tuple[str, Callable[..., Any], tuple[str, ...]]


@dataclass(frozen=True)
class Failure:
    """A plugin that failed: in which hook (or `import`), where, and with what.

    aside: the plugins that were set aside for it, itself first; empty where the failure was raised instead.
    """

    plugin: str
    hook: str
    place: Place
    error: BaseException
    aside: tuple[str, ...] = ()

    @property
    def what(self) -> str:
        """The sentence without the place."""
        said = _said(self.error)
        doing = "could not be imported" if self.hook == "import" else f"failed in {self.hook}"
        return f"plugin '{self.plugin}' {doing}: {said}"

    def as_error(self) -> PluginError:
        """The same as an exception, to be raised from `error`."""
        return PluginError(self.what, where=self.place)

    def __str__(self) -> str:
        also = f". Set aside with it: {', '.join(self.aside[1:])}" if len(self.aside) > 1 else ""
        return f"{self.place}: {self.what}{also}"


def _said(error: BaseException) -> str:
    if isinstance(error, RishError):
        return str(error)
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def blame(error: BaseException, function: Callable[..., Any] | None) -> Place:
    """The place at which a plugin failed: the deepest line outside the kernel, else the function that was called."""
    place = place_of_error(error)
    inside = place.file == "?" or in_engine(Path(place.file).resolve())
    return place_of(function) if inside and function is not None else place


class Face:
    """The object that pluggy gets for a plugin: its checked and bound implementations, and nothing else."""

    def __init__(self, name: str, implementations: Iterable[Implementation]) -> None:
        self.name = name
        self.options: dict[str, Mapping[str, Any]] = {}
        self.arguments: dict[str, tuple[str, ...]] = {}
        for implementation in implementations:
            self.options[implementation.hook] = implementation.options
            self.arguments[implementation.hook] = implementation.arguments
            setattr(self, implementation.hook, implementation.function)


class HookManager(pluggy.PluginManager):
    """pluggy's manager with two changes: a face says which functions count, and the plugins keep their order."""

    def __init__(self) -> None:
        super().__init__(hooks.PROJECT)
        self.arguments: dict[str, tuple[str, ...]] = {}
        self.owners: dict[str, str] = {}
        self.declaring: dict[str, str] = {}
        self.readers: dict[str, Reader] = {}
        self.add_specs("core", hooks)

    def add_specs(self, plugin: str, namespace: Any) -> None:
        """Take in a module or class of hook specifications. Raises PluginError for one that can't be."""
        fresh: dict[str, tuple[str, ...]] = {}
        for name in dir(namespace):
            options = getattr(getattr(namespace, name), f"{hooks.PROJECT}_spec", None)
            if options is None:
                continue
            if not name.startswith(hooks.PREFIX):
                raise PluginError(f"plugin '{plugin}': the hook '{name}' does not begin with {hooks.PREFIX}")
            if name in self.owners:
                raise PluginError(
                    f"the hook '{name}' comes from both '{self.owners[name]}' and '{plugin}'",
                    hint=f"One of them must rename it, to {hooks.PREFIX}{plugin}_... for example",
                )
            fresh[name] = spec_arguments(getattr(namespace, name))
            spec: Any = getattr(namespace, name)
            declares: str | None = getattr(spec, "declares", None)
            if declares:
                self.declaring[name] = declares
            reader: Reader | None = getattr(spec, "reads", None)
            if reader is not None:
                self.readers[name] = reader
        if not fresh:
            raise PluginError(
                f"plugin '{plugin}': rish_hookspecs returned {namespace!r}, which has no hooks",
                hint="Return a module whose functions are marked @hookspec",
            )
        self.add_hookspecs(namespace)
        self.arguments.update(fresh)
        self.owners.update(dict.fromkeys(fresh, plugin))

    def enrol(self, faces: Sequence[Face]) -> None:
        """Register plugins, in their order. pluggy calls the last first: it is turned round here, once."""
        for face in reversed(faces):
            self.register(face, face.name)

    def parse_hookimpl_opts(self, plugin: Any, name: str) -> Any:
        """pluggy's question whether an attribute of a plugin is an implementation, and with which options."""
        options = cast("Face", plugin).options.get(name)
        return None if options is None else dict(options)

    def rows(self, hook: str) -> tuple[_Row, ...]:
        """The implementations of a hook in the order of calling: plugin, function, arguments to give."""
        implementations = getattr(self.hook, hook).get_hookimpls()
        order = implementations if hook in hooks.UNWINDING else reversed(implementations)
        return tuple((found.plugin_name, found.function, cast("Face", found.plugin).arguments[hook]) for found in order)


class IsolatedCaller:
    """Calls hooks, each implementation guarded.

    faces: the plugins in their order. on_failure: gets each `Failure`; it may raise, or have called `drop`
    when it returns: then the named plugins are called no more, not even in the call that is under way.
    """

    def __init__(self, manager: HookManager, faces: Sequence[Face], on_failure: Callable[[Failure], object]) -> None:
        self.hook_manager = manager
        self.dropped: set[str] = set()
        self.on_failure = on_failure
        self._needed: dict[str, Set[str]] = {
            hook: frozenset(arguments) for hook, arguments in manager.arguments.items()
        }
        manager.enrol(faces)
        self._rows = {hook: manager.rows(hook) for hook in manager.arguments}

    def has(self, hook: str) -> bool:
        """Whether any plugin implements a hook."""
        return bool(self._table(hook))

    def implementers(self, hook: str) -> tuple[str, ...]:
        """The plugins that implement a hook, in the order of calling."""
        return tuple(row[0] for row in self._table(hook))

    def gather(self, hook: str, **arguments: Any) -> list[tuple[str, Any]]:
        """Call a hook; the answers of the plugins that gave one, as (plugin, answer), in order.

        Raises UnknownName for a name that is no hook, UsageError for arguments that are not the hook's, and
        what `on_failure` raises: at once, but in hooks that take down only after every plugin was called.
        """
        rows = self._rows.get(hook)
        if rows is None or arguments.keys() != self._needed[hook]:
            rows = self._table(hook, arguments)
        results: list[tuple[str, Any]] = []
        late: PluginError | None = None
        dropped = self.dropped
        for plugin, function, names in rows:
            if plugin in dropped:
                continue
            try:
                result = function(*[arguments[name] for name in names])
            except (Exception, SystemExit) as error:
                late = self._failed(Failure(plugin, hook, blame(error, function), error)) or late
            else:
                if result is not None:
                    results.append((plugin, result))
        if late is not None:
            raise late
        return results

    def _failed(self, failure: Failure) -> PluginError | None:
        """Hand a failure over; what that raises is given back for later where others must still be called."""
        try:
            self.on_failure(failure)
        except PluginError as error:
            if failure.hook not in hooks.UNWINDING:
                raise
            return error
        return None

    def first(self, hook: str, **arguments: Any) -> tuple[str, Any] | None:
        """Call a hook until a plugin answers: (plugin, answer), or None. Raises like `gather`."""
        for plugin, function, names in self._table(hook, arguments):
            if plugin in self.dropped:
                continue
            try:
                result = function(*[arguments[name] for name in names])
            except (Exception, SystemExit) as error:
                self.on_failure(Failure(plugin, hook, blame(error, function), error))
            else:
                if result is not None:
                    return plugin, result
        return None

    def drop(self, plugins: Iterable[str]) -> None:
        """Call these plugins no more."""
        self.dropped.update(plugins)
        for hook, rows in self._rows.items():
            self._rows[hook] = tuple(row for row in rows if row[0] not in self.dropped)

    def _table(self, hook: str, arguments: Mapping[str, Any] | None = None) -> tuple[_Row, ...]:
        rows = self._rows.get(hook)
        if rows is None:
            raise UnknownName(f"no hook is called '{hook}'", given=hook, choices=self._rows)
        if arguments is not None and arguments.keys() != self._needed[hook]:
            wanted = ", ".join(self.hook_manager.arguments[hook]) or "none"
            raise UsageError(f"the hook {hook} takes other arguments than {sorted(arguments)}: {wanted}")
        return rows
