"""Images become bytes for the terminal, and as few as possible."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from rish_frame.paint import Label
from rish_terminal.cells import Cells, palette_colors, shrink
from rish_terminal.compose import MAX, compose
from rish_terminal.glyphs import MAX_BYTES, Glyphs
from rish_terminal.layout import fit

Picture = npt.NDArray[np.uint8]
Blank = Callable[[int, int], Any]


def noise(width: int, height: int, seed: int = 1) -> Picture:
    """Return an image of random pixels."""
    picture = np.random.default_rng(seed).integers(0, 256, (height, width, 4), np.uint8)
    picture[..., 3] = 255
    return picture


def shown(cells: Cells, picture: Picture, screen: Any, layout: Any, labels: Sequence[Label] = ()) -> int:
    """Update the screen to an image with labels; return the number of bytes."""
    data = cells.update(picture, layout, labels)
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
    """In an area of one color the color is set once, not for each cell."""
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


def test_the_palette_has_the_nearest_color(palette: Callable[[int], tuple[int, int, int]]) -> None:
    """None of the 240 fixed colors is much nearer than the chosen one; the numbers have the type of true colors."""
    colors = noise(50, 20)[..., :3]
    table = np.array([palette(number) for number in range(16, 256)])
    assert palette_colors(colors).dtype == np.int32
    chosen = table[palette_colors(colors) - 16]
    distance = np.sqrt(((chosen - colors) ** 2.0).sum(axis=-1))
    best = np.sqrt(((table[None, None] - colors[:, :, None]) ** 2.0).sum(axis=-1).min(axis=-1))
    assert (distance <= best + 12).all()
    exact = table[None].astype(np.uint8)
    assert np.array_equal(table[palette_colors(exact) - 16][0], table)


def test_few_colors_give_a_picture_as_well(blank: Blank, palette: Callable[[int], tuple[int, int, int]]) -> None:
    """With the palette the screen shows the nearest colors."""
    layout, screen, cells = fit((20, 20), 20, 10), blank(20, 10), Cells()
    cells.true = False
    picture = noise(20, 20)
    shown(cells, picture, screen, layout)
    table = np.array([(0, 0, 0)] * 16 + [palette(number) for number in range(16, 256)])
    assert np.array_equal(screen.picture, table[palette_colors(picture[..., :3])])


def write(text: str, column: int, row: int, color: tuple[int, int, int, int] = (255, 255, 255, 255)) -> list[Label]:
    """Return the labels of a text on one row."""
    labels: list[Label] = []
    for character in text:
        wide = 2 if ord(character) > 0x2E80 else 1
        labels.append(Label(column, row, character, wide, color))
        column += wide
    return labels


def test_labels_are_characters_over_the_picture(blank: Blank) -> None:
    """A label is shown in its color on the mean of the picture behind it; a translucent one is mixed with that."""
    layout, screen, cells = fit((20, 8), 20, 4), blank(20, 4), Cells()
    picture = np.zeros((8, 20, 4), np.uint8)
    picture[4::2] = 100
    labels = write("Ok", 1, 1) + write("中文", 4, 2, (200, 0, 0, 128)) + [Label(9, 2, "e\u0301", 1, (1, 2, 3, 255))]
    shown(cells, picture, screen, layout, labels)
    assert screen.text == ["", " Ok", "    中文 e\u0301", ""]
    assert screen.fore[1, 1].tolist() == [255, 255, 255]
    assert screen.back[2, 4].tolist() == [50, 50, 50]
    assert screen.fore[2, 4].tolist() == [125, 25, 25]
    assert shown(cells, picture, screen, layout, list(labels)) == 0


def test_only_changed_characters_are_written(blank: Blank) -> None:
    """A changed letter costs one cell, a changed wide one two, and a line of text one cursor movement."""
    layout, screen, cells = fit((40, 8), 40, 4), blank(40, 4), Cells()
    picture = np.full((8, 40, 4), 30, np.uint8)
    shown(cells, picture, screen, layout, write("Score 12 分數", 0, 1))
    screen.written = 0
    assert shown(cells, picture, screen, layout, write("Score 13 分數", 0, 1)) < 60
    assert screen.written == 1
    shown(cells, picture, screen, layout, write("Score 13 分別", 0, 1))
    assert screen.written == 3
    cells.forget()
    data = cells.update(picture, layout, write("a" * 40, 0, 1))
    assert data.count(b"\x1b[2;") == 1


@pytest.mark.parametrize("true", [True, False])
def test_any_sequence_of_labels_ends_with_the_last(blank: Blank, true: bool) -> None:
    """Any sequence of labels, wide ones over narrow ones and back, gives the same screen as the last one alone."""
    layout, random = fit((16, 8), 20, 6), np.random.default_rng(5)
    screen, cells = blank(20, 6), Cells()
    cells.true = true
    for _ in range(150):
        picture = np.repeat(random.integers(0, 3, (8, 16, 1), np.uint8) * 90, 4, axis=2)
        labels = [
            label
            for row in range(4)
            for label in write("".join(random.choice(list("ab中文 "), 6)), int(random.integers(0, 5)), row)
            if random.random() < 0.8
        ]
        shown(cells, picture, screen, layout, labels)
        fresh, other = blank(20, 6), Cells()
        other.true = true
        shown(other, picture, fresh, layout, labels)
        assert screen.text == fresh.text
        assert np.array_equal(screen.behind, fresh.behind)
        letters = ~np.isin(fresh.glyphs, [" ", "▀", "▄"])
        assert np.array_equal(screen.fore[letters], fresh.fore[letters])


def test_the_cursor_is_placed_again_after_sequences(blank: Blank) -> None:
    """After characters about whose width terminals disagree, the next cell is addressed by row and column."""
    layout, cells = fit((6, 2), 6, 1), Cells()
    flag = Label(1, 0, "\U0001f1e9\U0001f1ea", 2, (255, 255, 255, 255))
    data = cells.update(np.zeros((2, 6, 4), np.uint8), layout, [flag, *write("x", 3, 0)])
    assert b"\x1b[1;4H" in data


def test_labels_outside_and_odd_characters_do_no_harm(blank: Blank) -> None:
    """Labels outside the picture are left out, control characters become spaces, and endless marks are cut."""
    layout, screen, cells = fit((6, 4), 6, 2), blank(6, 2), Cells()
    color = (255, 255, 255, 255)
    places = [(-1, 0), (6, 0), (5, 0), (0, -1), (0, 2)]
    labels = [Label(x, y, "中", 2, color) for x, y in places] + [Label(0, 0, "\x1b", 1, color)]
    labels += [Label(1, 1, "a" + "\u0301" * 90, 1, color)]
    shown(cells, np.zeros((4, 6, 4), np.uint8), screen, layout, labels)
    assert screen.text[0] == ""
    assert len(screen.glyphs[1, 1].encode()) <= MAX_BYTES


def test_glyphs_are_forgotten_when_they_are_too_many() -> None:
    """The table of characters does not grow for ever."""
    glyphs = Glyphs()
    under = np.zeros((1, 1, 3), np.uint8)
    for code in range(5000):
        glyphs.trim()
        glyphs.overlay([Label(0, 0, chr(0x4E00 + code), 1, (255, 255, 255, 255))], under)
    assert len(glyphs.table[1]) < 4200


def test_compiled_and_plain_python_write_the_same() -> None:
    """Compiled and plain Python write the same bytes, for both color depths."""
    layout = fit((23, 11), 40, 12)
    columns = layout.shown[0], layout.left + 1, layout.top + 1
    random = np.random.default_rng(6)
    for true, maximum in ((True, 1 << 24), (False, 256)):
        top, bottom = (random.integers(0, maximum, 23 * 6).astype(np.int32) for _ in range(2))
        top[::3] = bottom[::3]
        changed = np.flatnonzero(random.random(23 * 6) < 0.6)
        glyphs = Glyphs()
        labels = [*write("ab中文", 1, 0), Label(9, 2, "e\u0301", 1, (255, 255, 255, 255))]
        number = glyphs.overlay(labels, np.zeros((6, 23, 3), np.uint8)).number.ravel()
        outs = [np.zeros(MAX * len(changed), np.uint8) for _ in range(2)]
        used = [
            run(out, changed, top, bottom, *columns, true, number, glyphs.table)
            for run, out in zip((compose, compose.py_func), outs, strict=True)
        ]
        assert used[0] == used[1] < len(outs[0])
        assert np.array_equal(*outs)
