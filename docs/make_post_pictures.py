"""Makes the pictures of post-processing, from Breakout; look at them before committing.

python docs/make_post_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from rish_core import App, open_game
from rish_frame.pictures import save_png
from rish_lighting import set_post, transition

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "pictures" / "post"
CHAINS: dict[str, list[Any]] = {
    "plain": [],
    "bloom": ["bloom"],
    "together": ["bloom", "vignette", {"grading": {"temperature": 0.12, "contrast": 1.12}}],
    "crt": [{"crt": {"over": "game", "lines": 180}}],
    "grading": [{"grading": {"temperature": 0.9, "contrast": 1.2, "lift": [0.02, 0.0, 0.04], "saturation": 0.9}}],
    "vignette": ["vignette"],
    "aberration": [{"aberration": {"strength": 14}}],
    "pixelate": ["pixelate"],
    "blur": ["blur"],
    "grain": [{"grain": {"strength": 0.12}}],
    "fade": [{"fade": {"amount": 0.6, "color": "#301848"}}],
    "tone_map": [{"tone_map": {"curve": "aces", "exposure": 1}}],
}
CROSSINGS = {"dissolve": {}, "crossfade": {}, "wipe": {"angle": 0.4}, "iris": {"center": (0.4, 0.5)}}


def open_breakout() -> App:
    """Open the game in a match that the autopilot plays."""
    game = ROOT / "games" / "breakout"
    return open_game(game, ["scene=play"], headless=True, backend="software", more=["lighting"])


def main(names: list[str]) -> None:
    """Save one picture for each effect, and one from the middle of each transition."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    wanted = names or [*CHAINS, *CROSSINGS]
    with open_breakout() as app:
        app.run(frames=90)
        for name in [name for name in CHAINS if name in wanted]:
            set_post(app.world, CHAINS[name])
            app.run(frames=1)
            pixels = app.host.backend.pixels()
            save_png(PICTURES / f"{name}.png", pixels[60:240, 320:640] if name == "grain" else pixels)
    for name in [name for name in CROSSINGS if name in wanted]:
        with open_breakout() as app:
            set_post(app.world, ["bloom"])
            app.run(frames=90)
            transition(app.world, "title", effect=name, seconds=1.6, **CROSSINGS[name])
            app.run(frames=50)
            save_png(PICTURES / f"{name}.png", app.host.backend.pixels())


if __name__ == "__main__":
    main(sys.argv[1:])
