"""The page's own words, in the language of the page: `texts/LANGUAGE.yaml`, and what the author writes instead."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rish_core.manifest import load_yaml

_FOLDER = Path(__file__).parent / "texts"
_USUAL = "en"
_PLACE = re.compile(r"\{(\w+)\}")
_SAME = {"zh": "zh-TW", "zh-hant": "zh-TW"}
"""Languages that have the texts of another tag."""
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "ks", "nqo", "ps", "sd", "ug", "ur", "yi"})


class Words:
    """The words of a page. language: the tag. instead: words of the author, by name.

    A language without a file has English words.
    """

    def __init__(self, language: str = _USUAL, instead: Mapping[str, str] | None = None) -> None:
        files = {path.stem.lower(): path for path in _FOLDER.iterdir()}
        tag = language.lower()
        tags = (tag, _SAME.get(tag, "").lower(), tag.partition("-")[0], _USUAL)
        path = next(files[each] for each in tags if each in files)
        data: Any = load_yaml(path).data
        self._texts: dict[str, str] = {**data, **(instead or {})}
        self.direction = "rtl" if tag.partition("-")[0] in _RIGHT_TO_LEFT else "ltr"

    def __call__(self, name: str, /, **values: object) -> str:
        """Return a text, in which `{name}` is replaced by a value."""
        return _PLACE.sub(lambda found: str(values.get(found[1], found[0])), self._texts[name])

    @property
    def names(self) -> list[str]:
        """The names of all words."""
        return list(self._texts)
