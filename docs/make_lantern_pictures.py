"""Makes the pictures of games/lantern again, at twice the game's resolution; look at them before committing.

python docs/make_lantern_pictures.py [NAME ...]

The autopilot plays; each picture is taken once its condition holds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import App, Transform, named, open_game
from rish_frame.pictures import save_png

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "pictures"
SIZE = (960, 540)
DRAWN = 40
"""The number of frames drawn before an image is saved, while the fog clears."""
MAX = 60 * 90


def quest(app: App) -> Any:
    """Return the game's Quest resource."""
    return app.world[next(kind for kind in app.world.resources if kind.__name__ == "Quest")]


def in_cave(app: App) -> bool:
    """Return True if the hero is among the crystals."""
    hero = named(app.world, "hero")
    return bool(hero) and float(app.world.get(hero, Transform).position[0]) > 860


def at_start(app: App) -> bool:
    """Return True if the hero has walked some steps."""
    return quest(app).seconds > 0.9


def is_won(app: App) -> bool:
    """Return True if the brazier has just caught fire."""
    return quest(app).phase.name == "WON" and quest(app).since > 0.75


TAKES: dict[str, tuple[str, str, Callable[[App], bool]]] = {
    "lantern": ("play", "off", is_won),
    "lantern-title": ("title", "off", lambda app: app.world.tick > 130),
    "lantern-start": ("play", "off", at_start),
    "lantern-cave": ("play", "off", in_cave),
    "lantern-cave-gi": ("play", "medium", in_cave),
}
"""By image: its first scene, the quality of global illumination, and the condition for saving it."""


def take(name: str) -> None:
    """Play until the picture's condition holds, draw some more frames, and write the picture."""
    scene, gi, comes = TAKES[name]
    settings = [f"scene={scene}", "settings.game.title_time=60", f"settings.lighting.gi={gi}"]
    with open_game(ROOT / "games/lantern", settings, headless=True, pixels=True, policy="raise", size=SIZE) as app:
        while not comes(app) and app.world.tick < MAX:
            app.frame(draw=False)
        for _ in range(DRAWN):
            app.frame()
        save_png(PICTURES / f"{name}.png", app.pixels())
    print(f"{name}.png")


if __name__ == "__main__":
    for wanted in sys.argv[1:] or TAKES:
        take(wanted)
