"""Games with faults in their code: each is named, and the editor goes on."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_editor.testing import UIDriver

Open = Callable[..., Any]
RAISES = """from rish_core import Stage, system

@system(Stage.UPDATE)
def bad(world, dt):
    if world.tick > 3:
        raise ValueError("planted")

def rish_systems():
    return [bad]
"""


def open_code(open_text: Open, tmp_path: Path, code: str) -> Any:
    """Open a game with this code."""
    (tmp_path / "game").mkdir()
    (tmp_path / "game" / "plugin.py").write_text(code)
    return open_text()


def test_code_that_can_not_be_imported_is_listed(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """The game opens without its code, and the panel Problems has the mistake with its line."""
    open_code(open_text, tmp_path, "import nowhere_at_all\n")
    [problem] = driver.shell.editor.problems
    assert "nowhere_at_all" in problem.what
    assert (Path(problem.place.file).name, problem.place.line) == ("plugin.py", 1)
    assert any("1 mistake in game" in note.text for note in driver.shell.editor.notes)
    driver.wait(lambda: driver.shell.editor.panels.is_visible("editor.problems"), 10)


def test_a_system_that_raises_rests_until_the_run_ends(driver: UIDriver, open_text: Open, tmp_path: Path) -> None:
    """The run goes on without the system, which is named with a way to the log; the next run tries it again."""
    game = open_code(open_text, tmp_path, RAISES)
    for _ in range(2):
        driver.key("F5")
        driver.step(12)
        assert game.play.running
        assert game.play.disabled == ("game.bad",)
        assert sum("game.bad" in note.text for note in driver.shell.editor.notes) == 1
        driver.key("F8")
        driver.step(2)
        assert "game.bad" not in game.app.schedule.disabled
