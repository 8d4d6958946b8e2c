"""Makes the pictures of the README again; look at them before committing.

python docs/make_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from PIL import Image

from rish_core import launcher, open_game

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "pictures"
TAKES = {
    "breakout.png": ("games/breakout", 5, 440),
    "breakout.gif": ("games/breakout", 5, 520),
    "hello.png": ("games/hello", 0, 1),
    "physics.png": ("games/physics", 8, 160),
    "physics.gif": ("games/physics", 8, 330),
    "chinese.png": ("docs/scenes/chinese", 0, 1),
    "island.png": ("docs/scenes/island", 4, 200),
    "sirens.png": ("games/sirens", 11, 560),
    "boids.png": ("games/boids", 1, 180),
}
"""For each image the game, the seed and the number of frames: moments with much activity."""
DEMO = ("settings.game.attract_after=1.5",)
CHANGES = {
    "breakout.png": DEMO,
    "breakout.gif": DEMO,
    "sirens.png": ("scene=crowd", "settings.audio.output='null'"),
    "boids.png": ("settings.game.without_compute=6000",),
}
"""Changes of the manifest for some images; with the output `null`, instruments show what is mixed."""
SHEETS = {
    "ui/menus.png": (
        ("games/menus", "settings.ui.language=en"),
        ("games/orchard", "settings.ui.language=zh-Hant"),
        ("games/menus", "settings.ui.language=zh-Hant", "settings.ui.theme=light"),
        ("games/rewind", "settings.ui.language=en"),
    ),
}
"""Images that consist of the first pictures of several games, two in a row, with changes of their manifests."""
_TILE = (640, 360)


def main(names: list[str]) -> int:
    """Run a game for each named picture, or for all; return the first exit code that is not 0."""
    for name in names or [*TAKES, *SHEETS]:
        if name in SHEETS:
            make_sheet(name)
            continue
        game, seed, frames = TAKES[name]
        options = ["--headless", f"--seed={seed}", f"--frames={frames}", f"--capture={PICTURES / name}"]
        options += [f"--set={change}" for change in CHANGES.get(name, ())]
        if code := launcher.main(["run", str(ROOT / game), *options]):
            return code
    return 0


def make_sheet(name: str) -> None:
    """Take the pictures of a sheet, and put them beside each other."""
    tiles = SHEETS[name]
    wide, high = _TILE
    sheet = Image.new("RGB", (2 * wide, (len(tiles) + 1) // 2 * high))
    for k, (game, *changes) in enumerate(tiles):
        with open_game(ROOT / game, changes, headless=True, backend="software", size=_TILE) as app:
            app.run(40)
            app.frame(draw=True)
            sheet.paste(Image.fromarray(app.pixels()).convert("RGB"), (k % 2 * wide, k // 2 * high))
    sheet.save(PICTURES / name, optimize=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
