"""Checks the theme and the variants that a manifest names, and in `rish check` all theme files of the game."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rish_core import Assets
from rish_core.manifest import Report, YamlList, YamlMap
from rish_ecs import did_you_mean

from .compiling import Find, compile_theme
from .kinds import PARTS
from .reading import DEFAULT, LOADERS, ThemeText
from .theme import Theme
from .theme_library import finder
from .values import Given

if TYPE_CHECKING:
    from rish_core import Manifest

_WITHOUT = ("Any", "Screen", "Focus")
Steps = tuple[str | int, ...]


def check_themes(manifest: Manifest) -> None:
    """Add problems to a manifest: a theme in the settings that does not exist, and variants that the theme does not
    have.

    In `rish check`, the mistakes in the game's theme files are added too. A game with a mistake in its theme can be
    played, with the theme `dark`.
    """
    report = Report(())
    assets = Assets(manifest.root, LOADERS)
    find = finder(assets)
    theme = _theme_of_settings(manifest, find, report)
    if manifest.loaders is not None:
        for name in assets.files(*LOADERS):
            _check_file(manifest, name, find, report)
    if theme is not None:
        for section in ("prefabs", "scenes"):
            _check_variants(manifest.section(section), (section,), theme, report)
    manifest.problems.extend(report.problems)


def _theme_of_settings(manifest: Manifest, find: Find, report: Report) -> Theme | None:
    settings = manifest.section("settings").get("ui")
    name = settings.get("theme", DEFAULT) if isinstance(settings, YamlMap) else DEFAULT
    if not isinstance(name, str):
        return None  # reported with the other settings
    text_or_problem = find(name)
    if isinstance(text_or_problem, str):
        assert isinstance(settings, YamlMap)
        return report.add(settings.values_at["theme"], ("settings", "ui", "theme"), text_or_problem)
    return compile_theme(name, find)[0]


def _check_file(manifest: Manifest, name: str, find: Find, report: Report) -> None:
    for problem in compile_theme(name, find)[1]:
        report.note(problem)
    text = find(name)
    for names, value in _paths(text) if isinstance(text, ThemeText) else ():
        message = manifest.asset_problem(value.value, names=names)
        if message is not None:
            report.add(value.mark, value.path, message)


def _paths(text: ThemeText) -> Iterator[tuple[str, Given]]:
    """Yield the paths of fonts and images in a theme file, each with the list that offers such files."""
    rules = [rules for layers in text.styles.values() for rules in layers.values()]
    values = [("fonts", each) for each in text.tokens["fonts"].values()]
    values += [(f"{key}s", each[key]) for each in rules for key in ("image", "font") if key in each]
    for names, each in values:
        if isinstance(each.value, str) and "." in each.value:
            yield names, each


def _check_variants(node: Any, path: Steps, theme: Theme, report: Report) -> None:
    """Report variants in a part of a manifest that none of the entity's widgets has."""
    if isinstance(node, YamlList):
        for index, item in enumerate(node):
            _check_variants(item, (*path, index), theme, report)
    elif isinstance(node, YamlMap):
        kinds = [kind for kind in PARTS if kind not in _WITHOUT and (kind in node or f"ui.{kind}" in node)]
        for name in ("Widget", "ui.Widget"):
            widget: Any = node.get(name)
            if kinds and isinstance(widget, YamlMap) and isinstance(widget.get("style"), str) and widget["style"]:
                _check_variant(widget, (*path, name, "style"), kinds, theme, report)
        for key, value in node.items():
            _check_variants(value, (*path, key), theme, report)


def _check_variant(widget: YamlMap, path: Steps, kinds: list[str], theme: Theme, report: Report) -> None:
    style, variants = widget["style"], [name for kind in kinds for name in theme.variants(kind)]
    if style not in variants:
        listed = f"Variants: {', '.join(variants)}" if variants else "It has none"
        near = did_you_mean(style, variants)
        message = f"the theme {theme.name} has no variant {style!r} of {kinds[0]}{near}. {listed}"
        report.add(widget.values_at["style"], path, message)
