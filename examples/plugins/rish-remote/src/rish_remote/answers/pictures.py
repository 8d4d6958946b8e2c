"""The picture of the last frame."""

from __future__ import annotations

import struct
import zlib
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from rish_core import RishError

from ..api.errors import ApiError
from ..api.route import Bytes

if TYPE_CHECKING:
    from ..api.route import Call
    from ..game.game import Game

Pixels = npt.NDArray[np.uint8]


def picture(game: Game, call: Call) -> Any:
    """Return the last drawn frame as PNG or as bytes of red, green, blue and opacity, top row first."""
    host = game.app.host
    if not host.has_pixels:
        raise ApiError(409, f"the game is shown by '{host.name}', which has no picture: use --backend software")
    try:
        pixels: Pixels = np.array(game.app.pixels(), np.uint8)
    except RishError as error:
        raise ApiError(409, str(error)) from None
    pixels = pixels[:: call.args["every"], :: call.args["every"]]
    height, width = pixels.shape[:2]
    headers = {"X-Picture-Size": f"{width}x{height}", "X-Tick": str(game.world.tick)}
    if call.args["format"] == "rgba":
        return Bytes("application/octet-stream", pixels.tobytes, headers)
    return Bytes("image/png", partial(png, pixels), headers)


def png(pixels: Pixels) -> bytes:
    """Return uint8 (h, w, 4) as a PNG file without opacity (PNG specification, third edition: color type 2)."""
    height, width = pixels.shape[:2]
    rows = np.zeros((height, 1 + 3 * width), np.uint8)  # each row begins with its filter, 0 for none
    rows[:, 1:] = pixels[:, :, :3].reshape(height, 3 * width)
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = (b"IHDR", header), (b"IDAT", zlib.compress(rows.tobytes(), 1)), (b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
