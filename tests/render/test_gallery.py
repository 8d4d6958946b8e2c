"""The gallery of reference images: there are enough scenes, and the comparison is strict enough."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from long_runs import long
from rish_frame.testing import compare_pictures
from rish_frame.testing.pictures import load_reference

PICTURES = sorted((Path(__file__).parent.parent / "pictures" / "render").glob("*.png"))
SOME = long(PICTURES, PICTURES[::8])
"""Those whose comparison is checked for strictness."""
MIN = 40
TILE = 16


def ground_of(picture: np.ndarray) -> tuple[int, ...]:
    """Return the most frequent color of an image."""
    found, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    return tuple(found[counts.argmax()].tolist())


def test_there_are_scenes_enough() -> None:
    """There are enough scenes; each is drawn by both software qualities and by GL, see `Studio.compare`."""
    assert len(PICTURES) >= MIN


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_black_picture_fails(path: Path, tmp_path: Path) -> None:
    """A black image fails the comparison, even for a mostly dark scene."""
    expected = load_reference(path)
    with pytest.raises(AssertionError):
        compare_pictures(np.zeros_like(expected), expected, failures=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_picture_that_is_a_pixel_off_fails(path: Path, tmp_path: Path) -> None:
    """An image that is shifted by one pixel to the side or down fails the comparison."""
    expected = load_reference(path)
    for axis in (0, 1):
        with pytest.raises(AssertionError):
            compare_pictures(np.roll(expected, 1, axis=axis), expected, failures=tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_a_missing_thing_fails(path: Path, tmp_path: Path) -> None:
    """If the tile with the most content shows only the background, the comparison fails, however large the scene."""
    expected = load_reference(path)
    actual = expected.copy()
    rows, columns = (side // TILE for side in expected.shape[:2])
    tiles = expected[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE, 3).astype(float)
    row, column = np.unravel_index(tiles.std(axis=(1, 3)).mean(axis=-1).argmax(), (rows, columns))
    actual[row * TILE : (row + 1) * TILE, column * TILE : (column + 1) * TILE] = ground_of(expected)
    with pytest.raises(AssertionError):
        compare_pictures(actual, expected, failures=tmp_path)
