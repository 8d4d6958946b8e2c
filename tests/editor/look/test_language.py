"""Languages: every text of the editor is translated, and a missing one is shown in English."""

from __future__ import annotations

import ast
import os
import re
import string
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_core import AssetError
from rish_editor.look import Language, icons
from rish_editor.look.language import NAMES, TEXTS, catalog, catalogs

EDITOR = TEXTS.parents[1]
PLUGINS = EDITOR.parents[2]
CATALOGS = sorted(PLUGINS.glob("rish_*/src/**/texts/*.yaml"))
"""The translations of the editor and of the plugins."""
PLURAL = re.compile(r"\{(count|n|number|total|tracks)\} (?:more |other )?[A-Za-z]{2,}(?<!m)s\b")
"""A number before a word in the plural; `ms` is a unit."""
TRANSLATED = [code for code in NAMES if code != "en"]
CALLS = {"tr": 0, "label": 1, "property": 0, "menu": 0}
"""Functions and methods that translate an argument, and its index."""
MAY_COUNT = re.compile(r"\} (?:more |other )?[A-Za-z]{2,}(?<!m)s\b|[\"']1 [a-z]{3}")
"""What a source has, its strings joined, if one of its literals shows a number; most have not, and are not parsed."""
DECLARED = ("title", "tooltip", "menu")
"""Keys of commands, and attributes of panels, whose texts are translated where they are shown."""


_READ = (ast.Call, ast.Dict, ast.ClassDef, ast.JoinedStr, ast.Constant)


@cache
def parts_of(source: str) -> list[ast.AST]:
    """Return the parts of a program that may say or declare a text; several tests read the same ones."""
    return [node for node in ast.walk(ast.parse(source)) if isinstance(node, _READ)]


def texts_in(source: str) -> Iterator[tuple[int, str | None]]:
    """Yield line and text of each literal that a program wants translated; None for one that is put together."""
    for node in parts_of(source):
        found: list[ast.expr] = []
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            found = node.args[CALLS[name] : CALLS[name] + 1] if name in CALLS else []
        elif isinstance(node, ast.Dict):
            keys = [getattr(key, "value", None) for key in node.keys]
            command = "title" in keys and not {"menu", "run", None}.isdisjoint(keys)
            found = [value for key, value in zip(keys, node.values, strict=True) if command and key in DECLARED]
        elif isinstance(node, ast.ClassDef):
            found = list(_attributes(node, "title"))
        for expression in found:
            for text in _literals(expression):
                yield expression.lineno, text


def declared(source: str, name: str) -> Iterator[str]:
    """Yield the texts of a key of commands, or of an attribute of panels."""
    for node in parts_of(source):
        found = list(_attributes(node, name)) if isinstance(node, ast.ClassDef) else []
        if isinstance(node, ast.Dict):
            found = [
                value for key, value in zip(node.keys, node.values, strict=True) if getattr(key, "value", 0) == name
            ]
        yield from (text for expression in found for text in _literals(expression) if text)


def _attributes(node: ast.ClassDef, name: str) -> Iterator[ast.expr]:
    """Yield what the body of a class assigns to a name, alone or with others."""
    for line in node.body:
        if (
            isinstance(line, ast.Assign)
            and isinstance(line.targets[0], ast.Tuple)
            and isinstance(line.value, ast.Tuple)
        ):
            pairs = zip(line.targets[0].elts, line.value.elts, strict=True)
        else:
            pairs = iter([(line.targets[0], line.value)] if isinstance(line, ast.Assign) else [])
        yield from (value for target, value in pairs if getattr(target, "id", "") == name)


def _literals(node: ast.expr) -> Iterator[str | None]:
    """Yield a literal, or both sides of a condition. In menus, # begins a group, and / a menu in another one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        menu = node.value.partition("#")[0]
        yield from re.split("(?<=\\w)/(?=[A-Z])", menu)
    elif isinstance(node, ast.IfExp):
        yield from _literals(node.body)
        yield from _literals(node.orelse)
    elif isinstance(node, ast.JoinedStr | ast.BinOp):
        yield None


def test_literals_are_found() -> None:
    """Texts in calls, commands and panels are found, and texts put together; other calls and names are not."""
    source = """
tr("Save"); self.kit.tr("Undo {name}", name=x); tr("A" if yes else "B"); tr(variable)
tr(f"Save {name}"); print("no"); kit.label(icons.SAVE, "Open"); tr()
x = {"title": "Cut", "menu": "Edit#clipboard", "icon": "cut", **more}
class P:
    id, title = "my.panel", "Panel"
class Q:
    title = "Quiet"; other = "no"
"""
    found = ["Save", "Undo {name}", "A", "B", "None", "Open", "Cut", "Edit", "Panel", "Quiet"]
    assert sorted(str(text) for _, text in texts_in(source)) == sorted(found)
    assert list(declared(source, "icon")) == ["cut"]


@pytest.mark.slow
def test_literals_with_a_number_have_plural_forms() -> None:
    """Every text with a number before a word in the plural has the forms of that word; none is for 1 alone."""
    wrong: list[str] = []
    for package in sorted(PLUGINS.glob("rish_*/src/rish_*")):
        for path in sorted(package.rglob("*.py")):
            source = path.read_text(encoding="utf-8")
            if not MAY_COUNT.search(re.sub(r"""["']\s+f?["']""", "", source)):
                continue
            for line, text in numbered(source, package.name == "rish_editor"):
                wrong.append(f"{path.relative_to(PLUGINS)}:{line}: {text}")
    assert not wrong, "\n".join(wrong)


def numbered(source: str, whole: bool) -> Iterator[tuple[int, str]]:
    """Yield line and text of each literal that shows a number before a word in the plural. whole: in all literals of a
    program, otherwise in those that it wants translated.
    """
    nodes = parts_of(source)
    wanted = {text for _, text in texts_in(source) if text}
    inside = {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr) and whole:
            text = "".join(str(part.value) if isinstance(part, ast.Constant) else _field(part) for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            text = node.value
            if "\n" in text or (not whole and text not in wanted) or "{" not in text:
                continue
        else:
            continue
        if PLURAL.search(text) or re.match(r"1 [a-z]{3}", text):
            yield node.lineno, text


def _field(part: ast.expr) -> str:
    """Return what stands for a value in an f-string: `{count}` for a number of things."""
    return "{count}" if re.search(r"len\(|count|number", ast.unparse(part)) else "{}"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (
            "{count} {count:entity|entities}",
            {0: "0 entities", 1: "1 entity", 2: "2 entities", "1,001": "1,001 entities"},
        ),
        ("{n} more {n:thing was|things were} kept", {1: "1 more thing was kept", 1.5: "1.5 more things were kept"}),
    ],
)
def test_plural_forms_of_english(text: str, counts: dict[Any, str]) -> None:
    """A text of English has the form for 1 and the one for other numbers, also for written ones."""
    name = text[1 : text.index("}")]
    assert {number: Language().tr(text, **{name: number}) for number in counts} == counts


def test_plural_forms_of_other_languages() -> None:
    """A translation has as many forms as its language distinguishes, or none; without translation those of English."""
    text = "{count} {count:entity|entities}"
    polish, chinese, arabic = Language("pl"), Language("zh-TW"), Language("ar")
    polish.add({text: "{count} {count:obiekt|obiekty|obiektów|obiektu}"}, "pl")
    arabic.add({text: "{count} {count:zero|one|two|few|many|other}"}, "ar")
    counts = (0, 1, 2, 5, 11, 12, 22, 25, 100)
    assert [polish.tr(text, count=n).split()[1] for n in (1, 2, 5, 12, 22, 25)] == [
        "obiekt", "obiekty", "obiektów", "obiektów", "obiekty", "obiektów",
    ]  # fmt: skip
    assert [chinese.tr(text, count=n) for n in counts] == [f"{n} 個實體" for n in counts]
    assert [arabic.tr(text, count=n).split()[1] for n in counts] == [
        "zero", "one", "two", "few", "many", "many", "many", "many", "other",
    ]  # fmt: skip
    assert Language("pl").tr(text, count=1) == "1 entity"
    assert Language("fr").tr(text, count=0) == "0 entities"


@given(st.integers(0, 10**9), st.sampled_from(["en", "fr", "pl", "ar", "ja", "xx", "zh-TW"]))
def test_any_language_has_some_form_for_any_number(count: int, code: str) -> None:
    """Too few forms are no fault: the last one is used."""
    language = Language(code)
    language.add({"{count} {count:a|b}": "{count:a|b} {count}"}, code)
    assert language.tr("{count} {count:a|b}", count=count) in (f"a {count}", f"b {count}", f"{count} a", f"{count} b")


@pytest.mark.slow
@pytest.mark.parametrize("code", TRANSLATED)
def test_every_text_of_the_editor_is_translated(code: str) -> None:
    """Each literal that the package asks to translate is in the catalog, and none is put together from parts."""
    known, wrong = catalog(code), list[str]()
    for path in sorted(EDITOR.rglob("*.py")):
        for line, text in texts_in(path.read_text(encoding="utf-8")):
            if text is None or text not in known:
                wrong.append(f"{path.relative_to(EDITOR)}:{line}: {text or 'write {names} instead of an f-string'}")
    assert not wrong, "\n".join(wrong)


def test_every_icon_of_the_editor_exists() -> None:
    """Commands and panels of the package name icons that there are."""
    for path in sorted(EDITOR.rglob("*.py")):
        for name in declared(path.read_text(encoding="utf-8"), "icon"):
            assert name in icons.names(), f"{path.relative_to(EDITOR)}: {name}"


@pytest.mark.parametrize("code", TRANSLATED)
def test_translations_have_the_same_names(code: str) -> None:
    """Each translation has the {names} of its text, no more and no fewer."""

    def names(text: str) -> set[str]:
        return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}

    assert len(catalog(code)) > 250
    assert [text for text, found in catalog(code).items() if names(text) != names(found)] == []


def test_texts_are_shown_in_the_language() -> None:
    """A text is shown in the language with its values, and in English where the language is English or unknown."""
    assert Language("zh-TW").tr("Save") == "儲存"
    assert Language("zh-TW").tr("Undo {name}", name="移動") == "復原移動"
    assert Language().tr("Save") == Language("xx").tr("Save") == "Save"
    assert Language().tr("Undo {name}", name="move") == "Undo move"


def test_missing_texts_are_recorded() -> None:
    """A text without translation is shown in English and recorded; English and another language record none of it."""
    language = Language("zh-TW")
    assert language.tr("Paint it {color}", color="black") == "Paint it black"
    assert language.missing == {"Paint it {color}"}
    language.use("en")
    assert language.tr("Paint it {color}", color="black") == "Paint it black"
    assert not language.missing


def test_plugins_add_translations() -> None:
    """A table of a plugin is used before the editor's own, now and when its language is chosen later."""
    language = Language()
    language.add({"Save": "存檔", "Paint": "上色"}, "zh-TW")
    assert language.tr("Save") == "Save"
    language.use("zh-TW")
    assert (language.tr("Save"), language.tr("Paint")) == ("存檔", "上色")
    language.add({"Save": "記錄"}, "zh-TW")
    assert language.tr("Save") == "記錄"
    assert Language("zh-TW").tr("Save") == "儲存"


def test_a_translation_that_does_not_fit_is_not_used() -> None:
    """If a translation asks for a value that is not there, the English text is shown."""
    language = Language("zh-TW")
    language.add({"Open {name}": "開啟 {nam}", "Close {name}": "關閉 {"}, "zh-TW")
    assert language.tr("Open {name}", name="a") == "Open a"
    assert language.tr("Close {name}", name="a") == "Close a"


def test_no_text_is_twice_in_a_catalog() -> None:
    """A catalog is a YAML mapping without repeated keys."""
    for path in CATALOGS:
        keys = [line.split('": "')[0] for line in path.read_text(encoding="utf-8").splitlines() if line.startswith('"')]
        assert len(keys) == len(set(keys)) == len(catalogs(path.parent)[path.stem]), path


@pytest.mark.parametrize("path", CATALOGS, ids=lambda path: path.relative_to(PLUGINS).parts[0])
def test_plugins_do_not_replace_texts_of_the_editor(path: Path) -> None:
    """A text that the editor has too means the same there; one of a single field has the component before its name."""
    shared = catalog(path.stem)
    own = catalogs(path.parent)[path.stem]
    assert {text: said for text, said in own.items() if shared.get(text, said) != said} == {}


def test_a_catalog_that_was_edited_is_read_again(tmp_path: Path) -> None:
    """The translations of a folder are those that its files have now, by language."""
    path = tmp_path / "de.yaml"
    path.write_text('"Blow": "Blasen"', encoding="utf-8")
    assert catalogs(tmp_path) == {"de": {"Blow": "Blasen"}}
    path.write_text('"Blow": "Wehen"', encoding="utf-8")
    os.utime(path, ns=(1, 1))
    assert catalogs(tmp_path) == {"de": {"Blow": "Wehen"}}


def test_a_translation_that_is_no_text_is_named(tmp_path: Path) -> None:
    """A number in place of a translation is an error with the name of the file and the text."""
    (tmp_path / "de.yaml").write_text("Blow: 3", encoding="utf-8")
    with pytest.raises(AssetError, match=r"de\.yaml: the translation of 'Blow' is no text"):
        catalogs(tmp_path)
