"""Write the folder of the current version: a game, a save game, a recording, and what is true in the saved state."""

from __future__ import annotations

import json
import shutil
from importlib.metadata import version
from pathlib import Path

from rish_core import TickHooks, Transform, open_game
from rish_expressions import Variables
from rish_history import RandomPlayer, Recorder, Saves, origin_of

GAME = Path(__file__).parents[3] / "games" / "orchard"
OVERRIDES = ["scene=play"]
TICKS = 450


def main() -> None:
    """Write the folder. Raises FileExistsError if there is one: its version may have been released."""
    folder = Path(__file__).parent / version("rish-core")
    game = folder / GAME.name
    shutil.copytree(GAME, game, ignore=shutil.ignore_patterns("__pycache__", "out"))
    with open_game(game, OVERRIDES, headless=True, backend="null", more=["history"]) as app:
        origin = origin_of(app, OVERRIDES, more=["history"])
        origin.game = GAME.name
        RandomPlayer(app, 1, spare=("leave", "pause")).take_over()
        recorder = Recorder(app, folder / "run.rish", origin)
        app.run(TICKS)
        recorder.finish()
        app.world[TickHooks].before.clear()
        app.world[Saves].save(folder / "played.save")
        expected = {
            "tick": app.world.tick,
            "transforms": len(app.world[Transform]),
            "variables": app.world[Variables].values,
        }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
