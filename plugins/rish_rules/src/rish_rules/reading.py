"""Reads `on:` and `variables:` of a manifest. Mistakes are reported together, each at its line.

A rule is a mapping: guards (`if`, `self`, `other`, `in`), and an action with its parameters, or `do` with a list of
rules. The same code checks a manifest without a World, and makes the rules of a running game.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_core import Input, Layers, Manifest, Registry, World
from rish_core.manifest import Report, Scope, YamlList, YamlMap, place_at, show
from rish_ecs import did_you_mean
from rish_expressions import BUILTINS, FUNCTIONS, WORDS, Bound, Expression, ExpressionError, Template, Vocabulary

from .action import Action
from .builtin import SPECIAL, Perform
from .program import Act, Branch, Jump, Rule, Step, Wait
from .selecting import read_selector, words_of_entries
from .triggers import STREAM, Trigger, read_trigger
from .values import Path, Run, given_values, value_of

GUARDS = ("if", "self", "other", "in", "else")
MAX_DEPTH = 12
"""The most levels of `do` inside `do`."""


@dataclass
class Context:
    """What reading a rule needs. world: None for a check only. names: of the trigger, with their types.

    marks: the tags, groups and names of entries. used: the names that the rule reads, collected while it is read.
    """

    words: Vocabulary
    world: World | None
    report: Report
    scope: Scope
    actions: Mapping[str, Action]
    prefabs: frozenset[str]
    marks: frozenset[str]
    absent: frozenset[str]
    mark: Any
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    used: set[str] = field(default_factory=set[str])

    def bound(self, text: Expression | Template, names: Mapping[str, str] | None = None) -> Bound:
        """Look up the names of an expression or template. Raises ExpressionError."""
        known = self.names if names is None else names
        if self.world is None:
            made = text.check(self.words, known, stream=STREAM, state=True)
        else:
            made = text.bind(self.world, known, stream=STREAM, state=True, words=self.words)
        self.used |= made.used
        return made

    def no_others(self, node: YamlMap, keys: tuple[str, ...], path: Path) -> None:
        """Report the keys of a rule that are neither guards nor among the keys of its action."""
        for key in node:
            if key not in keys and key not in GUARDS:
                self.report.unknown(node, key, path[:-1], f"'{keys[0]}' has no parameter {key!r}", keys[1:])

    def name_of(self, node: YamlMap, key: str, path: Path, known: frozenset[str], what: str) -> Run | None:
        """Return the value of a key that names something known; a literal name is checked."""
        given = node[key]
        if isinstance(given, str) and "{" not in given and not given.startswith("=") and given not in known:
            said = (
                f"no {what} is called {given!r}{did_you_mean(given, known)}. Choices: {', '.join(sorted(known)[:12])}"
            )
            return self.report.add(node.values_at[key], path, said)
        return value_of(None, "text", given, node.values_at[key], path, self)

    def skips(self, name: str) -> bool:
        """Whether a full name belongs to a plugin of `plugins:` that does not run; its rules are skipped."""
        return name.partition(".")[0] in self.absent and "." in name


def context_of(manifest: Manifest, registry: Registry, world: World | None = None) -> Context:
    """Return the context of a manifest's rules. world: None for a check only."""
    layers = [*dict.fromkeys((*(layer.name for layer in manifest.layers), *registry.layers))]
    if world is not None:
        layers = [*world[Layers].order]
    actions = tuple(world[Input].actions) if world is not None else tuple(manifest.input)
    words = Vocabulary(
        registry, variables_of(manifest), layers if manifest.layers or world is not None else None,
        tuple(manifest.scenes), actions,
    )  # fmt: skip
    entries = [*manifest.scenes.values(), *manifest.prefabs.values(), *registry.prefabs.values()]
    absent = frozenset(wish.name for wish in manifest.plugins) - frozenset(registry.plugins)
    return Context(
        words, world, Report(), Scope(layers, manifest.asset_problem), registry.of("rish_actions"),
        frozenset((*manifest.prefabs, *registry.prefabs)), frozenset(words_of_entries(entries)), absent,
        manifest.data.mark,
    )  # fmt: skip


def variables_of(manifest: Manifest) -> dict[str, Any]:
    """Return the valid variables of a manifest."""
    node = manifest.data.get("variables")
    if not isinstance(node, YamlMap):
        return {}
    return {name: value for name, value in node.items() if wrong_variable(name, value) is None}


def wrong_variable(name: str, value: Any) -> str | None:
    """Return what is wrong with a variable, or None."""
    if not name.isidentifier() or not name[:1].islower():
        return f"{name!r} is no name of a variable: begin with a lower-case letter, then letters, digits and _"
    if name in BUILTINS or name in FUNCTIONS or name in WORDS or name in ("self", "other", "settings", "layers"):
        return f"{name!r} has a meaning in expressions: give the variable another name"
    if not isinstance(value, (bool, int, float, str)):
        return f"must be a number, true or false, or a text, not {show(value)}"
    return None


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
        if context.skips(key):
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
        wrong = wrong_variable(name, value)
        if wrong is not None:
            report.add(node.keys_at[name], ("variables", name), wrong)


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
        listed = node["in"] if isinstance(node["in"], YamlList) else [node["in"]]
        for name in listed:
            if name not in (context.words.scenes or ()):
                what = f"no scene is called {show(name)}{did_you_mean(name, context.words.scenes or ())}"
                context.report.add(node.values_at["in"], (*path, "in"), what)
        rule.scenes = frozenset(map(str, listed))
    fields = len(rule.trigger.entities)
    for place, word in enumerate(("self", "other")):
        if word not in node:
            continue
        if rule.trigger.word == "event" and fields <= place:
            what = f"{rule.trigger.key} has {'no entity' if not fields else 'only one entity'}"
            context.report.add(node.keys_at[word], (*path, word), what)
            continue
        if rule.trigger.word != "event" and word == "other":
            what = "`other` is the second entity of an event, and this trigger is no event"
            context.report.add(node.keys_at[word], (*path, word), what)
            continue
        found = read_selector(node[word], node.values_at[word], (*path, word), context)
        context.names = {**context.names, word: "entity"}
        context.used.add(word)
        if word == "self":
            rule.mine = found
        else:
            rule.other = found


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
            self._one(node, mark, path, depth)
        else:
            what = f"must be an action such as {{goto: over}}, or a list of actions, not {show(node)}"
            self.context.report.add(mark, path, what)

    def _one(self, node: YamlMap, mark: Any, path: Path, depth: int) -> None:
        branch = None
        if "if" in node:
            test = value_of(None, "any", node["if"], node.values_at["if"], (*path, "if"), self.context)
            branch = Branch(test or (lambda given: False))
            self.steps.append(branch)
        for word in ("self", "other", "in") if depth else ():
            if word in node:
                what = f"'{word}' belongs to the outermost rule, not to a step"
                self.context.report.add(node.keys_at[word], (*path, word), what)
        self._action(node, mark, path, depth)
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
            self.steps.append(Wait(seconds or (lambda given: 0.0)))
        elif key in SPECIAL:
            self._append(SPECIAL[key](node, key, (*path, key), context))
        elif not context.skips(key):
            self._append(self._declared(node, key, path))

    def _append(self, perform: Perform | None) -> None:
        if perform is not None:
            self.steps.append(Act(perform))

    def _names(self) -> list[str]:
        return ["do", "wait", *SPECIAL, *(name.partition(".")[2] for name in self.context.actions)]

    def _declared(self, node: YamlMap, key: str, path: Path) -> Perform | None:
        """Return what an action of a plugin does."""
        context = self.context
        fitting = [name for name in context.actions if key in (name, name.partition(".")[2])]
        if len(fitting) > 1:
            what = f"several plugins have an action {key!r}: write {' or '.join(fitting)}"
            return context.report.add(node.keys_at[key], (*path, key), what)
        if not fitting:
            names = self._names()
            what = f"no action is called {key!r}{did_you_mean(key, names)}. Actions: {', '.join(names)}"
            said = context.words.registry.not_named("action", key) or what
            return context.report.add(node.keys_at[key], (*path, key), said)
        action = context.actions[fitting[0]]
        spec, given, marks = action.spec, node, dict(node.values_at)
        values = {name: value for name, value in given.items() if name != key and name not in GUARDS}
        if isinstance(node[key], YamlMap):
            values, inner = {**values, **node[key]}, node[key]
            marks |= inner.values_at
        elif action.first:
            values[action.first], marks[action.first] = node[key], node.values_at[key]
        for name in [name for name in values if name not in spec.fields]:
            within = node[key] if isinstance(node[key], YamlMap) and name in node[key] else node
            context.report.unknown(within, name, (*path, key), f"'{key}' has no parameter {name!r}", spec.fields)
            del values[name]
        if fitting[0] == "rules.goto" and isinstance(values.get("scene"), str):
            one = YamlMap(node.mark)
            one.put("scene", values["scene"], marks["scene"], marks["scene"])
            context.name_of(one, "scene", (*path, key), frozenset(context.words.scenes or ()), "scene")
        runs = given_values(spec.fields, values, marks, (*path, key), context)
        return _performed(action, runs, context.world)


def _performed(action: Action, runs: Mapping[str, Run], world: World | None) -> Callable[[Mapping[str, Any]], None]:
    if world is None:
        return lambda given: None
    perform, parameters, fields = action.perform, action.parameters, action.spec.fields

    def run(given: Mapping[str, Any]) -> None:
        values: dict[str, Any] = {}
        for name, value in runs.items():
            found = fields[name].check(value(given))
            values[name] = found.item() if hasattr(found, "item") and not fields[name].type.shape else found
        perform(world, parameters(**values), given)

    return run


__all__ = ["Context", "ExpressionError", "context_of", "read_rules", "variables_of"]
