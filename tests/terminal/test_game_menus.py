"""The menus of shipped games can be read in a terminal, and operated by its keys."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from long_runs import long
from rish_core import Scenes, open_game
from rish_terminal import TerminalBackend

GAMES = Path(__file__).parents[2] / "games"
MENUS = [
    ("breakout", "zh-Hant", ("開始遊戲", "選項", "製作名單", "離開", "已暫停", "重新開始")),
    ("orchard", "en", ("Play", "Options", "Credits", "Quit", "Paused", "Restart")),
]
"""Games, languages, and the words of their menus."""
pytestmark = pytest.mark.slow


@pytest.fixture
def shown(line: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """A context with a game in a terminal of 120 by 34 cells: its app, and what types keys and returns the texts."""
    monkeypatch.setenv("COLORTERM", "truecolor")
    monkeypatch.setenv("TERM", "xterm-256color")

    @contextmanager
    def start(game: str, language: str) -> Iterator[tuple[Any, Callable[[str], str]]]:
        pty = line(120, 34)
        changes = [f"settings.ui.language={language}", "settings.ui.reduced_motion=true"]
        backend = TerminalBackend(pty.slave, pty.slave, rate=1e6)
        with open_game(GAMES / game, changes, headless=False, backend=backend, personal=False) as app:

            def type_(keys: str = "") -> str:
                pty.type(keys)
                for _ in range(8):
                    app.frame(seconds=0.05)
                return "\n".join(pty.settle().text)

            yield app, type_

    return start


@pytest.mark.parametrize(
    ("game", "language", "words"),
    long(MENUS, MENUS[:1]),
)
def test_title_and_pause_in_a_terminal(shown: Any, game: str, language: str, words: tuple[str, ...]) -> None:
    """All buttons of the title and of the pause are characters, and keys go from one to the other."""
    with shown(game, language) as (app, type_):
        title = type_()
        assert all(word in title for word in words[:4])
        type_("\r")
        assert app.world[Scenes].current == "play"
        pause = type_("p")
        assert all(word in pause for word in words[4:])
        type_("\x1b[A\r")
        assert app.world[Scenes].current == "title"
