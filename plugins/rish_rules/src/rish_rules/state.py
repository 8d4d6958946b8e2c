"""The state of rules, which is stored in the World from one tick to the next."""

from __future__ import annotations

from dataclasses import field as dataclass_field
from typing import Any

from rish_core import Chars, Str, field, resource, table


@resource(derived=True)
class RulesSettings:
    """The rules and variables of the manifest as written; they are read once, so they are no state.

    on: a rule or a list of rules by trigger. variables: the variables with their first values.
    """

    on: Any = None
    variables: Any = None


@resource
class RulesState:
    """The state of triggers.

    began: the scene that began before this tick, or "". elapsed: seconds since a timer (`every`) last fired, by
    trigger. true: the conditions (`when`) that were true in the last tick, sorted.
    """

    began: str = ""
    elapsed: dict[str, float] = dataclass_field(default_factory=dict[str, float])
    true: list[str] = dataclass_field(default_factory=list[str])


@table
class WaitingRules:
    """The rules that wait: one row for each `wait` that has not ended."""

    rule: Str = field("", doc="the rule's place in `on:`, and a digest of its text")
    step: int = field(0, doc="the step that follows")
    tick: int = field(0, doc="the tick in which it continues")
    values: Chars = field("", doc="the values of its names, as JSON")
