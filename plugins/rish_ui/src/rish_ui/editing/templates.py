"""The kinds of new assets that the plugin declares for editors: themes, and files of translations."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..locales.languages import tag_of

_THEME = """# NAME: what differs from the theme that it extends.
extends: dark
colors:
  accent: '#ffb454'
  on_accent: '#2a1a00'
"""
_TEXTS = """# The texts of the game in this language; a widget shows one as $menu.play.
menu:
  play: Play
  quit: Quit
"""


def _texts(editor: Any, name: str) -> str:
    """Return the texts of the file for English, or of another language, to be translated; the template without one."""
    folder = editor.game.path / "locale"
    candidates = [folder / "en.yaml", *sorted(folder.glob("*.yaml"))]
    existing = next((path for path in candidates if path.is_file()), None)
    return _TEXTS if existing is None else existing.read_text(encoding="utf-8")


def _check(name: str) -> str | None:
    return None if tag_of(name) == name else "Write it like en, de-AT or zh-Hant"


TEMPLATES: Mapping[str, Mapping[str, Any]] = {
    "ui.theme": {
        "title": "Theme", "about": "Colors and sizes of widgets, which the game then uses",
        "icon": "color", "file": "NAME.theme.yaml", "text": _THEME, "name": "theme",
        "set": {"ui.theme": "PATH"},
    },
    "ui.locale": {
        "title": "Language", "about": "The texts of the game in a language",
        "icon": "language", "file": "locale/NAME.yaml", "text": _texts, "name": "en",
        "check": _check,
    },
}  # fmt: skip
"""A theme, which the game then uses, and a file of translations."""
