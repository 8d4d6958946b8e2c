"""`Catalog`: the texts of one language from one source; reads the files `locale/LANGUAGE.yaml`.

Keys are nested, or joined with dots. A mapping with the key `other` is a text with plural forms::

    menu: {play: Play, quit: Quit}
    coins: {one: '{n} coin', other: '{n} coins'}
    points: {by: Score.points, '0': No points, one: One point, other: '{Score.points} points'}
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rish_core.manifest import Mark, Report, Spot, YamlMap, marked, read_yaml, show
from rish_expressions import ExpressionError

from .languages import FORMS
from .message import SEGMENT, Message, placeholders

SUFFIXES = (".yaml", ".yml")
Catalog = dict[str, Message]
"""The texts of one language, by key."""
Path_ = tuple[str, ...]


def read_catalog(language: str, data: Any, report: Report, file: str = "") -> Catalog:
    """Return the texts in the data of a file. Mistakes are added to the report, and these texts are left out."""
    catalog: Catalog = {}
    if isinstance(data, YamlMap):
        _Reader(language, report, catalog).group(data, ())
    elif data is not None:
        report.add(Spot(file, 0, 0), (), f"must be a mapping of texts by key, not {show(data)}")
    return catalog


def catalog_of(language: str, texts: Mapping[str, Any], source: str, report: Report) -> Catalog:
    """Return the catalog of texts from code. source: the name of their origin, for messages."""
    return read_catalog(language, marked(texts, Spot(source)), report, source)


def read_catalog_file(path: Path, report: Report) -> Catalog:
    """Return the texts of a file whose name is a language, such as `zh-Hant.yaml`."""
    catalog, found = _catalog_at(path, path.stat().st_mtime_ns)
    for problem in found.problems:
        report.note(problem)
    return catalog


@lru_cache(maxsize=64)
def _catalog_at(path: Path, changed: int) -> tuple[Catalog, Report]:
    """Return the texts of a file and its problems: the check of the manifest and the game need the same texts."""
    document, report = read_yaml(path), Report(())
    for problem in document.problems:
        report.note(problem)
    catalog = read_catalog(path.stem, document.data, report, document.file)
    return catalog, report


class _Reader:
    def __init__(self, language: str, report: Report, catalog: Catalog) -> None:
        self.language, self.report, self.found = language, report, catalog

    def group(self, node: YamlMap, path: Path_) -> None:
        """Read a mapping of texts and groups."""
        for key, value in node.items():
            at, inner = node.values_at[key], (*path, key)
            if not SEGMENT.match(key):
                message = f"{key!r} is not a valid key: use letters, digits, '_', '-', and dots between parts"
                self.report.add(node.keys_at[key], inner, message)
            elif isinstance(value, YamlMap):
                if "other" in value and all(_is_form(form) for form in value):
                    self.plural(value, inner, node.keys_at[key])
                elif value and all(_is_form(form) for form in value):
                    self.report.add(at, inner, "is a text with plural forms, and needs the form `other`")
                else:
                    self.group(value, inner)
            else:
                text = self.text(value, at, inner)
                if text is not None:
                    self.add(inner, {"other": text}, "", at)

    def plural(self, node: YamlMap, path: Path_, mark: Mark) -> None:
        """Read a text with plural forms."""
        forms: dict[str, str] = {}
        for form, value in node.items():
            text = self.text(value, node.values_at[form], (*path, form))
            if form != "by" and text is not None:
                forms[form] = text
        if "other" not in forms:
            return
        names = placeholders(forms["other"])
        by = str(node.get("by") or ("n" if "n" in names else next(iter(names), "")))
        if not by:
            message = "no number chooses the form: put a number into the text, such as {n}, or add  by: n"
            self.report.add(mark, path, message)
        self.add(path, forms, by, mark)

    def text(self, value: Any, mark: Mark, path: Path_) -> str | None:
        """Return a text; None if it is wrong."""
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            return self.report.add(mark, path, f"must be text, not {show(value)}")
        try:
            placeholders(str(value))
        except ExpressionError as error:
            return self.report.add(mark, path, error.line)
        return str(value)

    def add(self, path: Path_, forms: Mapping[str, str], by: str, mark: Mark) -> None:
        """Add a text."""
        key = ".".join(path)
        if key in self.found:
            self.report.add(mark, path, f"the key {key!r} is given twice")
        else:
            self.found[key] = Message(key, self.language, forms, by, mark)


def _is_form(key: str) -> bool:
    return key in FORMS or key == "by" or key.isdigit()


def languages_of(files: Iterable[str], folder: str) -> dict[str, str]:
    """Return the files directly inside a folder by their language, from a list of the paths of a game."""
    paths: dict[str, str] = {}
    start = f"{folder.strip('/')}/"
    for path in files:
        name = path.removeprefix(start)
        if path.startswith(start) and "/" not in name and name.endswith(SUFFIXES):
            paths[name.rpartition(".")[0]] = path
    return paths
