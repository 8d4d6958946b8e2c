"""`Themes`: the theme of the settings, edits while a game runs, and `rish check`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_assets import report_changes
from rish_core import App, Assets, ManifestError, read_manifest
from rish_ui.components.settings import UiSettings
from rish_ui.themes import SHIPPED, Themes

ACCENT = "colors: {accent: '#ff0000'}"


def write(path: Path, text: str, app: App | None = None) -> None:
    """Write a file, and report that to a running game."""
    path.write_text(text, encoding="utf-8")
    if app is not None:
        report_changes(app.world[Assets], [path])


def start(folder: Path, theme: str = "my.theme.yaml", scene: str = "[]", **options: Any) -> App:
    """Start a game in a folder."""
    text = f"rish: 1\nplugins: [ui]\nsettings: {{ui: {{theme: {theme}}}}}\nscenes: {{main: {scene}}}\n"
    (folder / "game.yaml").write_text(text)
    return App(read_manifest(folder / "game.yaml"), headless=True, policy="raise", **options)


@pytest.fixture
def game(tmp_path: Path) -> Iterator[App]:
    """A game with the theme `my.theme.yaml`, whose accent is red."""
    write(tmp_path / "my.theme.yaml", ACCENT)
    with start(tmp_path, more=["strict"]) as app:
        yield app


def accent(app: App) -> tuple[int, ...]:
    """Return the fill of the primary button."""
    return app.world[Themes].current(app.world).style("Button", "primary").fill


def test_the_theme_is_that_of_the_settings(game: App) -> None:
    """A theme is chosen by name or path in the settings, and another one takes effect at once."""
    themes, settings = game.world[Themes], game.world[UiSettings]
    assert accent(game) == (255, 0, 0, 255)
    first, version = themes.current(game.world), themes.version
    assert themes.current(game.world) is first
    settings.theme = "light"
    assert themes.current(game.world).name == "light"
    assert themes.version > version
    assert themes.names(game.world) == [*SHIPPED, "my.theme.yaml"]


def test_text_scale_and_reduced_motion_are_in_the_styles(game: App) -> None:
    """The sizes of texts follow `text_scale`, and with `reduced_motion` transitions last 0 seconds."""
    plain = game.world[Themes].current(game.world).style("Button")
    game.world[UiSettings].text_scale, game.world[UiSettings].reduced_motion = 2.0, True
    style = game.world[Themes].current(game.world).style("Button")
    assert (style.text_size, style.seconds, style.padding) == (2 * plain.text_size, 0, plain.padding)
    assert plain.seconds > 0


def test_an_edited_theme_takes_effect_while_the_game_runs(game: App, caplog: pytest.LogCaptureFixture) -> None:
    """A saved file is used; one with mistakes is reported once with their places, and the former theme stays."""
    root, themes = Path(str(game.manifest.root)), game.world[Themes]
    assert accent(game) == (255, 0, 0, 255)
    game.frame()
    write(root / "my.theme.yaml", "colors: {accent: lime}", game)
    game.frame()
    assert accent(game) == (0, 255, 0, 255)
    write(root / "my.theme.yaml", "colors: {accent: blue}\nstyles: {Buton: {}}", game)
    game.frame()
    assert accent(game) == (0, 255, 0, 255)
    assert "my.theme.yaml:2:10: styles.Buton: there is no kind or part 'Buton'" in caplog.text
    assert "its former version stays in use" in caplog.text
    assert len(themes.problems) == 1
    write(root / "my.theme.yaml", "colors: {accent: blue}", game)
    game.frame()
    assert accent(game) == (0, 0, 255, 255)
    assert not themes.problems


def test_an_edit_of_an_extended_theme_takes_effect_too(tmp_path: Path) -> None:
    """A theme is made again when a file changes that it extends."""
    write(tmp_path / "base.theme.yaml", ACCENT)
    write(tmp_path / "my.theme.yaml", "extends: base.theme.yaml")
    with start(tmp_path) as app:
        assert accent(app) == (255, 0, 0, 255)
        write(tmp_path / "base.theme.yaml", "colors: {accent: lime}", app)
        assert accent(app) == (0, 255, 0, 255)


def test_a_game_with_a_wrong_theme_begins_with_the_dark_one(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Mistakes inside a theme do not keep a game from starting."""
    write(tmp_path / "my.theme.yaml", "colors: {accent: 7}")
    with start(tmp_path) as app:
        assert app.world[Themes].current(app.world).name == "dark"
    assert "my.theme.yaml:1:18: colors.accent: must be a color" in caplog.text
    assert "'dark' stays in use" in caplog.text


def test_check_reports_all_theme_files(tmp_path: Path) -> None:
    """`rish check` reports mistakes of all theme files, their images and fonts included."""
    write(tmp_path / "my.theme.yaml", "fonts: {body: gone.ttf}\nstyles: {Panel: {image: gone.png}}")
    write(tmp_path / "other.theme.yaml", "colors: {accent: 7}")
    with pytest.raises(ManifestError) as caught:
        start(tmp_path, open_assets=True)
    said = [str(problem) for problem in caught.value.problems]
    assert len(said) == 3
    assert "my.theme.yaml:1:15: fonts.body: there is no file 'gone.ttf'" in said[0]
    assert "my.theme.yaml:2:25: styles.Panel.image: there is no file 'gone.png'" in said[1]
    assert "other.theme.yaml:1:18: colors.accent: must be a color" in said[2]


@pytest.mark.parametrize(
    ("theme", "scene", "said"),
    [
        ("drak", "[]", "game.yaml:3:24: settings.ui.theme: there is no theme 'drak' (did you mean 'dark'?)"),
        ("gone.theme.yaml", "[]", "settings.ui.theme: there is no file 'gone.theme.yaml'"),
        (
            "dark",
            "[{Button: {}, Widget: {style: dangr}}]",
            "game.yaml:4:46: scenes.main[0].Widget.style: the theme dark has no variant 'dangr' of Button "
            "(did you mean 'danger'?). Variants: primary, danger, quiet",
        ),
    ],
)
def test_the_manifest_names_themes_and_variants_that_exist(tmp_path: Path, theme: str, scene: str, said: str) -> None:
    """A theme or variant that does not exist is a mistake of the manifest."""
    with pytest.raises(ManifestError) as caught:
        start(tmp_path, theme, scene)
    assert said in str(caught.value)
