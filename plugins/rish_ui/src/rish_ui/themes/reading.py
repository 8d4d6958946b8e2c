"""Reads `.theme.yaml` files, with all mistakes and their places.

A file has tokens and styles, and extends another theme::

    extends: dark
    colors: {accent: '#ffb454', danger: crimson}
    sizes: {corner: 4}
    styles:
      Button:
        corner: 12
        hovered: {veil: white 10%}
        variants:
          danger: {fill: danger, hovered: {edge: white}}
      Slider.knob: {fill: accent}

Names of tokens are looked up when the theme is combined with those that it extends, see `compiling`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rish_core.manifest import Mark, Report, Spot, YamlMap, read_yaml, show
from rish_ecs import Problem

from .fields import FIELDS
from .kinds import ENTRIES, STATES, states_of
from .values import SECTIONS, Given

SUFFIX = ".theme.yaml"
DEFAULT = "dark"
"""The theme that a file extends if it names none."""
_KEYS = ("extends", *SECTIONS, "styles")
Path_ = tuple[str, ...]
Rules = dict[str, Given]
Layers = dict[tuple[str, int], Rules]
"""The fields by variant ("" for none) and states."""


@dataclass
class ThemeText:
    """A theme file as it was read. extends: a theme's name or path, "" for none. styles: layers by kind or part."""

    file: str
    extends: str = DEFAULT
    extends_at: Mark = field(default_factory=lambda: Spot(""))
    tokens: dict[str, Rules] = field(default_factory=lambda: {section: Rules() for section in SECTIONS})
    styles: dict[str, Layers] = field(default_factory=dict[str, Layers])
    problems: list[Problem] = field(default_factory=list[Problem])


def load_theme_text(path: Path) -> ThemeText:
    """Read a theme file; its mistakes are in `problems`."""
    return read_theme_text(path)


LOADERS = {SUFFIX: load_theme_text, ".theme.yml": load_theme_text}
"""The loaders that `rish_loaders` returns."""


def read_theme_text(source: Path | str, file: str | None = None) -> ThemeText:
    """Read a theme from a file (a Path) or a text; its mistakes are in `problems`."""
    document = read_yaml(source, file)
    text, report = ThemeText(document.file), Report(document.problems)
    text.extends_at = Spot(document.file, 0, 0)
    node = document.data
    if isinstance(node, YamlMap):
        _read(node, text, report)
    elif not report:
        report.add(text.extends_at, (), f"a theme is a mapping with the keys {', '.join(_KEYS)}, not {show(node)}")
    text.problems = report.problems
    return text


def _read(node: YamlMap, text: ThemeText, report: Report) -> None:
    for key in node:
        if key not in _KEYS:
            report.unknown(node, key, (), f"a theme has no key {key!r}", _KEYS)
    if "extends" in node:
        text.extends_at = node.values_at["extends"]
        if isinstance(node["extends"], str):
            text.extends = node["extends"]
        else:
            message = f"must be dark, light, contrast or the path of a theme file, not {show(node['extends'])}"
            report.add(text.extends_at, ("extends",), message)
    for section in SECTIONS:
        tokens = _mapping(node, section, (), report)
        for name, value in tokens.items():
            text.tokens[section][name] = Given(value, tokens.values_at[name], (section, name))
    styles = _mapping(node, "styles", (), report)
    for entry in styles:
        if entry not in ENTRIES:
            report.unknown(styles, entry, ("styles",), f"there is no kind or part {entry!r}", ENTRIES)
        else:
            layers = text.styles.setdefault(entry, {})
            _layers(_mapping(styles, entry, ("styles",), report), ("styles", entry), "", layers, report)


def _layers(node: YamlMap, path: Path_, variant: str, layers: Layers, report: Report) -> None:
    """Read the fields, the states and, outside a variant, the variants of a kind or part."""
    names = (*FIELDS, *STATES, *(() if variant else ("variants",)))
    for key, value in node.items():
        states = states_of(key)
        if key in FIELDS:
            layers.setdefault((variant, 0), {})[key] = Given(value, node.values_at[key], (*path, key))
        elif states is not None:
            rules = layers.setdefault((variant, states), {})
            _rules(_mapping(node, key, path, report), (*path, key), rules, report)
        elif key == "variants" and not variant:
            variants = _mapping(node, key, path, report)
            for name in variants:
                layers.setdefault((name, 0), {})
                _layers(_mapping(variants, name, (*path, key), report), (*path, key, name), name, layers, report)
        else:
            message = f"there is no field or state {key!r}"
            hint = ". A variant belongs below `variants:`" if isinstance(value, YamlMap) and not variant else ""
            report.unknown(node, key, path, message, names, hint)


def _rules(node: YamlMap, path: Path_, rules: Rules, report: Report) -> None:
    for key, value in node.items():
        if key in FIELDS:
            rules[key] = Given(value, node.values_at[key], (*path, key))
        else:
            report.unknown(node, key, path, f"there is no field {key!r}", FIELDS)


def _mapping(node: YamlMap, key: str, path: Path_, report: Report) -> YamlMap:
    """Return the mapping below a key; an empty one if it is missing or wrong."""
    value: Any = node.get(key)
    if isinstance(value, YamlMap):
        return value
    if isinstance(value, Mapping) or value is not None:
        report.add(node.values_at[key], (*path, key), f"must be a mapping, not {show(value)}")
    return YamlMap(node.mark)
