"""The default loading screen: title, bar and number of kernels, readable in every window."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rish_render.kinds.text.opening.card import paint_loading

DARK = (0.06, 0.07, 0.10)


def luminance(color: np.ndarray) -> float:
    """Return the relative luminance of an sRGB color (WCAG 2)."""
    part = color[:3] / 255
    linear = np.where(part <= 0.03928, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


@pytest.fixture(autouse=True)
def _still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stop the clock, so that the moving part of the bar stays where it is."""
    monkeypatch.setattr("time.monotonic", lambda: 0.0)


@pytest.mark.parametrize("size", [(1, 1), (16, 9), (300, 500), (1280, 720), (3840, 2160)])
def test_it_fills_a_window_of_any_size(size: tuple[int, int]) -> None:
    """The image has the window's size and is opaque."""
    image = paint_loading(DARK, "", "Lantern", size, 1, 2)
    assert image.shape == (size[1], size[0], 4)
    assert image.dtype == np.uint8
    assert (image[..., 3] == 255).all()


def test_the_bar_grows_with_the_work() -> None:
    """The filled part of the bar grows with each kernel, from nothing to its complete length."""
    lit = []
    for done in (0, 1, 2, 3, 4):
        image = paint_loading(DARK, "", "", (400, 300), done, 4)
        row = image[int(300 * 0.56) + 1, :, :3].astype(int).sum(axis=1)
        lit.append(int((row > 720).sum()))
    assert lit[0] == 0
    assert lit == sorted(set(lit))
    assert lit[4] == pytest.approx(0.4 * 400, abs=4)


def test_the_bar_moves_while_a_kernel_takes_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two images of the same work at different times differ, so that a window never looks frozen."""
    first = paint_loading(DARK, "", "Lantern", (400, 300), 1, 4)
    monkeypatch.setattr("time.monotonic", lambda: 0.1)
    assert (first != paint_loading(DARK, "", "Lantern", (400, 300), 1, 4)).any()


@pytest.mark.parametrize("background", [(0, 0, 0, 1), (1, 1, 1, 1), (0.5, 0.5, 0.5, 1), (0.9, 0.2, 0.1, 1)])
def test_letters_are_readable_on_any_background(background: tuple[float, ...]) -> None:
    """The contrast between letters and background is at least 4.5 to 1 on dark and light backgrounds."""
    image = paint_loading(background, "", "Lantern", (640, 360), 4, 4).astype(float)
    base = luminance(image[0, 0])
    contrasts = [
        (max(base, luminance(c)) + 0.05) / (min(base, luminance(c)) + 0.05)
        for c in image[200:206, 320:324].reshape(-1, 4)
    ]
    assert max(contrasts) >= 4.5


def test_a_title_in_chinese_is_written_with_its_letters(monkeypatch: pytest.MonkeyPatch) -> None:
    """A title of Chinese and Latin letters shows each of its letters, also without the CJK extra and system fonts."""
    monkeypatch.setattr("rish_render.kinds.text.faces.CJK", ("no_such_package", ""))
    monkeypatch.setattr("rish_render.kinds.text.faces.font_folders", list)
    images = [paint_loading(DARK, "zh-HK", title, (640, 360), 1, 4) for title in ("遊戲 A", "開始 A", "\u0378\u0379 A")]
    assert all((one != other).any() for one, other in itertools.pairwise([*images, images[0]]))
    columns = (images[0][130:175] != images[0][0, 0]).any(axis=(0, 2))
    assert columns.sum() > 3 * 18  # two ideographs and a letter, each about a line wide


def test_a_long_title_fits() -> None:
    """A title that is wider than the window is written in smaller letters."""
    image = paint_loading(DARK, "", "A very long title of a game that never ends", (500, 300), 1, 2)
    edge = np.concatenate([image[:, :10], image[:, -10:]], axis=1)
    assert (edge == image[0, 0]).all()
    assert (image[100:160] != image[0, 0]).any()
