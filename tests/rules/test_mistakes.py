"""Mistakes in rules are reported together, each with its place, and no manifest makes the check fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_core import App, ManifestError, parse_manifest

Play = Callable[..., App]
MISTAKES = [
    ("  Pnig: {goto: over}", "did you mean 'Ping'"),
    ("  scene mian: {goto: over}", "did you mean 'main'"),
    ("  pressed jmp: {goto: over}", "did you mean 'jump'"),
    ("  pressed jump 3: {goto: over}", "there is no player 3: `input:` has the players 1 to 2"),
    ("  tick: {set: {fast: 'down(kick, 0)'}}", "there is no player 0"),
    ("  when scor > 1: {goto: over}", "did you mean 'score'"),
    ("  every 'a': {goto: over}", "number of seconds"),
    ("  tick: {set: {scor: 1}}", "did you mean 'score'"),
    ("  tick: {set: {hero.Transfrm.position: 1}}", "did you mean 'Transform'"),
    ("  tick: {set: {Transform.rotation: 1}}", "which entity"),
    ("  tick: {set: {score: \"'a'\"}}", "a number is needed"),
    ("  tick: {set: {score: 1.5}}", "is a whole number"),
    ("  tick: {set: {hero.Transform.position: [1, 2, 3]}}", "must be 2 numbers"),
    ("  tick: {set: {label: 'a {score'}}", "not closed"),
    ("  tick: {add: {label: 1}}", "nothing can be added"),
    ("  tick: {goto: oevr}", "did you mean 'over'"),
    ("  tick: {gotoo: over}", "did you mean 'goto'"),
    ("  tick: {spawn: cion}", "did you mean 'coin'"),
    ("  tick: {spawn: coin, att: [1, 2]}", "did you mean 'at'"),
    ("  tick: {spawn: coin, with: {Transform.positon: [1, 2]}}", "did you mean 'position'"),
    ("  tick: {emit: Ping, strenth: 1}", "did you mean 'strength'"),
    ("  tick: {self: cion, despawn: self}", "did you mean 'coin'"),
    ("  tick: {other: coin, despawn: other}", "no event"),
    ("  Ping: {self: coin, despawn: othr}", "did you mean 'other'"),
    ("  tick: {else: {goto: over}, goto: over}", "needs an `if`"),
    ("  tick: {if: '1 +', goto: over}", "not an expression"),
    ("  tick: {in: mian, goto: over}", "did you mean 'main'"),
    ("  tick: {do: [{self: coin, goto: over}]}", "belongs to the outermost rule"),
    ("  tick: {wait: soon}", "nothing is called 'soon'"),
    ("  tick: {}", "must be an action"),
    ("  tick: 3", "must be an action"),
    ("  tick: {set: 3}", "mapping of fields"),
    ("  tick: {while: score < 3, add: {score: 1}}", "need a `wait`"),
    ("  tick: {if: fast, while: score < 3, wait: 1}", "can't have an `if` beside it"),
]


@pytest.mark.parametrize(("rule", "said"), MISTAKES)
def test_a_mistake_is_found_at_its_line(play: Play, rule: str, said: str) -> None:
    """Each mistake is reported before the game runs, with the line and what is wrong."""
    with pytest.raises(ManifestError, match=said) as caught:
        play(rule)
    assert all(problem.place.line == 15 for problem in caught.value.problems)


def test_all_mistakes_are_reported_together(play: Play) -> None:
    """Mistakes of different triggers, and of the variables, are in one report, sorted by line."""
    rules = [rule for rule, _ in MISTAKES if rule.startswith("  tick")]
    with pytest.raises(ManifestError) as caught:
        play("  tick:\n" + "\n".join(f"    - {rule.partition(': ')[2]}" for rule in rules))
    lines = {problem.place.line for problem in caught.value.problems}
    assert lines == {16 + k for k in range(len(rules))}


@pytest.mark.parametrize(
    ("variables", "said"),
    [("{time: 1}", "has a meaning"), ("{Bad: 1}", "lower-case"), ("{a: [1]}", "must be a number"), ("3", "a mapping")],
)
def test_wrong_variables_are_mistakes(variables: str, said: str) -> None:
    """Names that mean something else, wrong names and values of other types are reported."""
    with pytest.raises(ManifestError, match=said):
        App(parse_manifest(f"rish: 1\nplugins: [rules]\nvariables: {variables}"), headless=True)


KEYS = st.sampled_from(
    ["tick", "Ping", "scene main", "every 1", "when score > 1", "if", "self", "do", "else", "set", "add", "spawn", "in",
     "goto", "wait", "emit", "despawn", "quit", "score", "hero.Transform.position", "at", "with", "count", "other", "x"]
)  # fmt: skip
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-3, 3), st.floats(-2, 2), st.text(max_size=5),
    st.sampled_from(["score + 1", "coin", "self", "main", "{score}", "=score", "hero", "Ping", "1 +", "strength"]),
)  # fmt: skip
NODES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=12,
)


@pytest.mark.slow
@settings(max_examples=long(120, 24), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rules=st.dictionaries(KEYS, NODES, max_size=3))
def test_any_rules_are_refused_or_run(play: Play, rules: dict[str, Any]) -> None:
    """Random rules are either a ManifestError or run for some ticks without an error."""
    text = yaml.safe_dump(rules, allow_unicode=True) if rules else "  {}"
    indented = "\n".join(f"  {line}" for line in text.splitlines())
    try:
        app = play(indented)
    except ManifestError:
        return
    app.run(3)
    assert app.world.tick >= 1
