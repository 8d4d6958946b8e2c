"""Games for the tests of the tree and of the text."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rish_core import open_game

sys.path.insert(0, str(Path(__file__).parent / "saving"))


@pytest.fixture
def opened(tmp_path):
    """Return a function that starts a game of a text; the same folder again without one. warm_up: see `App`."""
    running = []

    def start(text=None, *, warm_up=False):
        if text is not None:
            (tmp_path / "game.yaml").write_text(text, encoding="utf-8", newline="")
        running.append(open_game(tmp_path, headless=True, warm_up=warm_up))
        return running[-1]

    yield start
    for app in running:
        app.close()
