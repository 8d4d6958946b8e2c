"""The system that runs the rules, once a tick, after the other systems of UPDATE."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from typing import Any

import numpy as np

from rish_assets import LogOnce
from rish_core import Failures, Layers, RishError, Scenes, Stage, World, resource, system
from rish_ecs import Vector, message_of
from rish_ecs.declarations import Column, FieldSpec, members_of
from rish_expressions import ExpressionError

from .program import Rule, execute, packed, step_after, unpacked
from .selecting import Handles
from .state import RulesState, WaitingRules
from .triggers import Trigger, fires

_log = logging.getLogger("rish.rules")
_NOTHING: Mapping[str, Any] = {}


@resource(derived=True)
class Rules:
    """The rules of the manifest, bound to the World; made from the manifest, so they are no state.

    rules: in the order of the text. events: the types of the events that they read, by trigger. log: logs the first
    failure of each rule, by its key.
    """

    rules: list[Rule] = field(default_factory=list[Rule])
    log: LogOnce = field(default_factory=lambda: LogOnce("rish.rules"))

    def __post_init__(self) -> None:
        """Collect the classes of the events that rules read, by trigger."""
        triggers = [rule.trigger for rule in self.rules]
        self.events = {trigger.key: trigger.kind.cls for trigger in triggers if trigger.kind is not None}

    def failed(self, world: World, rule: Rule, error: Exception) -> None:
        """Report the first failure of a rule; the game goes on without this run of the rule."""
        message = error.line if isinstance(error, ExpressionError) else message_of(error)
        line = f"{rule.place}: on {rule.trigger.key}: {message}. This run of the rule was skipped"
        if self.log(line, key=rule.key):
            world[Failures].note(f"the rule at {rule.place}", "was skipped")


def _triggers(world: World) -> Collection[type]:
    """Return the events on which rules run."""
    rules: Rules = world[Rules]
    return rules.events.values()


@system(Stage.UPDATE, writes=World, events=_triggers, after="*.*", name="run")
def run_rules(world: World, dt: float) -> None:
    """Continue the rules that waited, then run the rules whose triggers fire, in the order of the manifest."""
    rules: Rules = world[Rules]
    if not rules.rules:
        return
    # all events are read first, so those that rules emit are for the next tick, whatever the order of the rules is
    read = {key: world.events(cls) for key, cls in rules.events.items()}
    batches = {key: batch for key, batch in read.items() if len(batch)}
    if len(world[WaitingRules]):
        _resume(world, rules)
    scene, state = world[Scenes].current, world[RulesState]
    fired: dict[str, bool] = {}
    for rule in rules.rules:
        trigger = rule.trigger
        if trigger.kind is not None:
            batch = batches.get(trigger.key)
            if batch is not None and (not rule.scenes or scene in rule.scenes):
                for scope in _of_events(world, rule, batch):
                    _run(world, rules, rule, scope, 0)
            continue
        if trigger.key not in fired:
            fired[trigger.key] = _fires(world, rules, rule, state, dt)
        if fired[trigger.key] and (not rule.scenes or scene in rule.scenes):
            for scope in _of_entities(world, rule):
                _run(world, rules, rule, scope, 0)
    state.began = ""


@system(Stage.PRE, writes=WaitingRules, always=True, name="hold")
def hold_waiting(world: World, dt: float) -> None:
    """While the whole game is paused, postpone the waiting rules by a tick."""
    waiting = world[WaitingRules]
    if len(waiting) and world[Layers].all_paused:
        waiting.tick += 1
        waiting.mark()


def _fires(world: World, rules: Rules, rule: Rule, state: RulesState, dt: float) -> bool:
    try:
        return fires(rule.trigger, world, state, dt)
    except RishError as error:
        rules.failed(world, rule, error)
        return False


def _run(world: World, rules: Rules, rule: Rule, scope: Mapping[str, Any], start: int) -> None:
    try:
        waits = execute(rule, scope, start)
    except (RishError, ValueError) as error:
        rules.failed(world, rule, error)
        return
    if waits is not None:
        next_step, seconds = waits
        world[WaitingRules].append(
            1, rule=rule.key, step=next_step, tick=step_after(world, seconds), values=packed(scope)
        )


def _resume(world: World, rules: Rules) -> None:
    """Continue the rules whose waiting has ended, in the order in which they began to wait."""
    waiting = world[WaitingRules]
    due = waiting.column("tick") <= world.tick
    if not due.any():
        return
    rows = np.flatnonzero(due).tolist()
    waiting_rows = [
        (waiting.read_row("rule", row), waiting.read_row("step", row), waiting.read_row("values", row)) for row in rows
    ]
    waiting.keep_rows(~due)
    rules_by_key = {rule.key: rule for rule in rules.rules}
    for key, step, values in waiting_rows:
        if key in rules_by_key:
            _run(world, rules, rules_by_key[key], unpacked(values), step)
        else:
            _log.warning("a rule that waited is not in the manifest any more: on %s", key.partition("#")[0])


def _of_entities(world: World, rule: Rule) -> Iterable[Mapping[str, Any]]:
    """Return the names of a rule for each entity to which it is limited; once none if there is no limit."""
    return (_NOTHING,) if rule.own is None else [{"self": handle} for handle in rule.own.entities(world).tolist()]


def _of_events(world: World, rule: Rule, batch: Any) -> Iterator[Mapping[str, Any]]:
    """Yield the names that a rule reads for each event that fits its limits."""
    trigger = rule.trigger
    own, other, rows = _pairs(world, rule, batch)
    columns = {
        name: _field_values(world, batch, name, spec, rows)
        for name, spec in (trigger.kind.fields.items() if trigger.kind is not None else ())
        if name in rule.used
    }
    if own is not None and "self" in rule.used:
        columns["self"] = own.tolist()
    if other is not None and "other" in rule.used:
        columns["other"] = other.tolist()
    if not columns:
        for _ in range(len(rows)):
            yield _NOTHING
        return
    names = list(columns)
    for values in zip(*columns.values(), strict=True):
        yield dict(zip(names, values, strict=True))


def _pairs(world: World, rule: Rule, batch: Any) -> tuple[Handles | None, Handles | None, Column]:
    """Return self and other of the events that fit the limits, and the numbers of these events.

    The first two entities of each event are a pair, which is also tried in reverse order.
    """
    trigger: Trigger = rule.trigger
    rows: Column = np.arange(len(batch))
    if not trigger.entities:
        return None, None, rows
    first: Handles = getattr(batch, trigger.entities[0])
    second: Handles | None = getattr(batch, trigger.entities[1]) if len(trigger.entities) > 1 else None
    if rule.own is None and rule.other is None:
        return first, second, rows
    own = rule.own.entities(world) if rule.own is not None else None
    others = rule.other.entities(world) if rule.other is not None else None
    in_order = _among(first, own) & _among(second, others)
    if second is None:
        return first[in_order], None, rows[in_order]
    reversed_order = _among(second, own) & _among(first, others) & ~in_order
    fits = in_order | reversed_order
    return np.where(reversed_order, second, first)[fits], np.where(reversed_order, first, second)[fits], rows[fits]


def _among(handles: Handles | None, selected: Handles | None) -> Any:
    """Return bool (n,): which handles are selected. selected: None for all."""
    if handles is None or selected is None:
        return np.True_ if handles is None else np.ones(len(handles), np.bool_)
    return np.isin(handles, selected)


def _field_values(world: World, batch: Any, name: str, spec: FieldSpec, rows: Column) -> list[Any]:
    """Return the values of a field of some events, as expressions use them."""
    column = getattr(batch, name)
    if spec.type.pooled:
        read = _pooled(spec)
        return [read(column[row]) for row in rows.tolist()]
    values: list[Any] = column[rows].tolist()
    if spec.type.enum is not None:
        members = members_of(spec.type.enum)
        return [members[value].name.lower() for value in values]
    if spec.type.text:
        return [world.text(value) for value in values]
    if spec.type.shape:
        values = [Vector(value) for value in values]
        return [value * DEGREES for value in values] if spec.angle else values
    return [value * DEGREES for value in values] if spec.angle else values


DEGREES = 57.29577951308232
"""Degrees per radian."""


def _pooled(spec: FieldSpec) -> Callable[[Any], Any]:
    return (lambda value: value) if spec.type.special == "chars" else (lambda value: Vector(value))
