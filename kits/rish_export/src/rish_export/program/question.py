"""A question to a player, asked in a window: a small game of Rish with a text and keys."""

from __future__ import annotations

import json
from pathlib import Path

from rish_core import Session, open_game

_KEYS = {"play": "Enter", "safe": "S", "quit": "Escape"}
_ACTIONS = ("quit", "play", "safe")
_WIDTH = 95
"""Letters of a line, because a long path has no place where it can be broken."""


def ask(title: str, text: str, choices: dict[str, str]) -> str:
    """Show a text in a window; return what the player chooses: `play`, `safe` or `quit`.

    choices: what each of them does, by name; a closed window is `quit`. Raises RishError if no window can be opened.
    """
    lines = [text[at : at + _WIDTH] for at in range(0, len(text), _WIDTH)]
    keys = "\n".join(f"{_KEYS[name]}: {what}" for name, what in choices.items())
    texts = (title, "\n".join(lines), keys)
    overrides = [f"scenes.main[{place}].Text.text={json.dumps(value)}" for place, value in enumerate(texts)]
    overrides.append(f"game.title={json.dumps(title)}")
    with open_game(Path(__file__).with_name("question_game"), overrides) as app:
        if not app.windowed:
            return next(iter(choices))
        app.run()
        session: Session = app.world[Session]
        choice = _ACTIONS[session.exit_code]
    return choice if choice in choices else "quit"
