"""A whole job in the editor: a game is made from an empty folder by window events, saved, opened again, and run."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from long_runs import only_long
from rish_core.launcher import main
from rish_editor.testing import UIDriver
from whole_job import MANIFEST, PLUGINS, SMALL, WholeJob


def undo_and_redo(job: WholeJob, least: int) -> None:
    """Undo all that was done and do it again, with keys; the World is exactly as before. least: of the steps."""
    built = job.game.world.hash()
    steps = job.undo()
    assert steps > least
    assert job.game.world.hash() == job.first
    assert not {"scripts", "physics", "game"} & {*job.game.app.plugins.names}
    assert job.redo() == steps
    assert job.game.world.hash() == built


def save_and_play(job: WholeJob, manifest: str, x: float) -> None:
    """Save and open again what has the data of a manifest written by hand; play it, and stop. x: of the hero."""
    job.save()
    assert not job.game.dirty
    text = (job.folder / "game.yaml").read_text(encoding="utf-8")
    saved = yaml.safe_load(text)
    assert saved["game"].pop("id").startswith("cave-")  # each new game has one of its own
    assert saved == yaml.safe_load(manifest), text
    before = job.game.world.hash()
    job.play()
    assert job.position("hero")[0] == pytest.approx(x + 90 * job.game.world.tick / 60, abs=0.01)
    if manifest is MANIFEST:
        assert job.position("ball")[1] < 280
    job.stop()
    assert job.game.world.hash() == before
    assert not job.game.dirty
    assert not [line.text for line in job.driver.shell.log.lines if line.level >= 40]


def check_and_run(folder: Path) -> None:
    """Let `rish` check and run a game without a window."""
    assert main(["check", str(folder)]) == 0
    assert main(["run", str(folder), "--headless", "--frames", "60"]) == 0


@pytest.mark.slow
def test_a_small_game_is_made_saved_reopened_played_and_run(driver: UIDriver, tmp_path: Path) -> None:
    """All of it works by window events; undo and redo are exact; the saved text has the data of one written by hand."""
    job = WholeJob(driver, tmp_path / "cave")
    job.begin("scripts")
    empty = job.game.world.hash()
    job.build_small()
    assert job.game.world.hash() != empty
    undo_and_redo(job, 8)
    save_and_play(job, SMALL, 0)
    check_and_run(job.folder)


@only_long
@pytest.mark.slow
def test_a_game_is_made_saved_reopened_played_and_run(driver: UIDriver, tmp_path: Path) -> None:
    """The same with all kinds of things: a tile map, light, particles and bodies."""
    job = WholeJob(driver, tmp_path / "cave")
    job.begin(*PLUGINS)
    empty = job.game.world.hash()
    job.build()
    assert job.game.world.hash() != empty
    undo_and_redo(job, 30)
    save_and_play(job, MANIFEST, 80)
    check_and_run(job.folder)
