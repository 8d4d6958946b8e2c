"""Makes the pictures of line of sight and of global illumination; look at them before committing.

python docs/make_sight_pictures.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

from rish_core import Transform, open_game
from rish_frame.pictures import save_png
from rish_lighting import Sight

PICTURES = Path(__file__).parent / "pictures" / "sight"
GAME = """
rish: 1
game: {title: Watch, size: [640, 360]}
plugins: [render, lighting]
settings: {render: {background: "#75664e"}, lighting: {post: [{vignette: {strength: 0.4}}]}}
scenes:
  main:
    - {prefab: slab, count: 40, at: {grid: [10, 4], step: [64, 90], origin: [32, 45]}}
    - {prefab: pillar, count: 6, at: {grid: [6, 1], step: [96, 0], origin: [80, 250]}}
    - {prefab: pillar, count: 6, at: {grid: [6, 1], step: [96, 0], origin: [80, 110]}}
    - {at: [470, 190], Transform: {rotation: 24deg}, Shape: {size: [100, 16], color: "#8a5038"},
       Occluder: {size: [100, 16]}}
    - {at: [330, 330], Transform: {}, Shape: {size: [220, 24], color: "#4c6a44"}, Occluder: {size: [220, 24]}}
    - {at: [330, 30], Transform: {}, Shape: {size: [220, 24], color: "#4c6a44"}, Occluder: {size: [220, 24]}}
    - {at: [180, 180], Transform: {}, Shape: {shape: circle, radius: 9, color: "#60c0ff"}, Sight: {radius: 230},
       Light: {radius: 300, source_size: 12, color: "#ffe0b0", intensity: 1.3}}
    - {FogOfWar: {high: [640, 360], cell: 3, soft: 6, margin: 40}}
    - {Ambient: {color: "#8890a4"}}
prefabs:
  pillar: {Transform: {rotation: 45deg}, Shape: {size: [32, 32], color: "#4c6a44"}, Occluder: {size: [32, 32]}}
  slab: {Transform: {}, Shape: {size: [60, 86], color: "#857458"}}
"""


GLOW = """
rish: 1
game: {title: Glow, size: [640, 360]}
plugins: [render, lighting]
settings: {render: {background: "#b0a898"}, lighting: {gi: medium, emission: 4}}
scenes:
  main:
    - {at: [320, 180], Transform: {}, Shape: {size: [640, 360], color: "#b0a898"}}
    - {prefab: wall, count: 5, at: {grid: [5, 1], step: [130, 0], origin: [60, 250]}}
    - {prefab: wall, count: 5, at: {grid: [5, 1], step: [130, 0], origin: [110, 110]}}
    - {at: [400, 190], Transform: {rotation: 30deg}, Shape: {size: [90, 12], color: "#b04040"}, Occluder: {size: [90,
    12]}}
    - {at: [130, 180], Transform: {}, Sprite: {image: fire.png, emission: fire.png}}
    - {at: [500, 60], Transform: {}, Sprite: {image: ice.png, emission: ice.png}}
    - {at: [470, 300], Transform: {}, Sprite: {image: moss.png, emission: moss.png}}
    - {at: [320, 60], Transform: {}, Light: {radius: 190, color: "#ffd8a0", intensity: 1.6, source_size: 10}}
    - {Ambient: {color: "#101218"}}
prefabs:
  wall: {Transform: {}, Shape: {size: [60, 30], color: "#508050"}, Occluder: {size: [60, 30]}}
"""
LAMPS = {"fire": (255, 150, 50), "ice": (80, 150, 255), "moss": (90, 255, 120)}


def make_glow(folder: Path) -> None:
    """Save a picture of three glowing lamps between walls."""
    y, x = np.mgrid[0:24, 0:24] + 0.5
    for name, color in LAMPS.items():
        pixels = np.zeros((24, 24, 4), np.uint8)
        pixels[np.hypot(x - 12, y - 12) < 11] = (*color, 255)
        save_png(folder / f"{name}.png", pixels)
    (folder / "game.yaml").write_text(GLOW, encoding="utf-8")
    with open_game(folder, headless=True, backend="arcade") as app:
        app.run(frames=2)
        save_png(PICTURES / "gi.png", app.host.backend.pixels())


def main() -> None:
    """Save the picture of global illumination, then that of a viewer that has walked through a hall."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        make_glow(Path(folder))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "game.yaml").write_text(GAME, encoding="utf-8")
        with open_game(folder, headless=True, backend="software") as app:
            world = app.world
            app.run(frames=2)
            viewer = world.get(int(world.query(Sight, Transform).entities[0]), Transform)
            for step in range(50):
                viewer.position = (180 + 4 * step, 180)
                app.run(frames=1)
            app.run(frames=40)
            save_png(PICTURES / "fog.png", app.host.backend.pixels())


if __name__ == "__main__":
    main()
