"""The list of plugins installs one in a process of its own, and adds it to the game as one step."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_authoring import plugin_names
from rish_editor.commands.plugins import installing
from rish_editor.testing import UIDriver
from small_wheels import write_wheel


@pytest.fixture
def installs(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """A function that gives the program which runs instead of `rish add`."""
    popen = subprocess.Popen

    def use(program: str) -> None:
        def start(command: list[str], **options: Any) -> Any:
            assert command[1:6] == ["-m", "rish_core", "add", "--install-only", "--"]
            return popen([sys.executable, "-S", "-c", program, *command[6:]], **options)

        monkeypatch.setattr(installing.subprocess, "Popen", start)

    return use


def install(driver: UIDriver, wish: str) -> None:
    """Open the settings of the game, type what to install, and click Install."""
    driver.shell.editor.run("file.settings")
    driver.step(3)
    form = driver.place("dialog/form")
    while driver.place("dialog/install_plugin").bottom > form.bottom:
        driver.scroll("dialog/form", -2)
        driver.step(2)
    driver.click("dialog/install")
    driver.type(wish)
    driver.step(2)
    driver.click("dialog/install_plugin")


def test_an_installed_plugin_is_added_as_one_step(
    driver: UIDriver, open_text: Any, installs: Callable[[str], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While the process runs, its output and a button to cancel are shown; then the plugin runs, and one undo takes it
    out of the game.
    """
    wheel, site = write_wheel(tmp_path, "gusty"), tmp_path / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    installs(f"import sys, zipfile; print('unpacking'); zipfile.ZipFile(sys.argv[2]).extractall({str(site)!r})")
    game = open_text()
    install(driver, str(wheel))
    driver.step()
    assert driver.sees("dialog/cancel_install")
    driver.wait(lambda: not driver.sees("dialog/cancel_install"), frames=5000)
    driver.step(3)
    assert "gust" in game.app.plugins
    assert plugin_names(game.project.text) == ["render", "gust"]
    game.undo()
    assert "gust" not in game.app.plugins


def test_a_failure_is_shown_and_changes_nothing(
    driver: UIDriver, open_text: Any, installs: Callable[[str], None]
) -> None:
    """If the plugin can't be installed, the form shows why, and the game is as before."""
    installs("print('rish: it does not fit'); raise SystemExit(2)")
    game = open_text()
    install(driver, "gusty")
    driver.wait(lambda: driver.sees("dialog/install_problem"), frames=5000)
    assert plugin_names(game.project.text) == ["render"]
    assert not game.dirty


def test_an_installation_can_be_cancelled(driver: UIDriver, open_text: Any, installs: Callable[[str], None]) -> None:
    """Cancel ends the process."""
    installs("import time; print('looking', flush=True); time.sleep(600)")
    open_text()
    install(driver, "gusty")
    driver.step(2)
    driver.click("dialog/cancel_install")
    driver.wait(lambda: driver.sees("dialog/install_problem"), frames=5000)
