"""Checks the names in widgets of a manifest: bound fields, names in templates, and checks of texts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_core.manifest import Report, YamlMap
from rish_ecs import RishError
from rish_expressions import Expression, ExpressionError, FieldPath, Template, Vocabulary

from ..components.manifest_values import Written, written
from ..locales.checks import TEXTS, lines_of
from ..locales.message import key_of, plain_of
from ..preferences.values import value_of
from ..tree.binding import PREFERENCES, SELF

if TYPE_CHECKING:
    from rish_core import Manifest, Registry

BINDS = ("bind", "bind_high")
"""The fields that name a field."""
_NAMES = {**dict.fromkeys(("value", "low", "high"), "number"), "self": "entity"}
"""The names that a widget gives to its templates, besides `key_ACTION`."""
_WIDGETS = frozenset((*TEXTS, "Toggle", "KeyBindings"))


def check_widgets(manifest: Manifest, registry: Registry) -> None:
    """Add a problem to the manifest for each path, template and check of a widget that is invalid."""
    report, words = Report(()), _words(manifest, registry)
    absent = [name for name in manifest.optional if name not in registry.plugins]
    for section in ("prefabs", "scenes"):
        for each in written(manifest.section(section), (section,)):
            text = each.value if each.component in _WIDGETS else None
            if isinstance(text, str) and not any(f"{name}." in text for name in absent):
                _check(each, words, report)
    manifest.problems.extend(report.problems)


def _words(manifest: Manifest, registry: Registry) -> Vocabulary:
    """Return the names that paths and templates of a manifest may use."""
    declared = manifest.data.get("variables")
    variables: dict[str, Any] = dict(declared) if isinstance(declared, YamlMap) else {}
    layers = [*dict.fromkeys((*(layer.name for layer in manifest.layers), *registry.layers))]
    actions = tuple(dict.fromkeys(name for actions in (manifest.input, *manifest.players) for name in actions))
    players = max(len(manifest.players), 1)
    return Vocabulary(registry, variables, layers or None, tuple(manifest.scenes), actions, players)


def _check(each: Written, words: Vocabulary, report: Report) -> None:
    """Report the mistakes in one field of a widget."""
    names = _NAMES | {f"key_{action}": "text" for action in words.actions or ()}
    try:
        if each.field in BINDS:
            _check_path(each.value, words)
        elif each.component == "TextInput" and each.field == "check":
            if each.value and Expression.parse(each.value).check(words, {"text": "text"}).type not in ("truth", "any"):
                raise ExpressionError("this is no condition: it must be true or false", each.value, 1)
        elif TEXTS.get(each.component) == each.field:
            for text in lines_of(each.value, each.field):
                if key_of(text) is None:
                    Template.parse(plain_of(text)).check(words, names)
    except RishError as error:
        report.add(each.mark, each.path, str(error))


def _check_path(path: str, words: Vocabulary) -> None:
    if path.startswith(PREFERENCES):
        value_of(path.removeprefix(PREFERENCES))
    elif path:
        FieldPath.parse(path.removeprefix(SELF)).resolve(words)
