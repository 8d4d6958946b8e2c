"""Packs in the editor: their files are written into a folder that a person chooses, and their code waits for a yes."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core.launcher import main as rish
from rish_core.manifest import is_data_only
from rish_editor.testing import UIDriver

GAME = "rish: 1\ngame: {title: Pond}\nplugins: [render]\nscenes: {main: []}\n"
CODE = "from pathlib import Path\n\n(Path(__file__).parents[1] / 'ran').write_text('', encoding='utf-8')\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working folder, which is empty."""
    here = tmp_path / "here"
    here.mkdir()
    monkeypatch.chdir(here)
    return here


def packed(tmp_path: Path, *, code: bool) -> Path:
    """Return a pack of a small game."""
    game = tmp_path / "pond"
    game.mkdir()
    (game / "game.yaml").write_text(GAME, encoding="utf-8")
    if code:
        (game / "plugin.py").write_text(CODE, encoding="utf-8")
    assert rish(["pack", str(game), "--out", str(tmp_path / "pond.rishgame")]) == 0
    return tmp_path / "pond.rishgame"


def test_a_pack_is_edited_in_a_folder_that_the_person_names(driver: UIDriver, folder: Path, tmp_path: Path) -> None:
    """The dialogue proposes a new folder; the pack itself stays, and a game without code is opened at once."""
    pack = packed(tmp_path, code=False)
    before = pack.read_bytes()
    (folder / "pond").mkdir()
    driver.shell.editor.open(pack)
    driver.step(3)
    driver.click("dialog/ok")
    driver.step(3)
    game = driver.shell.editor.game
    assert game is not None
    assert game.path.resolve() == (folder / "pond-2").resolve()
    assert (folder / "pond-2" / "game.yaml").read_text(encoding="utf-8") == GAME
    assert pack.read_bytes() == before


@pytest.mark.parametrize(
    ("answer", "opened", "ran"), [("data", True, False), ("run", True, True), ("cancel", False, False)]
)
def test_code_in_a_pack_runs_only_if_the_person_agrees(
    driver: UIDriver, folder: Path, tmp_path: Path, answer: str, opened: bool, ran: bool
) -> None:
    """The question names the files with code; without a yes nothing is written, or the game is opened as data only."""
    pack = packed(tmp_path, code=True)
    driver.shell.editor.open(pack)
    driver.step(3)
    driver.enter("dialog/name", "mine")
    driver.click("dialog/ok")
    driver.step(3)
    assert not (folder / "mine").exists()
    driver.click(f"dialog/{answer}")
    driver.step(3)
    assert (driver.shell.editor.game is not None) == opened
    assert (folder / "mine" / "game.yaml").exists() == opened
    assert (folder / "ran").exists() == ran
    assert is_data_only(folder / "mine") == (answer == "data")


def test_a_damaged_pack_is_one_message(driver: UIDriver, folder: Path, tmp_path: Path) -> None:
    """It names the file and the reason; no folder is asked for, and none is written."""
    pack = packed(tmp_path, code=False)
    pack.write_bytes(pack.read_bytes()[:200])
    driver.shell.editor.open(pack)
    driver.step(3)
    assert driver.shell.editor.game is None
    assert not driver.sees("dialog/ok")
    assert not list(folder.iterdir())
    assert "Open pond.rishgame: " in driver.shell.editor.notes[-1].text
    assert rish(["edit", str(pack)]) == 2


def test_a_folder_that_is_there_is_not_overwritten(driver: UIDriver, folder: Path, tmp_path: Path) -> None:
    """The message says so, and its files stay."""
    (folder / "mine").mkdir()
    (folder / "mine" / "letter.txt").write_text("dear", encoding="utf-8")
    driver.shell.editor.open(packed(tmp_path, code=False))
    driver.step(3)
    driver.enter("dialog/name", "mine")
    driver.click("dialog/ok")
    driver.step(3)
    assert driver.shell.editor.game is None
    assert [path.name for path in (folder / "mine").iterdir()] == ["letter.txt"]
