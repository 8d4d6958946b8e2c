"""Finds the functions of a plugin that implement hooks, and checks that they can be called.

Each function named `rish_*` counts, with or without a decorator (as in pytest), so that a forgotten decorator is not an
error. Mistakes that would otherwise fail silently or late are refused here: an unknown hook, an unknown argument, a
list instead of a function, a coroutine that would never be awaited.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from rish_ecs import did_you_mean, place_of

from ..errors import PluginError
from .hooks import PREFIX, PROJECT

_IMPL = f"{PROJECT}_impl"
_SPEC = f"{PROJECT}_spec"


@dataclass(frozen=True, eq=False)
class Implementation:
    """A plugin's function for a hook. arguments: the names of the hook's arguments that it has, in its own order."""

    plugin: str
    hook: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]
    options: Mapping[str, Any]


def spec_arguments(function: Callable[..., Any]) -> tuple[str, ...]:
    """Return the names of a hook's arguments from its specification."""
    return tuple(name for name in inspect.signature(function).parameters if name != "self")


def find_implementations(
    plugin: str, thing: object, specs: Mapping[str, tuple[str, ...]]
) -> tuple[list[Implementation], list[PluginError]]:
    """Return the hooks that a plugin implements, and all mistakes in them.

    thing: a module, or any object with functions. specs: the known hooks, each with its arguments. Functions that are
    marked optional and whose hook is unknown are left out.
    """
    implementations: list[Implementation] = []
    mistakes: list[PluginError] = []
    for name, value in _marked_elsewhere(thing):
        hint = f"Rename it to {PREFIX}{name.lstrip('_')}"
        mistakes.append(_mistake(plugin, value, f"'{name}' is marked @hookimpl, but hooks begin with {PREFIX}", hint))
    for name, value in _named_like_hooks(thing):
        try:
            implementation = _implementation(plugin, name, value, specs)
        except PluginError as mistake:
            mistakes.append(mistake)
        else:
            implementations += [implementation] if implementation is not None else []
    return implementations, mistakes


def _named_like_hooks(thing: object) -> Iterable[tuple[str, Any]]:
    for name in dir(thing):
        if name.startswith(PREFIX) and not isinstance(inspect.getattr_static(thing, name, None), property):
            yield name, getattr(thing, name)


def _marked_elsewhere(thing: object) -> Iterable[tuple[str, Any]]:
    members: dict[str, Any] = getattr(thing, "__dict__", {})
    for name, value in sorted(members.items()):
        if inspect.isfunction(value) and hasattr(value, _IMPL) and not name.startswith(PREFIX):
            yield name, value


def _implementation(plugin: str, name: str, value: Any, specs: Mapping[str, tuple[str, ...]]) -> Implementation | None:
    if not (inspect.isfunction(value) or inspect.ismethod(value)):
        return _check_no_function(plugin, name, value, specs)
    options: Mapping[str, Any] = getattr(value, _IMPL, {})
    if hasattr(value, _SPEC) and not options:  # a plugin may itself be the module of its hookspecs
        return None
    arguments = specs.get(name)
    if arguments is None:
        return _check_optional(plugin, name, value, options, specs)
    if options.get("wrapper") or options.get("hookwrapper"):
        what = f"{name} is marked as a wrapper, which Rish does not have"
        raise _mistake(plugin, value, what, "Return a value instead of yielding")
    if inspect.iscoroutinefunction(value) or inspect.isasyncgenfunction(value):
        raise _mistake(plugin, value, f"{name} is 'async', but hooks are never awaited", "Write it as a plain def")
    return Implementation(plugin, name, value, _arguments(plugin, name, value, arguments), options)


def _check_no_function(plugin: str, name: str, value: Any, specs: Mapping[str, tuple[str, ...]]) -> None:
    """Raise PluginError if an object that is not a function has the name of a hook; other names are allowed."""
    if callable(value) and name not in specs:
        _check_optional(plugin, name, value, {}, specs)
    if name in specs and not isinstance(value, ModuleType):
        raise PluginError(
            f"plugin '{plugin}': {name} is a {type(value).__name__}, but hooks are functions",
            hint=f"Write def {name}({', '.join(specs[name])}): return ...",
        )


def _check_optional(
    plugin: str, name: str, value: Any, options: Mapping[str, Any], specs: Mapping[str, tuple[str, ...]]
) -> None:
    if not options.get("optionalhook"):
        hint = "If another plugin adds it, require that in About, or mark the function @hookimpl(optional=True)"
        raise _mistake(plugin, value, f"no hook is called '{name}'{did_you_mean(name, specs)}", hint)


def _mistake(plugin: str, value: Any, what: str, hint: str | None = None) -> PluginError:
    return PluginError(f"plugin '{plugin}': {what}", where=place_of(value), hint=hint)


def _arguments(plugin: str, name: str, value: Any, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the arguments to pass, in the function's order. Raises PluginError for one that the hook does not have."""
    passed: list[str] = []
    may_pass = True  # arguments are passed by position, so none after one that keeps its default
    for parameter in inspect.signature(value).parameters.values():
        required = parameter.default is parameter.empty
        if parameter.kind is parameter.KEYWORD_ONLY and required:
            what = f"{name} takes '{parameter.name}' by keyword only"
            raise _mistake(plugin, value, what, "Leave the * out of its arguments")
        if parameter.kind not in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
            continue
        if parameter.name in names and may_pass:
            passed.append(parameter.name)
        elif required:
            near = did_you_mean(parameter.name, names)
            offered = f"Choices: {', '.join(names)}" if names else "It takes none"
            raise _mistake(plugin, value, f"the hook {name} has no argument '{parameter.name}'{near}. {offered}")
        else:
            may_pass = False
    return tuple(passed)
