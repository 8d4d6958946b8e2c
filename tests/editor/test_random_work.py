"""Random work in a windowed editor: nothing is lost or doubled, also when the editor is killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from long_runs import long
from random_work import Worker, write_game
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver
from rish_render import open_window

STEPS = long(500, 40)


@pytest.fixture
def windowed(settings: Settings) -> Iterator[UIDriver]:
    """A person at an editor with a window that is not shown, but counts as one that a person can use."""
    window = open_window("Test", (1280, 720), visible=False)
    shell = Shell(settings, window=window, marks=True, drawn=False, saves=False)
    yield UIDriver(shell)
    shell.close()
    window.close()


@pytest.mark.slow
@pytest.mark.parametrize("number", long([1, 2, 3], [1]))
def test_random_work_loses_and_doubles_nothing(windowed: UIDriver, tmp_path: Path, number: int) -> None:
    """After each action the text with the edits gives the World, and the files are what was saved."""
    write_game(tmp_path / "game")
    assert windowed.shell.open(tmp_path / "game")
    windowed.step(3)
    assert windowed.shell.editor.game.app.windowed
    worker = Worker(windowed, number)
    for _ in range(STEPS):
        worker.work()
