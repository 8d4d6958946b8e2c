"""The file of settings: what does not fit is named and replaced, and options of one run are not saved."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_editor.session.settings import Settings, read_settings


def test_settings_are_read_as_they_were_saved(tmp_path: Path) -> None:
    """All values survive the file."""
    settings = Settings(theme="Light", scale=1.5, keys={"view.grid": "J"}, recent=["/a", "/b"], open_with="vim {file}")
    assert settings.save(tmp_path) is None
    assert read_settings(tmp_path) == settings


@pytest.mark.parametrize(
    "text",
    ["theme: [1]", "[]", "theme: {", "\0", "scale: wide", "recent: /a", "scale: .nan", "grid: -5", "keys: {a: 7}"],
)
def test_values_that_do_not_fit_are_replaced(tmp_path: Path, text: str) -> None:
    """A damaged file gives the usual settings for what does not fit; the editor starts anyway."""
    (tmp_path / "editor.yaml").write_text(text)
    assert read_settings(tmp_path) == Settings()


def test_values_of_one_run_are_not_saved(tmp_path: Path) -> None:
    """An option of the command is used, but what the person has chosen stays in the file; a new choice is saved."""
    settings = Settings(theme="Light", scale=1.25)
    settings.use_now(theme="Dark", scale=2.0)
    assert (settings.theme, settings.scale) == ("Dark", 2.0)
    settings.scale = 1.5
    settings.save(tmp_path)
    saved = read_settings(tmp_path)
    assert (saved.theme, saved.scale) == ("Light", 1.5)


def test_a_folder_that_cant_be_written_is_named(tmp_path: Path) -> None:
    """Saving returns the reason instead of raising."""
    (tmp_path / "file").write_text("")
    problem = Settings().save(tmp_path / "file")
    assert problem is not None
    assert "file" in problem


def test_games_on_the_same_stick_are_found_where_the_stick_is_now(tmp_path: Path) -> None:
    """Games below the folder above that of settings are stored relative to it; others by their whole path."""
    stick, other = tmp_path / "stick", str(tmp_path / "other")
    settings = Settings(recent=[str(stick / "games" / "yard"), other])
    assert settings.save(stick / "data") is None
    stick.rename(tmp_path / "moved")
    assert read_settings(tmp_path / "moved" / "data").recent == [str(tmp_path / "moved" / "games" / "yard"), other]
