"""Images become bytes for the terminal, and as few as possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rish_terminal.cells import Cells, palette_colours, shrink
from rish_terminal.compose import MAX, compose
from rish_terminal.layout import fit

Picture = npt.NDArray[np.uint8]
Blank = Callable[[int, int], Any]


def noise(width: int, height: int, seed: int = 1) -> Picture:
    """Return an image of random pixels."""
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    picture[..., 3] = 255
    return picture


def shown(cells: Cells, picture: Picture, screen: Any, layout: Any) -> int:
    """Update the screen to an image; return the number of bytes."""
    data = cells.update(picture, layout)
    if data:
        screen.modes.add(1049)
        screen.feed(data.decode())
    return len(data)


def crop(screen: Any, layout: Any) -> Picture:
    """Return the part of a screen with the image."""
    top, left, (width, height) = 2 * layout.top, layout.left, layout.shown
    return screen.picture[top : top + height, left : left + width]


@pytest.mark.parametrize("size", [(1, 1), (7, 5), (20, 10), (64, 48)])
def test_a_screen_shows_the_picture(size: tuple[int, int], blank: Blank) -> None:
    """The screen shows the image pixel by pixel, also with an odd number of rows, and nothing outside of it."""
    layout, screen, cells = fit(size, 70, 30), blank(70, 30), Cells()
    picture = noise(*size)
    shown(cells, picture, screen, layout)
    assert np.array_equal(crop(screen, layout), picture[..., :3])
    assert screen.written == layout.shown[0] * layout.rows


def test_any_sequence_of_pictures_ends_with_the_last(blank: Blank) -> None:
    """A sequence of differences gives the same screen as a complete image."""
    layout, screen, cells = fit((30, 20), 40, 12), blank(40, 12), Cells()
    random, picture = np.random.default_rng(2), noise(30, 20)
    for _ in range(60):
        x, y, w, h = (int(v) for v in random.integers(0, 20, 4))
        picture = picture.copy()
        picture[y : y + h, x : x + w, :3] = random.integers(0, 4, 3) * 60
        shown(cells, picture, screen, layout)
        assert np.array_equal(crop(screen, layout), picture[..., :3])


def test_only_what_changed_is_written(blank: Blank) -> None:
    """Nothing is written for the same image, and one cell for one pixel."""
    layout, screen, cells = fit((64, 48), 64, 24), blank(64, 24), Cells()
    picture = noise(64, 48)
    assert shown(cells, picture, screen, layout) > 64 * 24 * 20
    assert shown(cells, picture.copy(), screen, layout) == 0
    screen.written = 0
    picture = picture.copy()
    picture[10, 10] ^= 128
    assert shown(cells, picture, screen, layout) < 60
    assert screen.written == 1


def test_even_areas_cost_a_byte_a_cell(blank: Blank) -> None:
    """In an area of one colour the colour is set once, not for each cell."""
    layout, screen, cells = fit((64, 48), 64, 24), blank(64, 24), Cells()
    picture = np.full((48, 64, 4), 200, np.uint8)
    assert shown(cells, picture, screen, layout) < 64 * 24 + 24 * 10 + 40


def test_what_was_forgotten_is_written_anew(blank: Blank) -> None:
    """After a disturbance the screen is cleared and the complete image written."""
    layout, screen, cells = fit((8, 8), 8, 4), blank(8, 4), Cells()
    picture = noise(8, 8)
    first = shown(cells, picture, screen, layout)
    cells.forget()
    screen.glyphs[:] = "x"
    assert shown(cells, picture, screen, layout) == first
    assert np.array_equal(screen.picture, picture[..., :3])


def test_fine_pictures_are_averaged() -> None:
    """A higher resolution is reduced to the mean of each square, rounded."""
    picture = noise(12, 9)
    expected = picture[..., :3].reshape(3, 3, 4, 3, 3).astype(float).mean(axis=(1, 3))
    assert np.abs(shrink(picture, 3) - expected).max() <= 0.5
    assert (shrink(np.full((9, 12, 4), 255, np.uint8), 3) == 255).all()


def test_the_palette_has_the_nearest_colour(palette: Callable[[int], tuple[int, int, int]]) -> None:
    """None of the 240 fixed colours is much nearer than the chosen one."""
    colours = noise(50, 20)[..., :3]
    table = np.array([palette(number) for number in range(16, 256)])
    chosen = table[palette_colours(colours) - 16]
    distance = np.sqrt(((chosen - colours) ** 2.0).sum(axis=-1))
    best = np.sqrt(((table[None, None] - colours[:, :, None]) ** 2.0).sum(axis=-1).min(axis=-1))
    assert (distance <= best + 12).all()
    exact = table[None].astype(np.uint8)
    assert np.array_equal(table[palette_colours(exact) - 16][0], table)


def test_few_colours_give_a_picture_as_well(blank: Blank, palette: Callable[[int], tuple[int, int, int]]) -> None:
    """With the palette the screen shows the nearest colours."""
    layout, screen, cells = fit((20, 20), 20, 10), blank(20, 10), Cells()
    cells.true = False
    picture = noise(20, 20)
    shown(cells, picture, screen, layout)
    table = np.array([(0, 0, 0)] * 16 + [palette(number) for number in range(16, 256)])
    assert np.array_equal(screen.picture, table[palette_colours(picture[..., :3])])


def test_compiled_and_plain_python_write_the_same() -> None:
    """Compiled and plain Python write the same bytes, for both colour depths."""
    layout = fit((23, 11), 40, 12)
    columns = layout.shown[0], layout.left + 1, layout.top + 1
    random = np.random.default_rng(6)
    for true, maximum in ((True, 1 << 24), (False, 256)):
        top, bottom = (random.integers(0, maximum, 23 * 6).astype(np.int32) for _ in range(2))
        top[::3] = bottom[::3]
        changed = np.flatnonzero(random.random(23 * 6) < 0.6)
        outs = [np.zeros(MAX * len(changed), np.uint8) for _ in range(2)]
        used = [
            run(out, changed, top, bottom, *columns, true)
            for run, out in zip((compose, compose.py_func), outs, strict=True)
        ]
        assert used[0] == used[1] < len(outs[0])
        assert np.array_equal(*outs)
