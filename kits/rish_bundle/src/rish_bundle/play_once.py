"""Plays a game for a moment and writes its picture: `python -c TEXT GAME PICTURE FRAMES`, with the text of this file.

The Python of a bundle runs it, which does not have this package. Prints the number of calls of kernels that ran as
plain Python.
"""

from __future__ import annotations

import sys

from PIL import Image

import rish_jit
from rish_core import open_game

_SIZE = (500, 268)
"""The most pixels of a picture: twice the size at which the editor shows it."""


def main(game: str, picture: str, frames: int) -> None:
    """Play the demo of a game; only its last frame is drawn."""
    with open_game(game, headless=True, pixels=True, demo=True, policy="raise") as app:
        for number in range(frames):
            app.frame(draw=number == frames - 1)
        image = Image.fromarray(app.pixels()).convert("RGB")
    image.thumbnail(_SIZE)
    image.save(picture, optimize=True)
    print(len(rish_jit.plain_calls()))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
