"""The actions that rules perform. Plugins declare them with the hook `rish_actions`, which the plugin `rules` adds::

@hookimpl(optional=True)
def rish_actions():
    return [Action("blow", Blow, blow)]
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_core import DeclarationError, World, declared_instances
from rish_ecs.declarations import ResourceSpec, resource_spec

from .paths import Target

Scope = Mapping[str, Any]
"""The names of a rule and their values: `self`, `other`, and the fields of the event that the rule reads."""


@dataclass(frozen=True)
class Setting:
    """A field of an entity, and the value that a rule sets.

    entity: the handle of the entity, or of the child if the path names one. target: the field. value: in the units of
    columns.
    """

    entity: int
    target: Target
    value: Any


@dataclass(frozen=True)
class Action:
    """One action of rules.

    name: the name in rules. parameters: a class marked @resource; each of its fields is a parameter with its default.
    perform: called in a tick, for each event to which the rule applies, with the World, an instance of that class and
    the names of the rule. main: the parameter whose value is written beside the name, `play: hit.wav`; "" for the
    first. settings: the parameter that is written as a mapping of fields to values, as for `set`; its value is a list
    of `Setting`. checks: functions by parameter that raise RishError for a wrong text; called before the game runs if
    the text has no expressions.
    """

    name: str
    parameters: type
    perform: Callable[[World, Any, Scope], None]
    main: str = ""
    settings: str = ""
    checks: Mapping[str, Callable[[str], object]] = field(default_factory=dict[str, Callable[[str], object]])

    @property
    def spec(self) -> ResourceSpec:
        """The declaration of the parameters. Raises DeclarationError."""
        spec = resource_spec(self.parameters)
        if spec is None:
            name = getattr(self.parameters, "__name__", repr(self.parameters))
            raise DeclarationError(f"the parameters of the action '{self.name}' are {name}, no class marked @resource")
        unsupported = set(spec.hints) - set(spec.fields) - {self.settings}
        if unsupported:
            raise DeclarationError(f"{spec.name}.{min(unsupported)} can't be a parameter: it has no column type")
        return spec

    @property
    def first(self) -> str:
        """The name of the main parameter; empty if the action has no parameters."""
        return self.main or self.settings or next(iter(self.spec.fields), "")


def read_actions(plugin: str, value: Any) -> list[tuple[str, Action]]:
    """Check the result of `rish_actions`; return the actions by full name, `audio.play`. Raises DeclarationError."""
    actions = declared_instances("rish_actions", value, (Action,), "Action")
    for name, action in actions:
        if not name.isidentifier():
            raise DeclarationError(f"rish_actions returned the name {name!r}, expected a word")
        spec = action.spec
        for parameter, names in ((action.main, [*spec.fields, action.settings]), (action.settings, spec.hints)):
            if parameter and parameter not in names:
                raise DeclarationError(
                    f"the action '{name}' has no parameter {parameter!r}", given=parameter, choices=names
                )
    return [(f"{plugin}.{name}", action) for name, action in actions]
