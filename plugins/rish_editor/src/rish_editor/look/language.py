"""The languages of the editor: each text is written in English in the code, and a catalog has its translations.

A catalog is a file `texts/<language>.yaml` of this package or of a plugin, or a mapping that a plugin returns. A text
with a number has its plural forms in it, `{count} {count:entity|entities}`, in the order zero, one, two, few, many,
other of those forms that its language distinguishes; a translation into a language without plural forms has none.
"""

from __future__ import annotations

import string
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from rish_core import AssetError
from rish_core.manifest import load_yaml

TEXTS = Path(__file__).parent / "texts"
ENGLISH = "en"
NAMES = {ENGLISH: "English", "zh-TW": "繁體中文"}
"""The languages, each by its own name."""


class Language:
    """The language in which texts are shown. code: one of `NAMES`, or any other for which plugins have catalogs."""

    def __init__(self, code: str = ENGLISH) -> None:
        self.code = code
        self.missing: set[str] = set()
        """The texts that were asked for and that no catalog has, in English."""
        self._added: dict[str, dict[str, str]] = {}
        self._texts: dict[str, str] = {}
        self.use(code)

    def use(self, code: str) -> None:
        """Show texts in another language from now on. Raises AssetError for a catalog that can't be read."""
        self._texts = {**catalog(code), **self._added.get(code, {})}
        self.code = code
        self.missing.clear()

    def add(self, texts: Mapping[str, str], code: str) -> None:
        """Add translations to a language; they go before those that are there."""
        self._added.setdefault(code, {}).update(texts)
        if code == self.code:
            self._texts.update(texts)

    def find(self, text: str) -> str | None:
        """Return the translation of a text; None if there is none."""
        return self._texts.get(text)

    def tr(self, text: str, /, **values: object) -> str:
        """Return a text in the language, with `{names}` in it replaced by values, and plural forms chosen by them.

        A text without translation is shown in English and is recorded in `missing`. A translation whose names do not
        fit the values is not used.
        """
        translation = self._texts.get(text)
        if translation is None:
            if self.code != ENGLISH:
                self.missing.add(text)
            translation = text
        if not values:
            return translation
        try:
            return _filled(translation, values, self.code if translation is not text else ENGLISH)
        except (KeyError, IndexError, ValueError):
            return _filled(text, values, ENGLISH)


class _Plurals(string.Formatter):
    """Fills texts whose fields may have plural forms instead of a format."""

    def __init__(self, code: str) -> None:
        self._code = code

    def format_field(self, value: Any, format_spec: str) -> str:
        """Return the form of a number, or the value as usual."""
        if "|" not in format_spec:
            return format(value, format_spec)
        return plural(self._code, value, format_spec.split("|"))


def _filled(text: str, values: Mapping[str, object], code: str) -> str:
    return _Plurals(code).vformat(text, (), values) if "|" in text else text.format_map(values)


def plural(code: str, number: float | str, forms: Sequence[str]) -> str:
    """Return the form of a number in a language. number: may be a text such as `1,024`. forms: those that the language
    distinguishes, see `rish_ui.plural_forms`; if some are missing, the last one is used for them.
    """
    from rish_ui import plural_form, plural_forms

    count = float(number.replace(",", "")) if isinstance(number, str) else number
    return forms[min(plural_forms(code).index(plural_form(code, count)), len(forms) - 1)]


def catalog(code: str) -> Mapping[str, str]:
    """Return the translations of this package into a language; none for English and for an unknown language.

    Raises AssetError for an entry that is no text.
    """
    return catalogs(TEXTS).get(code, {})


def catalogs(folder: Path) -> dict[str, Mapping[str, str]]:
    """Return the translations in the files of a folder, `<language>.yaml`, by language.

    Raises AssetError for a file that can't be read and for an entry that is no text.
    """
    return {path.stem: _read(path, path.stat().st_mtime_ns) for path in sorted(folder.glob("*.yaml"))}


@cache
def _read(path: Path, _changed: int) -> Mapping[str, str]:
    """Return the translations in a file. _changed: the time of its last change; an edited file is read again."""
    data = load_yaml(path).data or {}
    wrong = [str(key) for key, value in data.items() if not (isinstance(key, str) and isinstance(value, str))]
    if wrong:
        raise AssetError(f"{path.name}: the translation of {wrong[0]!r} is no text; write both sides in quotes")
    return {str(key): str(value) for key, value in data.items()}
