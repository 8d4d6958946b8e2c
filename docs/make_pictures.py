"""Makes the pictures of the README anew; look at them before committing.

python docs/make_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from rish_core import cli

GAMES = Path(__file__).parents[1] / "games"
PICTURES = Path(__file__).parent / "pictures"
TAKES = {"breakout.png": (5, 440), "breakout.gif": (5, 520), "hello.png": (0, 1)}
"""Seed and number of frames of each: moments at which much happens. The name is the game's."""


def main() -> int:
    """Run a game for each picture; gives the first exit code that is not 0."""
    for name, (seed, frames) in TAKES.items():
        options = ["--headless", f"--seed={seed}", f"--frames={frames}", f"--capture={PICTURES / name}"]
        if code := cli.main(["run", str(GAMES / Path(name).stem), *options]):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
