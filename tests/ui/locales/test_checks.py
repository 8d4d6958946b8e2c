"""The checks of texts: keys in manifests, what `rish check` finds in translations, and characters without a font."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from rish_core import ManifestError, launcher
from rish_core.manifest import Report
from rish_ui.locales import SHIPPED
from rish_ui.locales.catalog import read_catalog_file
from rish_ui.locales.checks import TEXTS
from rish_ui.plugin import rish_components

_PATH = re.compile(r"^\S*?([\w-]+\.yaml)")


def problems(play: Any, **options: Any) -> list[str]:
    """Return the mistakes that a game is refused for, without its folder."""
    with pytest.raises(ManifestError) as caught:
        play(**options)
    return [_PATH.sub(r"\1", str(problem)) for problem in caught.value.problems]


def checked(play: Any, **files: str) -> list[str]:
    """Return the mistakes that `rish check` finds in texts."""
    named = {name.replace("_", "-"): text for name, text in files.items()}
    return problems(play, files=named, open_assets=True)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ("{Label: {text: $menu.plya}}", "4:32: scenes.main[0].Label.text: no language has the text 'menu.plya'"
         " (did you mean 'menu.play'?): write it to a file such as locale/en.yaml"),
        ("{ui.Button: {text: $a}}", "scenes.main[0].ui.Button.text: no language has the text 'a'"),
        ("{Label: {}, children: [{Widget: {tooltip: $a}}]}", "scenes.main[0].children[0].Widget.tooltip: no language"),
        ('{Dropdown: {options: "1 = $menu.play\\n2 = $a"}}', "Dropdown.options: no language has the text 'a'"),
        ('{Tabs: {titles: "$menu.play\\n$a"}}', "Tabs.titles: no language has the text 'a'"),
        ("{TextInput: {hint: $a}}", "TextInput.hint: no language has the text 'a'"),
    ],
)  # fmt: skip
def test_widgets_name_texts_that_exist(play: Any, entry: str, said: str) -> None:
    """A key that no language has is a mistake of the manifest, at its line."""
    found = problems(play, scene=f"[{entry}]", files={"en": "menu: {play: Play}"})
    assert len(found) == 1
    assert said in found[0]


def test_keys_of_plugins_and_plain_texts_are_fine(play: Any) -> None:
    """Texts of screens, prices, escaped dollar signs and what a player types are no mistakes."""
    play(scene="[{Label: {text: $ui.play}}, {Label: {text: $5}}, {Label: {text: $$a}}, {TextInput: {text: $a}}]")


def test_a_game_with_an_incomplete_translation_can_be_played(play: Any) -> None:
    """Only `rish check` refuses a game because one of its languages lacks a text."""
    files = {"en": "a: A\nb: B", "de": "a: Ah"}
    play("language: de", scene="[{Label: {text: $b}}]", files=files)
    assert problems(play, files=files, open_assets=True) == ["en.yaml:2:4: b: is missing in de"]


def test_the_languages_are_compared(play: Any) -> None:
    """A text that languages lack is one mistake, at its place in a language that has it."""
    assert checked(play, en="a: A\nc: C", de="a: Ah\nb: Be", ja="a: あ") == [
        "de.yaml:2:4: b: is missing in en, ja",
        "en.yaml:2:4: c: is missing in de, ja",
    ]


def test_a_region_may_leave_out_texts(play: Any) -> None:
    """A file of a region may hold only what differs from its language."""
    play(files={"en": "a: A\nb: B", "de": "a: Ah\nb: Be", "de-AT": "b: Beh"}, open_assets=True)


def test_placeholders_are_compared(play: Any) -> None:
    """Placeholders that differ from those of the fallback language are named; formats and plural forms may differ."""
    english = "a: '{x} and {y}'\nb: '{x}'\nc: {one: One, other: '{n:d}'}\nd: '{Score.points}'"
    assert checked(
        play, en=english, de="a: '{x}'\nb: '{y}'\nc: {one: '{n}', other: '{n}'}\nd: '{Score.points:03d}'"
    ) == [
        "de.yaml:1:4: a: has no {y}, which en has",
        "de.yaml:2:4: b: has {y}, which en does not have",
    ]


def test_plural_forms_are_complete(play: Any) -> None:
    """A text with plural forms has all forms that its language distinguishes."""
    assert checked(play, en="a: {other: '{n} as'}", pl="a: {one: '{n} a', other: '{n} aa'}") == [
        "en.yaml:1:1: a: has no form one, which numbers in en need",
        "pl.yaml:1:1: a: has no form few, many, which numbers in pl need",
    ]


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("- a", "must be a mapping of texts by key, not a list of 1"),
        ("a: [1]", "1:4: a: must be text, not a list of 1"),
        ("a: true", "1:4: a: must be text, not true"),
        ("a:", "a: must be text, not nothing"),
        ("a: {b: 'x {'}", "1:8: a.b: this brace is not closed"),
        ("'a b': x", "1:1: a b: 'a b' is not a valid key"),
        ("a: {one: '{n}', two: x}", "1:4: a: is a text with plural forms, and needs the form `other`"),
        ("a: {one: x, other: y}", "1:1: a: no number chooses the form: put a number into the text, such as {n}"),
        ("a.b: 1\na: {b: 2}", "2:8: a.b: the key 'a.b' is given twice"),
        ("a: 1\na: 2", "en.yaml:2:1: a:"),
        ("a: [1", "en.yaml:"),
    ],
)
def test_mistakes_in_files_have_places(play: Any, written: str, said: str) -> None:
    """Each mistake in a file of texts names its line and column."""
    assert any(said in found for found in checked(play, en=written))


def test_files_are_named_like_languages(play: Any) -> None:
    """A file whose name is no tag, or another spelling of one, is a mistake."""
    found = checked(play, en="a: A", de_at="a: Ah", english="a: A")
    assert any("'de-at' is no tag of a language: name it de-AT.yaml" in each for each in found)
    assert any("'english' is no tag of a language: name it like en.yaml" in each for each in found)


def test_the_language_of_the_settings_has_texts(play: Any) -> None:
    """A language in the settings that no text is in is a mistake of `rish check`."""
    found = problems(play, settings="language: fr", files={"en": "a: A"}, open_assets=True)
    assert found == ["game.yaml:3:27: settings.ui.language: there are no texts in 'fr'. Languages: en"]


def test_every_field_with_texts_is_checked() -> None:
    """The checks know each component of the plugin with a text that is shown, and its field exists."""
    kinds = {cls.__name__: cls.__kind__.fields for cls in map(_declared, rish_components())}
    assert all(field in kinds[name] for name, field in TEXTS.items())
    told = {name for name, fields in kinds.items() for spec in fields.values() if "$menu.play" in spec.doc}
    assert told <= set(TEXTS)


def _declared(cls: Any) -> Any:
    return cls


def test_the_shipped_texts_are_complete() -> None:
    """The texts of screens have the same keys and placeholders in each language, and no mistakes."""
    report = Report(())
    catalogs = {path.stem: read_catalog_file(path, report) for path in SHIPPED.glob("*.yaml")}
    assert not report.problems
    assert set(catalogs) == {"en", "zh-Hant"}
    assert list(catalogs["en"]) == list(catalogs["zh-Hant"])


@pytest.mark.slow
def test_the_doctor_reads_files_of_texts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`rish doctor GAME` names characters in the texts of a game that no font has."""
    (tmp_path / "locale").mkdir()
    (tmp_path / "game.yaml").write_text("rish: 1\nplugins: [render, ui]\nscenes: {main: []}\n")
    (tmp_path / "locale" / "xx.yaml").write_text('a: "\\U00085678"\n')
    launcher.main(["doctor", str(tmp_path)])
    assert "U+85678" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        ("lokale", "there is no folder 'lokale' (did you mean 'locale'?)"),
        ("locale/en.yaml", "there is no folder"),
        ("..", "leads out of its folder"),
        ("/tmp", "is an absolute path"),
        ("a?b", "has characters that no file name should have"),
        ("x" * 300, "there is no folder"),
    ],
)
@pytest.mark.parametrize("check", [True, False])
def test_a_folder_of_translations_that_is_none_is_located(
    play: Any, tmp_path: Path, folder: str, said: str, check: bool
) -> None:
    """The folder that the settings name must be one inside the game's folder, and no other folder is read."""
    outside = tmp_path.parent / "broken.yaml"
    outside.write_text("a: [", encoding="utf-8")
    [found] = problems(play, settings=f'locale: "{folder}"', files={"en": "a: A"}, open_assets=check)
    outside.unlink()
    assert "settings.ui.locale: " in found
    assert said in found
