"""The kinds of new assets that the plugin declares for editors: a rule."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_TRIGGER = "every 1"


def _add_rule(text: Any, name: str) -> None:
    """Add a variable, and a rule that counts in it; other rules of the same trigger stay. text: a `GameText`."""
    text.of(("variables",)).put(("variables", name), 0)
    rule = {"add": {name: 1}}
    path = ("on", _TRIGGER)
    present = text.get(path) if text.has(path) else None
    if present is None:
        text.of(path[:1]).put(path, [rule])
    elif isinstance(present, list):
        text.of(path).insert((*path, len(present)), rule)
    else:
        text.of(path).set(path, [present, rule])


def _check(name: str) -> str | None:
    return None if name.isidentifier() else "A variable is one word of letters, digits and _"


TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "rules.rule": {
        "title": "Rule", "about": "A variable, and a rule that counts seconds in it",
        "icon": "check", "key": "variables.NAME", "value": 0, "edit": _add_rule, "names": "key",
        "name": "seconds", "check": _check,
    },
}  # fmt: skip
"""A rule that counts seconds in a variable of the given name."""
