"""Makes the picture of line of sight; look at it before committing.

python docs/make_sight_pictures.py
"""

from __future__ import annotations

import tempfile
from pathlib import Path

from rish_core import Transform, open_game
from rish_core.frame.capture import save_png
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
    - {at: [470, 190], Transform: {rotation: 24}, Shape: {size: [100, 16], fill: "#8a5038"},
       Occluder: {size: [100, 16]}}
    - {at: [330, 330], Transform: {}, Shape: {size: [220, 24], fill: "#4c6a44"}, Occluder: {size: [220, 24]}}
    - {at: [330, 30], Transform: {}, Shape: {size: [220, 24], fill: "#4c6a44"}, Occluder: {size: [220, 24]}}
    - {at: [180, 180], Transform: {}, Shape: {kind: circle, radius: 9, fill: "#60c0ff"}, Sight: {radius: 230},
       Light: {radius: 300, colour: "#ffe0b0", intensity: 1.3}}
    - {FogOfWar: {high: [640, 360], cell: 3, soft: 6, margin: 14}}
    - {Ambient: {colour: "#8890a4"}}
prefabs:
  pillar: {Transform: {rotation: 45}, Shape: {size: [32, 32], fill: "#4c6a44"}, Occluder: {size: [32, 32]}}
  slab: {Transform: {}, Shape: {size: [60, 86], fill: "#857458"}}
"""


def main() -> None:
    """Let somebody walk through a hall, and save what is seen at the end."""
    PICTURES.mkdir(parents=True, exist_ok=True)
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
            save_png(PICTURES / "fog.png", app.backend.pixels())


if __name__ == "__main__":
    main()
