"""Combines a theme with those that it extends, and replaces tokens by their values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rish_core.manifest import Report
from rish_ecs import Problem

from .fields import FIELDS
from .reading import ThemeText
from .theme import Theme
from .values import SECTIONS, Given, Tokens, Wrong

Find = Callable[[str], ThemeText | str]
"""A function that returns the text of a theme by its name or path, or a sentence why there is none."""


def compile_theme(name: str, find: Find) -> tuple[Theme | None, list[Problem]]:
    """Return a theme and all mistakes in it and in what it extends; None if there are mistakes.

    find: see `Find`. If the theme itself does not exist, the mistake has no place.
    """
    report = Report(())
    texts = _chain(name, find, report)
    for text in texts:
        for problem in text.problems:
            report.note(problem)
    layers = _resolved(texts, report)
    return (None if report or not texts else Theme(name, layers)), report.problems


def _chain(name: str, find: Find, report: Report) -> list[ThemeText]:
    """Return the texts of a theme and of those that it extends, the last one first."""
    texts: list[ThemeText] = []
    names: list[str] = []
    while name:
        text = find(name)
        if isinstance(text, str):
            if texts:
                report.add(texts[0].extends_at, ("extends",), text)
            else:
                report.note(_nowhere(text))
            break
        names.append(name)
        texts.insert(0, text)
        name = text.extends
        if name in names:
            ring = " -> ".join([*names[names.index(name) :], name])
            report.add(text.extends_at, ("extends",), f"leads back to the theme itself: {ring}")
            break
    return texts


def _nowhere(sentence: str) -> Problem:
    from rish_ecs import Place

    return Problem(Place("theme"), "", sentence)


def _resolved(texts: Sequence[ThemeText], report: Report) -> dict[str, dict[tuple[str, int], dict[str, Any]]]:
    """Join the texts, later ones win, and read the values."""
    tokens = Tokens({section: _joined_tokens(texts, section) for section in SECTIONS}, report)
    tokens.check()
    joined: dict[str, dict[tuple[str, int], dict[str, Given]]] = {}
    for text in texts:
        for entry, layers in text.styles.items():
            for key, rules in layers.items():
                into = joined.setdefault(entry, {}).setdefault(key, {})
                if "fill" in rules:
                    into.pop("fill_end", None)
                into |= rules
    return {
        entry: {key: _values(rules, tokens, report) for key, rules in layers.items()}
        for entry, layers in joined.items()
    }


def _joined_tokens(texts: Sequence[ThemeText], section: str) -> dict[str, Given]:
    tokens: dict[str, Given] = {}
    for text in texts:
        tokens |= text.tokens[section]
    return tokens


def _values(rules: dict[str, Given], tokens: Tokens, report: Report) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for key, value in rules.items():
        try:
            values[key] = FIELDS[key](tokens, value.value)
        except Wrong as error:
            report.add(value.mark, value.path, str(error))
    return values
