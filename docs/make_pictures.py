"""Makes the pictures of the README anew; look at them before committing.

python docs/make_pictures.py
"""

from __future__ import annotations

import sys
from pathlib import Path

from rish_core import cli

GAME = Path(__file__).parents[1] / "games" / "breakout"
PICTURES = Path(__file__).parent / "pictures"
TAKES = {"breakout.png": ("1", "1923"), "breakout.gif": ("5", "660")}
"""Seed and number of frames of each: moments at which much happens."""


def main() -> int:
    """Play Breakout once for each picture; gives the first exit code that is not 0."""
    for name, (seed, frames) in TAKES.items():
        options = ["--headless", "--seed", seed, "--frames", frames, "--capture", str(PICTURES / name)]
        if code := cli.main(["run", str(GAME), *options]):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main())
