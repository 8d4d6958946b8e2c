"""Editors that are killed at random moments of random work: files stay whole, and at most the last action is lost."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
import yaml

from killed_work import state_of, texts_of
from long_runs import long
from rish_editor.session.settings import Settings
from rish_editor.shell.shell import Shell
from rish_editor.testing import UIDriver

HELPERS = Path(__file__).parent.parent / "helpers"
KINDS = ("", "save", "play", "type")


class Killed:
    """What an editor had said when it was killed. states, texts: one after the other. seen: how many were copied."""

    def __init__(self, folder: Path, seed: int) -> None:
        rng = random.Random(seed)
        kind, actions, wait = KINDS[seed % 4], rng.randint(2, 5), rng.random() * rng.choice([0.01, 0.3])
        frames = rng.randint(30, 250)
        self.states: list[str] = []
        self.texts: list[dict[str, str]] = []
        self.seen = 0
        process = subprocess.Popen(
            [sys.executable, HELPERS / "killed_work.py", folder, str(seed)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "ARCADE_HEADLESS": "1", "PYTHONPATH": str(HELPERS)},
        )  # fmt: skip
        assert process.stdout is not None
        with process.stdout as lines:
            for line in lines:
                self._take(json.loads(line))
                frames -= '"seen"' in line
                actions -= kind != "" and f'"do": "{kind}"' in line
                if (kind and actions <= 0) or (not kind and frames <= 0):
                    break
            time.sleep(wait)
            process.send_signal(signal.SIGKILL)
            for line in lines:
                if line.endswith("\n"):
                    self._take(json.loads(line))
            process.wait()
        assert process.returncode == -signal.SIGKILL

    def _take(self, line: dict[str, Any]) -> None:
        if "state" in line:
            self.states.append(line["state"])
            self.texts.append(line["texts"])
        self.seen = line.get("seen", self.seen)


@pytest.fixture
def copying(settings: Settings) -> Settings:
    """Settings with copies."""
    settings.autosave = 20.0
    return settings


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs kill -9")
@pytest.mark.parametrize("seed", long(range(1, 41), [8]))
def test_a_killed_editor_loses_at_most_the_last_action(
    copying: Settings, window: Any, tmp_path: Path, seed: int
) -> None:
    """Files are whole; the editor opened again has what was saved, and offers what was not, up to the last action."""
    folder = tmp_path / "game"
    killed = Killed(folder, seed)
    for name in ("game.yaml", "more.yaml"):
        text = (folder / name).read_text()
        assert text.endswith("\n")
        assert isinstance(yaml.safe_load(text), dict)
    compile((folder / "plugin.py").read_text(), "plugin.py", "exec")
    shell = Shell(copying, headless=True, window=window, marks=True, drawn=False, saves=False)
    try:
        driver = UIDriver(shell)
        assert shell.open(folder)
        assert not shell.editor.problems
        for _ in range(12):
            driver.step(2)
            if driver.sees("dialog/recover"):
                driver.click("dialog/recover")
        game: Any = shell.editor.game
        least = max(killed.seen - 2, 0)
        assert state_of(game) in killed.states[least:], (killed.seen, len(killed.states))
        assert texts_of(shell) in killed.texts[least:], (killed.seen, len(killed.states))
        plan = game.project.plan()
        plan.finish(partial=True)
        assert not plan.wrong
    finally:
        shell.close()
