"""A whole job in the editor: a game is made from an empty folder by window events, saved, opened again, and run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from rish_editor.testing import UIDriver
from whole_job import MANIFEST, WholeJob


def rish(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line in a process of its own."""
    environment = {**os.environ, "ARCADE_HEADLESS": "1"}
    command = [sys.executable, "-m", "rish_core", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)


@pytest.mark.slow
def test_a_game_is_made_saved_reopened_played_and_run(driver: UIDriver, tmp_path: Path) -> None:
    """All of it works by window events; undo and redo are exact; the saved text has the data of one written by hand."""
    job = WholeJob(driver, tmp_path / "cave")
    job.begin()
    empty = job.game.world.hash()
    job.build()
    built = job.game.world.hash()
    assert built != empty

    steps = job.undo()
    assert steps > 30
    assert job.game.world.hash() == job.first
    assert not {"scripts", "physics", "game"} & {*job.game.app.plugins.names}
    assert job.redo() == steps
    assert job.game.world.hash() == built

    job.save()
    assert not job.game.dirty
    text = (tmp_path / "cave" / "game.yaml").read_text(encoding="utf-8")
    assert yaml.safe_load(text) == yaml.safe_load(MANIFEST)

    before = job.game.world.hash()
    job.play()
    assert job.position("hero")[0] == pytest.approx(80 + 90 * job.game.world.tick / 60, abs=0.01)
    assert job.position("ball")[1] < 280
    job.stop()
    assert job.game.world.hash() == before
    assert not job.game.dirty
    assert not [line.text for line in driver.shell.log.lines if line.level >= 40]

    checked = rish("check", str(tmp_path / "cave"))
    assert checked.returncode == 0, checked.stdout + checked.stderr
    ran = rish("run", str(tmp_path / "cave"), "--headless", "--frames", "60")
    assert ran.returncode == 0, ran.stdout + ran.stderr
