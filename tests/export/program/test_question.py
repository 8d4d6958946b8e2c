"""The question to a player, without a window and with pressed keys."""

from __future__ import annotations

from pathlib import Path

import pytest

from rish_core import InputRecord, Session, WindowEvent, open_game
from rish_export.program import question


def test_without_a_window_the_first_choice_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no window can be opened, the program goes on."""
    monkeypatch.delenv("DISPLAY", raising=False)
    assert question.ask("Pond crashed", "/home/me/" + "x" * 200, {"play": "play", "quit": "close"}) == "play"


@pytest.mark.parametrize(("key", "code"), [("ENTER", 1), ("S", 2), ("ESCAPE", 0)])
def test_a_key_ends_the_question(key: str, code: int) -> None:
    """The exit code is the number of the choice."""
    with open_game(Path(question.__file__).with_name("question_game"), headless=True) as app:
        app.tick()
        assert app.running
        app.tick(InputRecord((WindowEvent("key", key, down=True),)))
        assert not app.running
        session: Session = app.world[Session]
        assert session.exit_code == code
