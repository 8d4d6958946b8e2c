"""Makes the pictures of the pages about models from the examples of these pages; look at them before committing.

python docs/make_scene3d_pictures.py [NAME ...]
"""

from __future__ import annotations

import os
import re
import sys
import tempfile
from pathlib import Path

from PIL import Image

from rish_core import launcher

DOCS = Path(__file__).parent
PICTURES = DOCS / "pictures" / "scene3d"
TAKES = {
    "quay.png": ("models.md", "quay", (2,)),
    "monitor.png": ("models.md", "monitor", (2,)),
    "cabin.png": ("panels.md", "cabin", (5,)),
    "yard.png": ("particles.md", "yard", (100,)),
    "tags.png": ("models.md", "tags", (60,)),
    "flag.png": ("draw-from-a-plugin.md", "flag", (5,)),
    "island.png": ("models.md", "island", (2,)),
    "pile.png": ("physics3d.md", "pile", (2, 30)),
    "crane.png": ("animation3d.md", "yard", (30, 75, 130)),
}
"""For each picture its page, the game on this page, and the frames that are shown side by side."""
_FENCE = re.compile(r"^```(?P<info>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def main(names: list[str]) -> int:
    """Make the named pictures, or all; return the first exit code that is not 0."""
    PICTURES.mkdir(exist_ok=True)
    for name in names or TAKES:
        page, game, frames = TAKES[name]
        with tempfile.TemporaryDirectory() as folder:
            write_examples(DOCS / "how-to" / page, Path(folder))
            shots: list[Image.Image] = []
            for frame in frames:
                shot = Path(folder) / f"{frame}.png"
                options = ["--headless", f"--frames={frame}", f"--capture={shot}"]
                if code := launcher.main(["run", str(Path(folder) / game), *options]):
                    return code
                shots.append(Image.open(shot).convert("RGB"))
        joined(shots).save(PICTURES / name, optimize=True)
    return 0


def write_examples(page: Path, folder: Path) -> None:
    """Write the files of a page into a folder, and run its Python blocks there."""
    here = Path.cwd()
    for found in _FENCE.finditer(page.read_text(encoding="utf-8")):
        language, *words = found["info"].split() or [""]
        for word in words:
            if word.startswith("file="):
                path = folder / word.removeprefix("file=")
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(found["body"], encoding="utf-8")
        if language == "python" and "run" in words:
            os.chdir(folder)
            try:
                exec(compile(found["body"], str(page), "exec"), {"__name__": "example"})
            finally:
                os.chdir(here)


def joined(shots: list[Image.Image]) -> Image.Image:
    """Return pictures side by side; several are made half as wide."""
    if len(shots) == 1:
        return shots[0]
    width, height = shots[0].width // 2, shots[0].height // 2
    sheet = Image.new("RGB", (width * len(shots), height))
    for k, shot in enumerate(shots):
        sheet.paste(shot.resize((width, height), Image.Resampling.LANCZOS), (k * width, 0))
    return sheet


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
