"""Comparison of images with a tolerance for rounding, but not for visible differences.

Two backends never agree to the last bit. So an image is compared by three figures over the tiles of 16x16
pixels that have any content: the mean difference, the 99th percentile, and the structural similarity (SSIM). A
fourth figure, the similarity of the worst tile, detects one missing sprite in a large scene. If a comparison fails,
actual, expected and difference are written side by side. With RISH_SAVE_PICTURES=1 references are written instead.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from rish_ecs import UsageError

from ..pictures.images import load_pillow

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float64]

TILE = 16
"""The side of a tile, in pixels."""

_C1 = (0.01 * 255) ** 2
_C2 = (0.03 * 255) ** 2
_GAP = 8


@dataclass(frozen=True)
class Comparison:
    """The difference of two images, over the tiles with content.

    mean, p99: of the absolute difference of channels, levels of 0..255. ssim: mean structural similarity, 1
    if equal. worst: the similarity of the least similar tile; worst_tile: its column and row, from the top left.
    busy: the fraction of tiles with content.
    """

    mean: float
    p99: float
    ssim: float
    worst: float
    worst_tile: tuple[int, int]
    busy: float


def _colors(picture: npt.ArrayLike, what: str) -> Floats:
    """Return the three color channels as float64 (h, w, 3)."""
    array = np.asarray(picture)
    if array.ndim != 3 or array.shape[2] not in (3, 4) or array.dtype != np.uint8:
        raise UsageError(f"the {what} picture must be uint8 (h, w, 3 or 4), not {array.dtype} {array.shape}")
    return array[:, :, :3].astype(np.float64)


def _tiles(values: Floats) -> Floats:
    """Cut (h, w, c) into tiles, (rows, columns, 256, c); incomplete tiles are filled by repeating the last pixels."""
    height, width, channels = values.shape
    padded = np.pad(values, ((0, -height % TILE), (0, -width % TILE), (0, 0)), mode="edge")
    rows, columns = padded.shape[0] // TILE, padded.shape[1] // TILE
    cut = padded.reshape(rows, TILE, columns, TILE, channels).swapaxes(1, 2)
    return cut.reshape(rows, columns, TILE * TILE, channels)


def _similarity(a: Floats, b: Floats) -> Floats:
    """Return the SSIM (Wang et al. 2004) of each tile, averaged over the channels, (rows, columns)."""
    mean_a, mean_b = a.mean(axis=2), b.mean(axis=2)
    var_a, var_b = a.var(axis=2), b.var(axis=2)
    both = ((a - mean_a[:, :, None]) * (b - mean_b[:, :, None])).mean(axis=2)
    light = (2 * mean_a * mean_b + _C1) / (mean_a**2 + mean_b**2 + _C1)
    return (light * (2 * both + _C2) / (var_a + var_b + _C2)).mean(axis=2)


def _commonest(values: Floats) -> Floats:
    """Return the most frequent color of pixels (h, w, 3), float64 (3,)."""
    codes = (values.reshape(-1, 3) @ [65536, 256, 1]).astype(np.int64)
    unique_codes, counts = np.unique(codes, return_counts=True)
    code = int(unique_codes[int(counts.argmax())])
    return np.array([code >> 16, code >> 8 & 255, code & 255], np.float64)


def measure(actual: npt.ArrayLike, expected: npt.ArrayLike, background: tuple[int, ...] | None = None) -> Comparison:
    """Compare two images of one size, uint8 (h, w, 3 or 4); alpha is ignored.

    background: the clear color; tiles in which both images have only this color are ignored. None uses the
    most frequent color of the expected image.
    """
    a, b = _colors(actual, "actual"), _colors(expected, "expected")
    if a.shape != b.shape:
        raise UsageError(f"the pictures differ in size: {a.shape[1]}x{a.shape[0]} and {b.shape[1]}x{b.shape[0]}")
    ground = np.asarray(background[:3], np.float64) if background is not None else _commonest(b)
    tiles_a, tiles_b = _tiles(a), _tiles(b)
    content = ((tiles_a != ground) | (tiles_b != ground)).any(axis=(2, 3))
    if not content.any():
        return Comparison(0.0, 0.0, 1.0, 1.0, (0, 0), 0.0)
    difference = np.abs(tiles_a - tiles_b)[content]
    similarity = np.where(content, _similarity(tiles_a, tiles_b), 1.0)
    row, column = np.unravel_index(int(similarity.argmin()), similarity.shape)
    return Comparison(
        mean=float(difference.mean()),
        p99=float(np.percentile(difference, 99)),
        ssim=float(similarity[content].mean()),
        worst=float(similarity[row, column]),
        worst_tile=(int(column), int(row)),
        busy=float(content.mean()),
    )


def compare_pictures(
    actual: npt.ArrayLike,
    expected: npt.ArrayLike | str | Path,
    *,
    background: tuple[int, ...] | None = None,
    mean: float = 2.0,
    p99: float = 8.0,
    ssim: float = 0.99,
    worst: float = 0.6,
    busy: float = 0.0,
    name: str = "picture",
    failures: str | Path | None = None,
) -> Comparison:
    """Raise AssertionError if an image differs from the expected one; return the figures.

    expected: a PNG file or pixels. mean, p99: the largest allowed values. ssim, worst, busy: the smallest allowed
    values, see Comparison. failures: the folder for the side-by-side image; by default `failed` beside the file, or in
    the working directory. name: the name of that image, if expected is not a file. With RISH_SAVE_PICTURES=1 the
    file is written and the comparison passes. Raises UsageError if a reference is missing.
    """
    file = Path(expected) if isinstance(expected, (str, Path)) else None
    if file is not None and os.environ.get("RISH_SAVE_PICTURES") == "1":
        save_picture(actual, file)
    reference = load_reference(file) if file is not None else cast("npt.ArrayLike", expected)
    folder = Path(failures) if failures is not None else (file.parent if file is not None else Path()) / "failed"
    target = folder / f"{file.stem if file is not None else name}.png"
    if np.shape(actual)[:2] != np.shape(reference)[:2]:
        _fail(actual, reference, target, [f"the sizes differ: {np.shape(actual)[:2]} and {np.shape(reference)[:2]}"])
    figures = measure(actual, reference, background)
    complaints = [
        f"{figure} {value:.4g}, allowed {'at most' if maximum else 'at least'} {limit:g}"
        for figure, value, limit, maximum in (
            ("mean difference", figures.mean, mean, True),
            ("99th percentile", figures.p99, p99, True),
            ("similarity", figures.ssim, ssim, False),
            (f"similarity of tile {figures.worst_tile}", figures.worst, worst, False),
            ("share of tiles with content", figures.busy, busy, False),
        )
        if (value > limit if maximum else value < limit)
    ]
    if complaints:
        _fail(actual, reference, target, complaints)
    return figures


def _fail(actual: npt.ArrayLike, expected: npt.ArrayLike, target: Path, complaints: list[str]) -> None:
    save_picture(side_by_side(actual, expected), target)
    raise AssertionError(f"{'; '.join(complaints)}. Actual | expected | difference: {target}")


def side_by_side(actual: npt.ArrayLike, expected: npt.ArrayLike) -> Picture:
    """Return one image with actual, expected, and their difference times three, side by side; uint8 (h, w, 3)."""
    a, b = _colors(actual, "actual"), _colors(expected, "expected")
    height, width = max(a.shape[0], b.shape[0]), max(a.shape[1], b.shape[1])
    sheet = np.full((height, 3 * width + 2 * _GAP, 3), 128, np.float64)
    sheet[: a.shape[0], : a.shape[1]] = a
    sheet[: b.shape[0], width + _GAP : width + _GAP + b.shape[1]] = b
    if a.shape == b.shape:
        sheet[:, 2 * (width + _GAP) :] = np.minimum(np.abs(a - b) * 3, 255)
    return sheet.astype(np.uint8)


def save_picture(picture: npt.ArrayLike, path: str | Path) -> Path:
    """Write a PNG without alpha, make its folder if needed, and return its path. picture: uint8 (h, w, 3 or 4)."""
    pixels = _colors(picture, "saved").astype(np.uint8)
    target = Path(path)
    target.parent.mkdir(parents=True, exist_ok=True)
    _pillow().fromarray(pixels).save(target)
    return target


def load_reference(path: Path) -> Picture:
    """Read a reference image as uint8 (h, w, 3). Raises UsageError if it is missing."""
    if not path.is_file():
        raise UsageError(
            f"there is no reference picture {path}",
            hint="Run the test once with RISH_SAVE_PICTURES=1 and look at what it writes",
        )
    with _pillow().open(path) as image:
        return np.asarray(image.convert("RGB"))


def _pillow() -> Any:
    return load_pillow(UsageError("comparing pictures needs Pillow", hint="Try: pip install pillow"))
