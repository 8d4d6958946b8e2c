"""The context in which a rule is read: the names that exist, the World, and the report of mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from rish_core import Layers, Manifest, Registry, UsageError, World
from rish_core.manifest import OptionalNames, Report, Scope, YamlList, YamlMap, show
from rish_expressions import BUILTINS, FUNCTIONS, WORDS, Action, Bound, Expression, Template, Vocabulary, actions_of

STREAM = "rules"
"""The random stream of rules."""
_COMPONENT = re.compile(r"(\w+\.[A-Z]\w*)\.")
GUARDS = ("if", "while", "self", "other", "in", "else")
"""The keys of a rule that are no action and no parameter."""


@dataclass
class Context:
    """The context in which a rule is read.

    world: None for a check only. names: the names of the trigger and their types.

    marks: the tags, groups and names of entries. optional: the names of optional plugins. used: the names that the rule
    reads, collected while it is read.
    """

    words: Vocabulary
    world: World | None
    report: Report
    scope: Scope
    actions: Mapping[str, Action]
    prefabs: frozenset[str]
    marks: frozenset[str]
    optional: OptionalNames
    mark: Any
    names: Mapping[str, str] = field(default_factory=dict[str, str])
    used: set[str] = field(default_factory=set[str])

    def bound(self, text: Expression | Template, names: Mapping[str, str] | None = None) -> Bound:
        """Look up the names of an expression or template. Raises ExpressionError."""
        known_names = self.names if names is None else names
        if self.world is None:
            bound = text.check(self.words, known_names, stream=STREAM, state=True)
        else:
            bound = text.bind(self.world, known_names, stream=STREAM, state=True, words=self.words)
        self.used |= bound.used
        return bound

    def no_others(self, node: YamlMap, keys: tuple[str, ...], path: tuple[str | int, ...]) -> None:
        """Report the keys of a rule that are neither guards nor among the keys of its action."""
        for key in node:
            if key not in keys and key not in GUARDS:
                self.report.unknown(node, key, path[:-1], f"'{keys[0]}' has no parameter {key!r}", keys[1:])

    def skips(self, path: str) -> bool:
        """Whether a path names a component of an optional plugin that does not run; its use is counted."""
        match = _COMPONENT.search(path)
        return match is not None and self.optional.skip(match[1])

    def full_name(self, key: str, known: Iterable[str]) -> str:
        """Return the full name of an event or action. Raises UsageError for a short name of an optional plugin."""
        full = self.optional.full(key, known)
        owners = [name.partition(".")[0] for name in known if name.partition(".")[2] == full]
        mistake = self.optional.mistake(owners[0], key) if len(owners) == 1 else None
        if mistake is not None:
            raise UsageError(mistake)
        return full


def context_of(manifest: Manifest, registry: Registry, world: World | None = None) -> Context:
    """Return the context of a manifest's rules. world: None for a check only."""
    layers = [*dict.fromkeys((*(layer.name for layer in manifest.layers), *registry.layers))]
    if world is not None:
        layers = [*world[Layers].order]
    action_names = tuple(dict.fromkeys(name for bindings in (manifest.input, *manifest.players) for name in bindings))
    actions, players = actions_of(world) if world is not None else (action_names, max(len(manifest.players), 1))
    words = Vocabulary(
        registry, variables_of(manifest), layers if manifest.layers or world is not None else None,
        tuple(manifest.scenes), actions, players,
    )  # fmt: skip
    entries = [*manifest.scenes.values(), *manifest.prefabs.values(), *registry.prefabs.values()]
    return Context(
        words, world, Report(), Scope(layers, manifest.asset_problem), registry.of("rish_actions"),
        frozenset((*manifest.prefabs, *registry.prefabs)), frozenset(words_of_entries(entries)),
        OptionalNames(manifest, registry), manifest.data.mark,
    )  # fmt: skip


def variables_of(manifest: Manifest) -> dict[str, Any]:
    """Return the valid variables of a manifest."""
    node = manifest.data.get("variables")
    if not isinstance(node, YamlMap):
        return {}
    return {name: value for name, value in node.items() if wrong_variable(name, value) is None}


def wrong_variable(name: str, value: Any) -> str | None:
    """Return the mistake of a variable, or None."""
    if not name.isidentifier() or not name[:1].islower():
        return f"{name!r} is no name of a variable: begin with a lower-case letter, then letters, digits and _"
    if name in BUILTINS or name in FUNCTIONS or name in WORDS or name in ("self", "other", "settings", "layers"):
        return f"{name!r} has a meaning in expressions: give the variable another name"
    if not isinstance(value, (bool, int, float, str)):
        return f"must be a number, true or false, or a text, not {show(value)}"
    return None


def words_of_entries(node: Any) -> set[str]:
    """Return the tags, groups and names that entries of scenes and prefabs give to entities."""
    words: set[str] = set()
    waiting = [node]
    while waiting:
        node_ = waiting.pop()
        if isinstance(node_, YamlMap | dict):
            for key, value in node_.items():
                if key in ("tags", "group", "name"):
                    words.update(
                        item for item in (value if isinstance(value, list) else [value]) if isinstance(item, str)
                    )
                elif isinstance(value, (YamlMap, YamlList, dict, list)):
                    waiting.append(value)
        elif isinstance(node_, list):
            waiting += node_
    return words
