"""Sprite instances: a sprite in sixteen bytes, in the layout that is copied to a graphics card.

A sprite is an image on a rectangle with a position, a rotation and a tint. Sixteen bytes hold it in fixed point,
which is exact, fast to write and small to copy:

    field      type      unit                                  range
    x, y       int16     1/8 unit, center, from batch.origin   -4096 ... 4095.875
    w, h       uint16    1/16 unit, width and height           0 ... 4095.9375
    rotation   uint16    1/65536 turn, counter-clockwise       a full turn
    frame      uint16    row of the frame table                0 ... 65535
    rgba       4 uint8   straight tint, alpha is the opacity   0 ... 255

A unit is `batch.unit` units of the pass's space: 1 if such a unit is about a pixel, less if it is many pixels,
more for a view from a great distance. The bytes do not depend on the origin, the camera and the zoom, so a layer
that does not move is packed once, however the camera moves. An anchor is included in the center and a flip in the
frame. A sprite that does not fit (sheared, far away or huge) is put into a `sprites_wide` batch; `fits` decides.
Every packer follows the same rules, with rounding half up in float32, so that a compiled kernel gives the same
bytes.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError
from rish_jit import Array

INSTANCE = np.dtype(
    [
        ("x", "<i2"),
        ("y", "<i2"),
        ("w", "<u2"),
        ("h", "<u2"),
        ("rotation", "<u2"),
        ("frame", "<u2"),
        ("rgba", "u1", (4,)),
    ]
)
"""The layout of one sprite: 16 bytes, no padding."""

POSITION_SCALE = 8
SIZE_SCALE = 16
TURN = 65536
MIN_POSITION, MAX_POSITION = -4096.0, 4095.875
MAX_SPRITE_SIZE = 65535 / SIZE_SCALE
LAST_FRAME = 65535
_TURNS_PER_RADIAN = np.float32(TURN / (2 * np.pi))
_F32 = np.float32


def _columns(*values: npt.ArrayLike) -> list[Array]:
    arrays = [np.asarray(value, dtype=_F32) for value in values]
    shapes = {array.shape for array in arrays}
    if len(shapes) == 1 and arrays[0].ndim == 1:
        return arrays
    try:
        return [np.asarray(array) for array in np.broadcast_arrays(*map(np.atleast_1d, arrays))]
    except ValueError:
        sizes = ", ".join(str(array.shape) for array in arrays)
        raise UsageError(f"pack_sprites was given columns of different lengths: {sizes}") from None


def _fixed(values: Array, scale: float | np.floating[Any], low: float, high: float) -> Array:
    """Return values·scale, rounded half up and clamped to low..high; a NaN becomes low."""
    scaled = np.floor(values * _F32(scale) + _F32(0.5))
    return np.fmin(np.fmax(scaled, _F32(low)), _F32(high)).astype(np.int64)


def _frame_column(frame: npt.ArrayLike, n: int) -> Array:
    """Return the frames as int64 of length n, not yet clamped to 16 bits."""
    frames = np.asarray(frame, dtype=np.int64)
    return frames if frames.shape == (n,) else np.broadcast_to(frames, (n,))


def pack_sprites(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    w: npt.ArrayLike,
    h: npt.ArrayLike,
    rotation: npt.ArrayLike = 0.0,
    frame: npt.ArrayLike = 0,
    rgba: npt.ArrayLike = (255, 255, 255, 255),
    origin: tuple[float, float] = (0.0, 0.0),
    unit: float = 1.0,
) -> npt.NDArray[np.void]:
    """Pack n sprites into an array INSTANCE[n].

    x, y: centers, world units. w, h: sizes, world units; a negative size becomes 0. rotation: radians,
    counter-clockwise. frame: rows of the frame table, 0 to 65535. rgba: uint8 (n, 4) or one color, straight.
    origin, unit: of the batch. Each column is n values or one for all.

    Inside the ranges above the error is at most 1/16 unit in position, 1/32 unit in size and half of 1/65536
    turn; outside, a value is clamped to its range (see `fits`). A sprite with NaN in it gets size 0.
    Raises UsageError if the lengths differ or a frame is out of range.
    """
    xs, ys, ws, hs, rs = _columns(x, y, w, h, rotation)
    n = len(xs)
    frames = _frame_column(frame, n)
    if n and (int(frames.min()) < 0 or int(frames.max()) > LAST_FRAME):
        raise UsageError(f"a sprite's frame is a number from 0 to {LAST_FRAME}, not {_odd_frame(frames)}")
    colors = np.asarray(rgba)
    if colors.dtype != np.uint8:
        colors = np.clip(colors, 0, 255).astype(np.uint8)
    packed = np.empty(n, INSTANCE)
    with np.errstate(invalid="ignore", over="ignore"):
        packed["x"] = _fixed(xs - _F32(origin[0]), POSITION_SCALE / unit, -32768, 32767)
        packed["y"] = _fixed(ys - _F32(origin[1]), POSITION_SCALE / unit, -32768, 32767)
        packed["w"] = _fixed(ws, SIZE_SCALE / unit, 0, 65535)
        packed["h"] = _fixed(hs, SIZE_SCALE / unit, 0, 65535)
        packed["rotation"] = _fixed(rs, _TURNS_PER_RADIAN, -(2.0**31), 2.0**31) & (TURN - 1)
    packed["frame"] = frames
    packed["rgba"] = colors
    broken = np.isnan(xs) | np.isnan(ys) | np.isnan(ws) | np.isnan(hs) | np.isnan(rs)
    packed["w"][broken] = 0
    return cast("npt.NDArray[np.void]", packed)


def _odd_frame(frames: Array) -> int:
    return int(frames[(frames < 0) | (frames > LAST_FRAME)][0])


def fits(
    x: npt.ArrayLike,
    y: npt.ArrayLike,
    w: npt.ArrayLike,
    h: npt.ArrayLike,
    frame: npt.ArrayLike = 0,
    origin: tuple[float, float] = (0.0, 0.0),
    unit: float = 1.0,
) -> npt.NDArray[np.bool_]:
    """Return which sprites fit into sixteen bytes, bool (n,); the others belong in a `sprites_wide` batch.

    A sprite with NaN does not fit. Arguments as for `pack_sprites`.
    """
    xs, ys, ws, hs = _columns(x, y, w, h)
    frames = _frame_column(frame, len(xs))
    with np.errstate(invalid="ignore"):
        dx, dy = xs - _F32(origin[0]), ys - _F32(origin[1])
        low, high, maximum = _F32(MIN_POSITION * unit), _F32(MAX_POSITION * unit), _F32(MAX_SPRITE_SIZE * unit)
        near = (dx >= low) & (dx <= high) & (dy >= low) & (dy <= high)
        small = (ws >= 0) & (ws <= maximum) & (hs >= 0) & (hs <= maximum)
        return near & small & (frames >= 0) & (frames <= LAST_FRAME)


def unpack_sprites(
    instances: npt.NDArray[np.void], origin: tuple[float, float] = (0.0, 0.0), unit: float = 1.0
) -> dict[str, npt.NDArray[np.float32]]:
    """Return the columns x, y, w, h (world units) and rotation (radians, 0 to 2π) of packed sprites, float32."""

    def column(name: str, scale: float) -> npt.NDArray[np.float32]:
        return instances[name].astype(np.float32) * np.float32(scale)

    return {
        "x": column("x", unit / POSITION_SCALE) + np.float32(origin[0]),
        "y": column("y", unit / POSITION_SCALE) + np.float32(origin[1]),
        "w": column("w", unit / SIZE_SCALE),
        "h": column("h", unit / SIZE_SCALE),
        "rotation": column("rotation", 2 * np.pi / TURN),
    }


def affine_of(
    instances: npt.NDArray[np.void], origin: tuple[float, float] = (0.0, 0.0), unit: float = 1.0
) -> npt.NDArray[np.float32]:
    """Return the `matrix` rows (a b c d tx ty) that map the unit square to these sprites, float32 (n, 6)."""
    columns = unpack_sprites(instances, origin, unit)
    cos, sin = np.cos(columns["rotation"]), np.sin(columns["rotation"])
    w, h = columns["w"], columns["h"]
    return np.stack([cos * w, sin * w, -sin * h, cos * h, columns["x"], columns["y"]], axis=1).astype(np.float32)
