"""Reads `on:` and `variables:` of a manifest. Mistakes are reported together, each at its line.

A rule is a mapping: guards (`if`, `self`, `other`, `in`), and an action with its parameters, or `do` with a list of
rules. The same code checks a manifest without a World, and makes the rules of a running game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from rish_core import Manifest, UsageError, World
from rish_core.manifest import Report, YamlList, YamlMap, place_at, show
from rish_ecs import RishError, did_you_mean
from rish_expressions import Action

from .builtin import SPECIAL, Perform, read_settings
from .context import GUARDS, Context, wrong_variable
from .program import Act, Branch, Jump, Rule, Step, Wait
from .selecting import read_selector
from .triggers import Trigger, read_trigger
from .values import Path, Run, given_values, name_of, value_of

MAX_DEPTH = 12
"""The maximum number of nested levels of `do`."""


def read_rules(manifest: Manifest, context: Context) -> list[Rule]:
    """Return the rules of a manifest; mistakes are in the report of the context."""
    report = context.report
    _check_variables(manifest, report)
    for key in ("on", "variables"):
        if isinstance(own := manifest.settings.get("rules"), YamlMap) and key in own:
            report.add(own.keys_at[key], ("settings", "rules", key), f"write `{key}:` at the top level of the manifest")
    node = manifest.data.get("on")
    if node is None:
        return []
    if not isinstance(node, YamlMap):
        what = f"must be a mapping of triggers such as {{pressed jump: ...}}, not {show(node)}"
        report.add(manifest.data.values_at["on"], ("on",), what)
        return []
    rules: list[Rule] = []
    for key in node:
        if context.optional.skip(key):
            continue
        context.names = {}
        trigger = read_trigger(key, node.keys_at[key], context)
        if trigger is None:
            continue
        value = node[key]
        items = value if isinstance(value, YamlList) else [value]
        marks = value.items_at if isinstance(value, YamlList) else [node.values_at[key]]
        for index, (item, mark) in enumerate(zip(items, marks, strict=True)):
            path = ("on", key, index) if isinstance(value, YamlList) else ("on", key)
            rule = _rule(trigger, item, mark, path, context)
            if rule is not None:
                rules.append(rule)
    return rules


def _check_variables(manifest: Manifest, report: Report) -> None:
    node = manifest.data.get("variables")
    if node is not None and not isinstance(node, YamlMap):
        what = f"must be a mapping of names and values such as {{score: 0}}, not {show(node)}"
        report.add(manifest.data.values_at["variables"], ("variables",), what)
    for name, value in node.items() if isinstance(node, YamlMap) else ():
        assert isinstance(node, YamlMap)
        mistake = wrong_variable(name, value)
        if mistake is not None:
            report.add(node.keys_at[name], ("variables", name), mistake)


def _rule(trigger: Trigger, node: Any, mark: Any, path: Path, context: Context) -> Rule | None:
    digest = hashlib.blake2b(repr(node).encode(), digest_size=6).hexdigest()
    rule = Rule(f"{'.'.join(map(str, path[1:]))}#{digest}", place_at(mark), trigger)
    context.names, context.used, context.mark = dict(trigger.names), set(), mark
    if isinstance(node, YamlMap):
        _limits(rule, node, path, context)
    Steps(rule.steps, context).read(node, mark, path)
    rule.used = frozenset(context.used)
    return rule


def _limits(rule: Rule, node: YamlMap, path: Path, context: Context) -> None:
    """Read the guards that limit a rule to scenes and entities."""
    if "in" in node:
        scenes = node["in"] if isinstance(node["in"], YamlList) else [node["in"]]
        for name in scenes:
            if name not in (context.words.scenes or ()):
                what = f"no scene is called {show(name)}{did_you_mean(name, context.words.scenes or ())}"
                context.report.add(node.values_at["in"], (*path, "in"), what)
        rule.scenes = frozenset(map(str, scenes))
    fields = len(rule.trigger.entities)
    for index, word in enumerate(("self", "other")):
        if word not in node:
            continue
        if rule.trigger.word == "event" and fields <= index:
            what = f"{rule.trigger.key} has {'no entity' if not fields else 'only one entity'}"
            context.report.add(node.keys_at[word], (*path, word), what)
            continue
        if rule.trigger.word != "event" and word == "other":
            what = "`other` is the second entity of an event, and this trigger is no event"
            context.report.add(node.keys_at[word], (*path, word), what)
            continue
        selector = read_selector(node[word], node.values_at[word], (*path, word), context)
        context.names = {**context.names, word: "entity"}
        context.used.add(word)
        if word == "self":
            rule.own = selector
        else:
            rule.other = selector


@dataclass
class Steps:
    """Appends the steps of rules to a list."""

    steps: list[Step]
    context: Context

    def read(self, node: Any, mark: Any, path: Path, depth: int = 0) -> None:
        """Read a rule, or a list of rules."""
        if depth > MAX_DEPTH:
            self.context.report.add(mark, path, f"rules have at most {MAX_DEPTH} levels")
        elif isinstance(node, YamlList):
            for index, item in enumerate(node):
                self.read(item, node.items_at[index], (*path, index), depth + 1)
        elif isinstance(node, YamlMap) and node:
            self._read_rule(node, mark, path, depth)
        else:
            what = f"must be an action such as {{goto: over}}, or a list of actions, not {show(node)}"
            self.context.report.add(mark, path, what)

    def _read_rule(self, node: YamlMap, mark: Any, path: Path, depth: int) -> None:
        start, branch = len(self.steps), None
        for word in ("if", "while"):
            if word in node and branch is None:
                test = value_of(None, "any", node[word], node.values_at[word], (*path, word), self.context)
                branch = Branch(test or (lambda scope: False))
                self.steps.append(branch)
        for word in ("self", "other", "in") if depth else ():
            if word in node:
                what = f"'{word}' belongs to the outermost rule, not to a step"
                self.context.report.add(node.keys_at[word], (*path, word), what)
        self._action(node, mark, path, depth)
        if "while" in node:
            self._loop(start, node, path)
        if branch is None:
            if "else" in node:
                self.context.report.add(node.keys_at["else"], (*path, "else"), "`else` needs an `if`")
            return
        if "else" in node:
            jump = Jump()
            self.steps.append(jump)
            branch.target = len(self.steps)
            self.read(node["else"], node.values_at["else"], (*path, "else"), depth + 1)
            jump.target = len(self.steps)
        else:
            branch.target = len(self.steps)

    def _loop(self, start: int, node: YamlMap, path: Path) -> None:
        """Jump back to the condition of a `while`, whose steps must wait, because other systems run in between."""
        what = "`while` can't have an `if` beside it: write the `if` in `do`" if "if" in node else None
        if not any(type(step) is Wait for step in self.steps[start:]):
            what = "the steps of a `while` need a `wait`, such as {wait: 1}"
        if what is not None:
            self.context.report.add(node.keys_at["while"], (*path, "while"), what)
        self.steps.append(Jump(start))

    def _action(self, node: YamlMap, mark: Any, path: Path, depth: int) -> None:
        context = self.context
        key = next((key for key in node if key not in GUARDS), None)
        if key is None:
            context.report.add(mark, path, f"a rule needs an action. Actions: {', '.join(self._names())}")
        elif key == "do":
            context.no_others(node, ("do",), (*path, "do"))
            self.read(node[key], node.values_at[key], (*path, key), depth + 1)
        elif key == "wait":
            context.no_others(node, ("wait",), (*path, key))
            seconds = value_of(None, "number", node[key], node.values_at[key], (*path, key), context)
            self.steps.append(Wait(seconds or (lambda scope: 0.0)))
        elif key in SPECIAL:
            self._append(SPECIAL[key](node, key, (*path, key), context))
        elif not context.optional.skip(key):
            self._append(self._declared(node, key, path))

    def _append(self, perform: Perform | None) -> None:
        """Append a step that performs an action, unless the action has a mistake."""
        if perform is not None:
            self.steps.append(Act(perform))

    def _names(self) -> list[str]:
        """Return the names of all actions, for messages."""
        return ["do", "wait", *SPECIAL, *(name.partition(".")[2] for name in self.context.actions)]

    def _declared(self, node: YamlMap, key: str, path: Path) -> Perform | None:
        """Return the function that performs an action of a plugin."""
        context = self.context
        try:
            full = context.full_name(key, context.actions)
        except UsageError as error:
            return context.report.add(node.keys_at[key], (*path, key), str(error))
        matches = [name for name in context.actions if full in (name, name.partition(".")[2])]
        if len(matches) > 1:
            what = f"several plugins have an action {key!r}: write {' or '.join(matches)}"
            return context.report.add(node.keys_at[key], (*path, key), what)
        if not matches:
            names = self._names()
            what = f"no action is called {key!r}{did_you_mean(key, names)}. Actions: {', '.join(names)}"
            what += context.optional.hint(key)
            message = context.words.registry.not_named("action", key) or what
            return context.report.add(node.keys_at[key], (*path, key), message)
        return self._of_action(context.actions[matches[0]], node, key, (*path, key), matches[0] == "rules.goto")

    def _of_action(self, action: Action, node: YamlMap, key: str, path: Path, to_scene: bool) -> Perform:
        context, spec = self.context, action.spec
        values, marks = _parameters(action, node, key, path, context)
        if to_scene and isinstance(values.get("scene"), str):
            scene_node = YamlMap(node.mark)
            scene_node.put("scene", values["scene"], marks["scene"], marks["scene"])
            name_of(scene_node, "scene", path, frozenset(context.words.scenes or ()), "scene", context)
        for name, check in action.checks.items():
            _checked(values.get(name), check, marks.get(name, context.mark), (*path, name), context)
        settings = values.pop(action.settings, None)
        runs = given_values(spec.fields, values, marks, path, context)
        if action.settings:
            mark = marks.get(action.settings, context.mark)
            runs[action.settings] = read_settings(settings, mark, key, path, context)
        return _performed(action, runs, context.world)


def _parameters(
    action: Action, node: YamlMap, key: str, path: Path, context: Context
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the parameters that a rule gives to an action, and their marks. Unknown parameters are reported."""
    marks = dict(node.values_at)
    values = {name: value for name, value in node.items() if name != key and name not in GUARDS}
    inner = node[key]
    if isinstance(inner, YamlMap) and action.first != action.settings:
        values, marks = {**values, **inner}, {**marks, **inner.values_at}
    elif action.first:
        values[action.first], marks[action.first] = inner, node.values_at[key]
    parameters = [*action.spec.fields, *([action.settings] if action.settings else [])]
    for name in [name for name in values if name not in parameters]:
        owner = inner if isinstance(inner, YamlMap) and name in inner else node
        context.report.unknown(owner, name, path, f"'{key}' has no parameter {name!r}", parameters)
        del values[name]
    return values, marks


def _checked(value: Any, check: Callable[[str], object], mark: Any, path: Path, context: Context) -> None:
    """Report a text without expressions that an action's check refuses."""
    if isinstance(value, str) and "{" not in value and not value.startswith("="):
        try:
            check(value)
        except RishError as error:
            context.report.add(mark, path, str(error))


def _performed(action: Action, runs: Mapping[str, Run], world: World | None) -> Callable[[Mapping[str, Any]], None]:
    if world is None:
        return lambda scope: None
    perform, parameters, fields = action.perform, action.parameters, action.spec.fields

    def run(scope: Mapping[str, Any]) -> None:
        values: dict[str, Any] = {}
        for name, value in runs.items():
            if name not in fields:
                values[name] = value(scope)
                continue
            checked = fields[name].check(value(scope))
            values[name] = checked.item() if hasattr(checked, "item") and not fields[name].type.shape else checked
        perform(world, parameters(**values), scope)

    return run
