"""The notice: a short text over the picture for a moment, drawn with a small built-in alphabet.

It is drawn after the frame, through the verbs of any backend; no state of the game knows it.
"""

from __future__ import annotations

import time

import numpy as np

from ..backend import Backend, PixelArray
from ..frame.batches import Batch
from ..frame.frame import Frame
from ..frame.instances import pack_sprites
from ..frame.passes import Pass

DURATION = 1.5
"""How long a notice is shown, seconds."""
_PAGE = 60_001
"""The number of the page with the image, far beyond those of games."""
_ROWS = {
    "a": "25755", "b": "65656", "c": "34443", "d": "65556", "e": "74647", "f": "74644", "g": "34553", "h": "55755",
    "i": "72227", "j": "11152", "k": "55655", "l": "44447", "m": "57755", "n": "65555", "o": "25552", "p": "65644",
    "q": "25563", "r": "65655", "s": "34216", "t": "72222", "u": "55553", "v": "55552", "w": "55775", "x": "55255",
    "y": "55222", "z": "71247", "0": "75557", "1": "26227", "2": "71747", "3": "71717", "4": "55711", "5": "74717",
    "6": "74757", "7": "71111", "8": "75757", "9": "75717", "_": "00007", "-": "00700",
}  # fmt: skip
"""The five rows of each character, from the top; the bits of an octal digit are its three pixels."""


class Notice:
    """Shows one text at a time."""

    def __init__(self) -> None:
        self._text = ""
        self._until = 0.0
        self._holder: Backend | None = None

    def show(self, text: str) -> None:
        """Show a text from the next frame on; characters that the alphabet lacks are spaces."""
        self._text, self._until, self._holder = text, time.perf_counter() + DURATION, None

    def draw(self, backend: Backend) -> None:
        """Draw the text over what the backend has drawn, if its time is not over."""
        if not self._text:
            return
        if time.perf_counter() > self._until:
            backend.free(_PAGE)
            self._text = ""
            return
        scale = max(1, backend.size[1] // 180)
        image = paint(self._text, scale)
        if self._holder is not backend:
            backend.image(_PAGE, image)
            self._holder = backend
        backend.draw(_frame_of(backend.size, image.shape[1], image.shape[0]))


def paint(text: str, scale: int) -> PixelArray:
    """Return an image of a text, uint8 (h, w, 4), premultiplied: white on a dark box. scale: pixels of a dot."""
    bits = np.zeros((9, 4 * len(text) + 3), np.bool_)
    for number, character in enumerate(text.lower()):
        for row, digit in enumerate(_ROWS.get(character, "00000")):
            for column in range(3):
                bits[2 + row, 2 + 4 * number + column] = bool(int(digit) & (4 >> column))
    image = np.zeros((*bits.shape, 4), np.uint8)
    image[..., 3] = 190
    image[bits] = 255
    return np.ascontiguousarray(image.repeat(scale, axis=0).repeat(scale, axis=1))


def _frame_of(size: tuple[int, int], width: int, height: int) -> Frame:
    """Return a frame that adds the image to the screen, in the middle of its upper part."""
    frame = Frame(size)
    frame.add_pass(Pass("main", projection=frame.passes["main"].projection, clear=False), replace=True)
    frame.set_frames([[_PAGE, 0, 0, width, height, 0]])
    middle = (size[0] / 2, size[1] - 2.0 * height)
    packed = pack_sprites(*middle, width, height, origin=middle)
    frame.add(Batch("sprites", {"instances": packed}, origin=middle, filter="nearest"))
    return frame
