"""Makes the pictures of the page about light; look at them before committing.

python docs/make_lighting_pictures.py [NAME ...]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import numpy as np
from PIL import Image

from rish_core import open_game
from rish_frame.pictures import save_png

PICTURES = Path(__file__).parent / "pictures" / "lighting"
HEAD = """
rish: 1
game: {title: Light, size: [640, 360]}
plugins: [render, lighting]
settings: {render: {background: "#20242c"}, lighting: {resolution: 1}}
layers: [{sky: {lit: false}}, floor, things, {lamp: {lit: false}}]
scenes:
  main:
    - {at: [320, 180], Transform: {}, Camera: {}}
"""
FLOOR = """
- {at: [320, 180], Transform: {}, Sprite: {image: floor.png, normal: floor_normal.png, layer: floor}}
"""
PILLARS = """
- at: [150, 110]
  Transform: {rotation: 15deg}
  Shape: {size: [44, 44], color: "#8a9098", layer: things}
  Occluder: {size: [44, 44]}
- at: [300, 250]
  Transform: {}
  Shape: {shape: circle, size: [50, 50], color: "#a08870", layer: things}
  Occluder: {shape: circle, size: [50, 50]}
- at: [450, 140]
  Transform: {rotation: -25deg}
  Shape: {size: [90, 18], color: "#8a9098", layer: things}
  Occluder: {size: [90, 18]}
- at: [540, 270]
  Transform: {rotation: 40deg}
  Shape: {size: [36, 36], color: "#708a70", layer: things}
  Occluder: {size: [36, 36]}
"""
SCENES = {
    "torches": FLOOR + PILLARS + """
- {at: [220, 170], Transform: {}, Light: {color: "#ffb060", radius: 230, intensity: 2, source_size: 8}}
- {at: [520, 200], Transform: {}, Light: {color: "#60a0ff", radius: 200, intensity: 1.6, source_size: 8}}
- {Ambient: {color: "#20263a"}}
""",
    "kinds": FLOOR + """
- {at: [80, 180], Transform: {}, Light: {color: "#ffd0a0", radius: 110, intensity: 1.5}}
- {at: [190, 60], Transform: {rotation: 90deg}, Light: {kind: spot, angle: 40, radius: 260, intensity: 2.5}}
- {at: [320, 180], Transform: {}, Light: {kind: area, length: 150, color: "#ff70a0", radius: 110, intensity: 2}}
- at: [530, 180]
  Transform: {rotation: 10deg}
  Light:
    {kind: textured, image: window.png, radius: 130, falloff: none, windowed: false, color: "#fff0c0", intensity: 1.2}
- {at: [190, 190], Transform: {}, Shape: {size: [20, 20], color: "#8a9098", layer: things}, Occluder: {size: [20, 20]}}
- {Ambient: {color: "#181c28"}}
""",
    "sun": FLOOR + PILLARS + """
- {Transform: {}, Light: {kind: directional, direction: -35, length: 70, color: "#fff0d0", intensity: 0.9}}
- {Ambient: {color: "#5a6478"}}
""",
    "shadows": FLOOR + PILLARS + """
- {at: [330, 150], Transform: {}, Light: {color: "#ffe0b0", radius: 330, intensity: 1.8, source_size: 30}}
- {Ambient: {color: "#181c28"}}
""",
    "layers": """
- {at: [320, 180], Transform: {}, Shape: {size: [640, 360], color: "#1c2848", color_end: "#c87850", layer: sky}}
- {at: [520, 300], Transform: {}, Shape: {shape: circle, size: [44, 44], color: "#fff4d8", layer: sky}}
- {at: [320, 60], Transform: {}, Shape: {size: [640, 120], color: "#8c9078", layer: floor}}
- {at: [150, 170], Transform: {}, Shape: {size: [90, 150], color: "#b09c90", color_end: "#907c74", layer: things}}
- {at: [490, 180], Transform: {}, Shape: {size: [140, 170], color: "#a4a098", color_end: "#84807c", layer: things}}
- {at: [320, 140], Transform: {}, Shape: {size: [5, 90], color: "#606468", layer: things}}
- {at: [320, 190], Transform: {}, Shape: {shape: circle, size: [18, 18], color: "#fff0c0", layer: lamp}}
- {at: [320, 190], Transform: {}, Light: {color: "#ffc070", radius: 260, intensity: 2.4}}
- {Ambient: {color: "#404c70", color_end: "#202838", gradient: true}}
""",
}  # fmt: skip


def paint(folder: Path) -> None:
    """Write the images of the scenes: a floor of stones with its normal map, and a window."""
    y, x = np.mgrid[0:360, 0:640]
    row = y // 40
    u, v = (x + (row % 2) * 30) % 60, y % 40
    rng = np.random.default_rng(4)
    tone = rng.uniform(0.75, 1.0, (9, 12))[row, ((x + (row % 2) * 30) // 60) % 12]
    gap = (u < 3) | (v < 3)
    floor = np.full((360, 640, 4), 255, np.uint8)
    floor[..., :3] = (np.where(gap, 0.45, tone)[..., None] * (176, 164, 150)).astype(np.uint8)
    Image.fromarray(floor).save(folder / "floor.png")
    dx = np.where(u < 3, 0.0, np.clip((u - 6) / 6, -1, 0) + np.clip((u - 53) / 6, 0, 1))
    dy = np.where(v < 3, 0.0, np.clip((6 - v) / 6, 0, 1) - np.clip((v - 33) / 6, 0, 1))
    normal = np.stack([dx * 0.8, dy * 0.8, np.ones_like(dx)], axis=-1)
    normal /= np.sqrt((normal**2).sum(axis=-1, keepdims=True))
    bumps = np.full((360, 640, 4), 255, np.uint8)
    bumps[..., :3] = (normal * 127.5 + 127.5).astype(np.uint8)
    Image.fromarray(bumps).save(folder / "floor_normal.png")
    window = np.zeros((64, 64, 4), np.uint8)
    window[12:52, 12:52] = 255
    window[28:36] = window[:, 28:36] = (0, 0, 0, 255)
    Image.fromarray(window).save(folder / "window.png")


def main(names: list[str]) -> None:
    """Render each scene with its lights and save the picture."""
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in names or SCENES:
        with tempfile.TemporaryDirectory() as place:
            folder = Path(place)
            paint(folder)
            scene = "".join(f"    {line}\n" for line in SCENES[name].strip().splitlines() if line.strip())
            (folder / "game.yaml").write_text(HEAD + scene, encoding="utf-8")
            with open_game(folder, headless=True, backend="software") as app:
                app.run(frames=3)
                save_png(PICTURES / f"{name}.png", app.host.backend.pixels())


if __name__ == "__main__":
    main(sys.argv[1:])
