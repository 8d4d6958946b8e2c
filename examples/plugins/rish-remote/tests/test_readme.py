"""The commands of the README work on the game that they name."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rish_core import open_game
from rish_remote.plugin import Remote

README = Path(__file__).parents[1] / "README.md"
GAME = Path(__file__).parents[4] / "games" / "breakout"


def blocks(kind: str) -> list[str]:
    """Return the code blocks of a kind."""
    return re.findall(rf"^```{kind}\n(.*?)^```", README.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def commands(kind: str) -> list[str]:
    """Return the commands in blocks of a kind."""
    return [line.removeprefix("$ ") for block in blocks(kind) for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.slow
@pytest.mark.gl
def test_commands_and_notebook_work(tmp_path: Path) -> None:
    """Each command gets an answer, those that fail get an error that names the mistake, and the notebook runs."""
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    overrides = ["settings.remote.token=secret", "scene=play"]
    app = open_game(GAME, overrides, headless=True, more=["remote"], backend="software", policy="raise", warm_up=False)
    with app, ThreadPoolExecutor(1) as pool:
        app.frame()
        app.clock.pause()  # the frames wait for the commands
        url = app.world[Remote].url
        future = pool.submit(play, url, tmp_path)
        while not future.done():
            app.frame()
        future.result()


def play(url: str, folder: Path) -> None:
    """Run all commands, then the notebook."""
    environment = {"API": url.partition("/#")[0] + "/api/1", "PATH": "/usr/bin:/bin"}

    def run(command: str) -> str:
        made = subprocess.run(
            ["bash", "-c", command], cwd=folder, env=environment, capture_output=True, text=True, timeout=60
        )
        assert made.returncode == 0, (command, made)
        return made.stdout

    for command in commands("console"):
        answer = run(command)
        assert "error" not in answer, (command, answer)
    (wrong,) = commands("console fails")
    said = json.loads(run(wrong))["error"]
    assert said["message"].startswith(re.findall(r'"message":"(.*?)\. \.\.\.', blocks("console fails")[0])[0])
    assert (folder / "picture.png").read_bytes().startswith(b"\x89PNG")
    scope: dict[str, Any] = {}
    exec(blocks("python")[0].replace("http://127.0.0.1:8420", url.partition("/#")[0]), scope)
    assert scope["picture"].shape == (540, 960, 4)
    assert len(scope["found"]["Brick.hits"]) > 50
