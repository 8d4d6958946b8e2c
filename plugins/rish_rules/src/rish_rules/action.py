"""Actions: what rules do. Plugins declare them with the hook `rish_actions`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rish_core import DeclarationError, Reader, World, declared_instances
from rish_ecs.declarations import ResourceSpec, resource_spec

Scope = Mapping[str, Any]
"""The names of a rule and their values: `self`, `other`, and the fields of the event that the rule reads."""


@dataclass(frozen=True)
class Action:
    """One action of rules.

    name: as rules write it. parameters: a class marked @resource; each of its fields is a parameter with its default.
    perform: called with the World, an instance of that class and the names of the rule, in a tick, for each event to
    which the rule applies. main: the parameter whose value is written beside the name, `play: hit.wav`; the first one
    if it is not given.
    """

    name: str
    parameters: type
    perform: Callable[[World, Any, Scope], None]
    main: str = ""

    @property
    def spec(self) -> ResourceSpec:
        """The declaration of the parameters. Raises DeclarationError."""
        found = resource_spec(self.parameters)
        if found is None:
            name = getattr(self.parameters, "__name__", repr(self.parameters))
            raise DeclarationError(f"the parameters of the action '{self.name}' are {name}, no class marked @resource")
        others = set(found.hints) - set(found.fields)
        if others:
            raise DeclarationError(f"{found.name}.{min(others)} can't be a parameter: it has no column type")
        return found

    @property
    def first(self) -> str:
        """The name of the main parameter; empty if the action has no parameters."""
        return self.main or next(iter(self.spec.fields), "")


def read_actions(plugin: str, value: Any) -> list[tuple[str, Action]]:
    """Check the result of `rish_actions`; the names are full, `audio.play`."""
    found = declared_instances("rish_actions", value, (Action,), "Action")
    for name, action in found:
        if not name.isidentifier():
            raise DeclarationError(f"rish_actions returned the name {name!r}, expected a word")
        fields = action.spec.fields
        if action.main and action.main not in fields:
            what = f"the action '{name}' has no parameter {action.main!r}"
            raise DeclarationError(what, given=action.main, choices=fields)
    return [(f"{plugin}.{name}", action) for name, action in found]


READERS = {"rish_actions": Reader("action", read_actions)}
