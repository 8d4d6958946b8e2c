"""The renaming of fields and classes changed names only: each part of the state of each game is the same as before.

`renaming.json` has the parts of each game after sixty ticks, from before the renaming, and the hash of the complete
state under the current names. Games whose content has changed since then are pinned in their own tests.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rish_core import open_game

GAMES = Path(__file__).parents[2] / "games"
PINNED: dict[str, Any] = json.loads(Path(__file__).with_name("renaming.json").read_text(encoding="utf-8"))
RENAMED: dict[str, str] = PINNED["renamed"]
HOLD_NAMES = {"cursors:readers", "physics.Settings:resource", "particles.Settings:resource"}
"""Parts whose content includes names: of the event readers, and of the fields of resources."""
ADDED = {"lighting.Occluder.radius"}
"""A field that was added with the renaming."""
REMOVED = {"core.EdgeVersions:resource"}
"""A part that is no longer state, because readers of `Edges` store its membership."""


@pytest.mark.parametrize("game", PINNED["games"])
def test_only_names_have_changed(game: str) -> None:
    """Every part has the digest that it had under its former name, and the complete state has the recorded hash."""
    pinned = PINNED["games"][game]
    before: dict[str, str] = pinned["parts_before"]
    with open_game(GAMES / game, headless=True) as app:
        app.run(60, draw=False)
        now = app.world.hashes()
        before = {name: digest for name, digest in before.items() if name not in REMOVED}
        assert {RENAMED.get(name, name) for name in before} == now.keys() - ADDED
        differs = [name for name, digest in before.items() if now[RENAMED.get(name, name)] != digest]
        assert set(differs) <= HOLD_NAMES
        assert app.world.hash() == pinned["hash"]
