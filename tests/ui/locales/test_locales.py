"""`Locales`: texts by key in the language of the settings, plural forms, fallbacks, edits while a game runs."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from rish_assets import report_changes
from rish_core import App, Assets, PluginError, hookimpl
from rish_expressions import ExpressionError, Variables
from rish_ui.components.settings import UiSettings
from rish_ui.locales import Locales, key_of

ENGLISH = """
menu: {play: Play, quit: Quit, only: Only here}
flat.key: Flat
price: $5
coins: {'0': No coins, one: "{n} coin", other: "{n} coins"}
found: {by: coins, one: "{name} found one coin", other: "{name} found {coins} coins"}
"""
CHINESE = "menu: {play: 開始, quit: 離開}\ncoins: {other: '{n} 枚'}\n"
RUSSIAN = "coins: {one: '{n} монета', few: '{n} монеты', many: '{n} монет', other: '{n} монеты'}"


def text(app: App, key: str, **values: Any) -> str:
    """Return a text of a game."""
    return app.world[Locales].text(app.world, key, values)


def test_keys_are_nested_or_joined(play: Any) -> None:
    """A nested key and one with a dot are the same."""
    app = play(files={"en": ENGLISH})
    assert text(app, "menu.play") == "Play"
    assert text(app, "flat.key") == "Flat"
    assert text(app, "price") == "$5"


def test_a_number_chooses_the_form(play: Any) -> None:
    """The first number in the text, or the one that `by` names, chooses the form of its language."""
    app = play(files={"en": ENGLISH, "ru": RUSSIAN})
    assert [text(app, "coins", n=n) for n in (0, 1, 1.0, 2, 1.5)] == [
        "No coins", "1 coin", "1 coin", "2 coins", "1.5 coins",
    ]  # fmt: skip
    assert text(app, "found", name="Ann", coins=1) == "Ann found one coin"
    assert text(app, "found", name="Ann", coins=3) == "Ann found 3 coins"
    app.world[UiSettings].language = "ru"
    assert [text(app, "coins", n=n) for n in (1, 3, 5, 21)] == ["1 монета", "3 монеты", "5 монет", "21 монета"]


def test_the_language_is_that_of_the_settings_or_of_the_system(play: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a setting the language of the system is used, if the game has texts in it."""
    monkeypatch.setenv("LANGUAGE", "zh_HK")
    app = play(files={"en": ENGLISH, "zh-Hant": CHINESE})
    locales, settings = app.world[Locales], app.world[UiSettings]
    assert text(app, "menu.play") == "開始"
    assert locales.language == "zh-Hant"
    settings.language = "en"
    assert text(app, "menu.play") == "Play"
    settings.language = "fr"
    assert text(app, "menu.play") == "Play"
    assert locales.language == "en"


def test_a_text_is_looked_up_in_the_fallback_and_then_is_its_key(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A missing text is that of the fallback language, otherwise the key itself, which is logged once."""
    app = play("language: zh-HK", files={"en": ENGLISH, "zh-Hant": CHINESE})
    assert text(app, "menu.only") == "Only here"
    assert text(app, "menu.plya") == text(app, "menu.plya") == "menu.plya"
    assert caplog.text.count("no language has the text 'menu.plya' (did you mean 'menu.play'?)") == 1


def test_a_region_may_hold_only_what_differs(play: Any) -> None:
    """de-AT falls back to de, and then to the fallback."""
    files = {"en": "a: A\nb: B\nc: C", "de": "a: Ah\nb: Be", "de-AT": "a: Aha"}
    app = play("language: de-AT", files=files)
    assert [text(app, key) for key in "abc"] == ["Aha", "Be", "C"]
    assert app.world[Locales].language == "de-AT"


def test_the_version_changes_with_the_texts(play: Any) -> None:
    """The version increases when the language changes, and only then."""
    app = play(files={"en": ENGLISH, "zh-Hant": CHINESE})
    locales = app.world[Locales]
    first = locales.update(app.world)
    assert locales.update(app.world) == first
    app.world[UiSettings].language = "zh-Hant"
    assert locales.update(app.world) > first


def test_a_game_without_texts_has_those_of_the_screens(play: Any) -> None:
    """The texts of the screens ship in English and Traditional Chinese."""
    app = play("language: zh-TW")
    assert text(app, "ui.options") == "選項"
    assert text(app, "ui.form.short", least=3) == "至少需要 3 個字元"
    app.world[UiSettings].language = "en"
    assert text(app, "ui.form.short", least=1) == "At least 1 character"


def test_a_game_replaces_the_texts_of_screens(play: Any) -> None:
    """A text of the game wins over one of a plugin with the same key in the same language."""
    app = play(files={"en": "ui: {play: Begin the adventure}"})
    assert text(app, "ui.play") == "Begin the adventure"
    assert text(app, "ui.options") == "Options"


def test_an_options_menu_lists_the_languages_of_the_game(play: Any) -> None:
    """The fallback is first, each language has its own name, and those of plugins alone do not count."""
    app = play(files={"zh-Hant": CHINESE, "ar": "a: ا", "en": ENGLISH})
    assert app.world[Locales].languages(app.world) == {"en": "English", "ar": "العربية", "zh-Hant": "繁體中文"}
    other = play(files={"ar": "language: {self: Our Arabic}"})
    assert other.world[Locales].languages(other.world)["ar"] == "Our Arabic"


def test_the_direction_is_known(play: Any) -> None:
    """A language that is written from right to left is known as such."""
    app = play("language: he", files={"en": "a: A", "he": "a: א"})
    app.world[Locales].update(app.world)
    assert app.world[Locales].right_to_left
    app.world[UiSettings].language = "en"
    app.world[Locales].update(app.world)
    assert not app.world[Locales].right_to_left


def test_texts_of_widgets_are_bound_like_templates(play: Any) -> None:
    """A text of a widget is a template, or a key whose text is one; both may name what the World has."""
    app = play(files={"en": "hud: {gold: {by: gold, one: One coin, other: '{gold} coins'}}"})
    locales, world = app.world[Locales], app.world
    world.put(Variables(values={"gold": 3}))
    bound = locales.bind(world, "$hud.gold")
    assert bound() == "3 coins"
    world[Variables].values["gold"] = 1
    assert bound() == "One coin"
    assert bound.paths or bound.text
    assert locales.bind(world, "{gold} left")() == "1 left"
    assert locales.bind(world, "$nothing.here")() == "nothing.here"
    assert locales.bind(world, "$$hud.gold")() == "$hud.gold"
    with pytest.raises(ExpressionError, match="nothing is called"):
        locales.bind(world, "{silver}")


def test_what_can_not_be_filled_in_is_shown_as_written(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A text whose values are missing is logged once and shown with its braces."""
    app = play(files={"en": ENGLISH})
    assert text(app, "coins") == text(app, "coins") == "{n} coins"
    assert caplog.text.count("the text coins in en") == 1


@pytest.mark.parametrize(
    ("written", "key"),
    [("$menu.play", "menu.play"), ("$play", "play"), ("$a-b.c_d", "a-b.c_d"), ("$5", None), ("$$menu", None),
     ("$menu.play now", None), ("menu.play", None), ("", None), ("$", None), ("$a.", None)],
)  # fmt: skip
def test_a_key_begins_with_a_dollar_sign(written: str, key: str | None) -> None:
    """Only a text that consists of a dollar sign and a key is one, so prices are texts."""
    assert key_of(written) == key


def edit(app: App, language: str, written: str) -> None:
    """Save a file of texts in a running game, and run a frame."""
    path = Path(str(app.manifest.root)) / "locale" / f"{language}.yaml"
    path.write_text(written, encoding="utf-8")
    report_changes(app.world[Assets], [path])
    app.frame()


def test_edits_take_effect_while_the_game_runs(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A saved file is used, a new file is a new language, and one with mistakes changes nothing."""
    app = play(files={"en": "a: One"})
    assert text(app, "a") == "One"
    app.frame()
    edit(app, "en", "a: Two")
    assert text(app, "a") == "Two"
    edit(app, "en", "a: [Three")
    assert text(app, "a") == "Two"
    assert "locale/en.yaml:" in caplog.text
    edit(app, "de", "a: Zwei")
    app.world[UiSettings].language = "de"
    assert text(app, "a") == "Zwei"


def test_a_wrong_text_is_left_out(play: Any, caplog: pytest.LogCaptureFixture) -> None:
    """A text with a mistake is reported with its place; the others of its file are used."""
    app = play(files={"en": "a: [1]\nb: B\nc: 'open {'"})
    assert text(app, "b") == "B"
    assert "en.yaml:1:4: a: must be text, not a list of 1 (the text is left out)" in caplog.text
    assert "en.yaml:3:4: c: this brace is not closed" in caplog.text


def plugin(texts: Any) -> ModuleType:
    """Return a plugin with texts."""
    made = ModuleType("wind")
    made.rish_locales = hookimpl(optional=True)(lambda: texts)  # type: ignore[attr-defined]
    return made


def test_hook_rish_locales(play: Any, tmp_path: Path) -> None:
    """A plugin gives texts by language and key, or a folder of files; a game replaces them."""
    texts = {"en": {"wind.strong": "Strong wind", "wind": {"weak": "Breeze"}}, "zh-Hant": {"wind.strong": "強風"}}
    app = play(files={"en": "wind: {weak: Soft wind}"}, extra={"wind": plugin(texts)})
    assert text(app, "wind.strong") == "Strong wind"
    assert text(app, "wind.weak") == "Soft wind"
    folder = tmp_path / "texts"
    folder.mkdir()
    (folder / "en.yaml").write_text("wind: {strong: Storm}")
    app = play(extra={"wind": plugin(folder)})
    assert text(app, "wind.strong") == "Storm"


@pytest.mark.parametrize("texts", [3, {"en": "Strong"}, ["en"], "no/such/folder"])
def test_a_wrong_result_of_the_hook_names_the_plugin(play: Any, texts: Any) -> None:
    """A result that is neither texts by language nor a folder is refused."""
    with pytest.raises(PluginError, match="rish_locales"):
        play(extra={"wind": plugin(texts)})


def test_a_world_without_files_has_the_shipped_texts() -> None:
    """Texts work in a World without a game, as tools and tests use it."""
    from rish_ecs import World

    world = World([])
    for each in (UiSettings(), Locales(), Assets()):
        world.put(each)
    assert world[Locales].text(world, "ui.play") == "Play"
