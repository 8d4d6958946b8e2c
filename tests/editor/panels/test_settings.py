"""The panel of settings and the sheet of keys: changes are in force at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from rish_editor.session.settings import read_settings
from rish_editor.testing import UIDriver

Open = Callable[..., Any]


def opened(driver: UIDriver) -> None:
    """Open the panel by its keys."""
    driver.key("Ctrl+Comma")
    driver.step(4)


def choose(driver: UIDriver, name: str, value: str) -> None:
    """Choose a value of a list."""
    driver.click(f"editor.settings/appearance/{name}")
    driver.step(2)
    found = next(mark for mark in driver.marks() if mark.endswith(f"{name}:{value}"))
    driver.click(found)
    driver.step(3)


def test_the_theme_changes_at_once_and_is_kept(driver: UIDriver) -> None:
    """Choosing Light makes the window light in the next frames, and it is light at the next start."""
    opened(driver)
    dark = int(driver.picture()[100:600, 20:200, :3].mean())
    choose(driver, "theme", "Light")
    assert int(driver.picture()[100:600, 20:200, :3].mean()) > dark + 100
    driver.shell.editor.settings.save()
    assert read_settings().theme == "Light"


def test_the_language_changes_at_once(driver: UIDriver) -> None:
    """Choosing 繁體中文 translates the menus; panels stay where they are: their identifiers have no language."""
    opened(driver)
    place = driver.place("editor.settings")
    choose(driver, "language", "zh-TW")
    assert driver.shell.editor.tr("File") == "檔案"
    assert driver.place("editor.settings")[:2] == place[:2]


@pytest.mark.slow
@pytest.mark.parametrize("scale", ["80 %", "200 %"])
def test_the_scale_changes_at_once(driver: UIDriver, scale: str) -> None:
    """The interface is scaled live, also twice in a row."""
    opened(driver)
    before = driver.place("menu/File").size[1]
    choose(driver, "scale", scale)
    driver.step(3)
    factor = driver.place("menu/File").size[1] / before
    assert factor == pytest.approx(int(scale.split()[0]) / 100, abs=0.1)


def test_a_shortcut_is_set_by_pressing_it(driver: UIDriver, open_text: Open) -> None:
    """Click, press the new keys: they run the command, the old ones do not, and the sheet of keys shows them."""
    open_text()
    opened(driver)
    row = "editor.settings/shortcuts/view.grid"
    driver.click("editor.settings/shortcuts/find")
    driver.type("grid")
    driver.step(2)
    driver.click(f"{row}/keys")
    driver.key("Ctrl+J")
    driver.step(2)
    editor = driver.shell.editor
    assert editor.commands.shortcut("view.grid") == "Ctrl+J"
    before = editor.settings.show_grid
    driver.key("Ctrl+J")
    driver.step(2)
    assert editor.settings.show_grid != before
    driver.click(f"{row}/reset")
    assert editor.commands.shortcut("view.grid") == "G"


def test_escape_keeps_the_old_shortcut_and_delete_removes_it(driver: UIDriver, open_text: Open) -> None:
    """While keys are awaited, Escape changes nothing and Delete leaves the command without keys."""
    open_text()
    opened(driver)
    driver.click("editor.settings/shortcuts/find")
    driver.type("grid")
    driver.step(2)
    commands = driver.shell.editor.commands
    driver.click("editor.settings/shortcuts/view.grid/keys")
    driver.key("Escape")
    driver.step(2)
    assert commands.shortcut("view.grid") == "G"
    driver.click("editor.settings/shortcuts/view.grid/keys")
    driver.key("Delete")
    driver.step(2)
    assert commands.shortcut("view.grid") == ""


def test_keys_of_two_commands_are_shown_as_a_conflict(driver: UIDriver, open_text: Open) -> None:
    """A shortcut that another command has is marked in the table."""
    open_text()
    driver.shell.editor.commands.keys["view.snap"] = "G"
    opened(driver)
    driver.click("editor.settings/shortcuts/find")
    driver.type("grid")
    driver.step(2)
    assert driver.sees("editor.settings/shortcuts/view.grid/clash")


def test_reset_gives_all_settings_their_usual_values(driver: UIDriver) -> None:
    """Reset all settings restores theme, steps and shortcuts; recent games and layouts stay."""
    settings = driver.shell.editor.settings
    settings.theme, settings.grid, settings.recent = "Light", 3.0, ["/a/game"]
    driver.shell.editor.commands.keys["view.grid"] = "J"
    opened(driver)
    driver.scroll("editor.settings", -100)
    driver.step(2)
    driver.click("editor.settings/reset")
    driver.step(2)
    assert (settings.theme, settings.grid) == ("Dark", 16.0)
    assert settings.recent == ["/a/game"]
    assert driver.shell.editor.commands.shortcut("view.grid") == "G"


def test_the_sheet_of_keys_lists_every_command_with_keys(driver: UIDriver) -> None:
    """F1 shows each shortcut with its command."""
    driver.key("F1")
    driver.step(4)
    commands = driver.shell.editor.commands
    wanted = {command.id for command in commands if commands.shortcut(command.id)}
    assert wanted == {mark.partition("key:")[2] for mark in driver.marks("editor.keys/key:")} & wanted


def test_about_names_the_version(driver: UIDriver) -> None:
    """Help, About shows the versions of the packages; Copy puts them into the clipboard."""
    driver.click("menu/Help")
    driver.step(2)
    driver.click("menu/Help/help.about")
    driver.step(4)
    assert driver.sees("dialog/version")
    driver.click("dialog/copy")
    assert "rish-editor 0.1.0" in driver.shell.editor.clipboard()
    driver.key("Escape")
    driver.step(2)
    assert not driver.sees("dialog/version")
