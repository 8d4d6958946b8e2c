"""Makes a still of every particle preset, from the gallery; look at them before committing.

python docs/make_particle_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
from pathlib import Path

from rish_core import Scenes, open_game
from rish_frame.pictures import save_png

ROOT = Path(__file__).parents[1]
PICTURES = Path(__file__).parent / "pictures" / "particles"
FRAMES = {"explosion": 22, "confetti": 150, "splash": 88, "dust": 96, "fireworks": 140, "thruster": 75}
"""The tick at which each preset is saved; 100 for the others."""


def main(names: list[str]) -> None:
    """Play each scene for a while and save its frame."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with open_game(ROOT / "games" / "particles", headless=True, backend="software") as app:
        for name in names or app.world[Scenes].names:
            app.world[Scenes].go(name)
            app.run(frames=FRAMES.get(name, 100))
            save_png(PICTURES / f"{name}.png", app.host.backend.pixels())


if __name__ == "__main__":
    main(sys.argv[1:])
