"""The colors of a page can be read, whatever the pictures are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rish_page.colors import contrast, css, main_hue, palette, parse, written

COLORS = st.integers(0, 0xFFFFFF).map(lambda number: f"#{number:06x}")


@given(arrays(np.float32, (1, 2, 3, 3), elements=st.floats(0, 1, width=32)), st.none() | COLORS)
def test_texts_have_the_contrast_that_wcag_asks_for(thumbs: np.ndarray, chosen: str | None) -> None:
    """Seven to one for texts, 4.5 for small and colored ones, on the page and on panels, in both schemes."""
    for scheme in palette(thumbs, chosen):
        back, panel, _, text, quiet, accent, on_accent = (parse(written(each)) for each in scheme)
        for behind in (back, panel):
            assert contrast(text, behind) >= 6.9
            assert contrast(quiet, behind) >= 4.5
            assert contrast(accent, behind) >= 3
        assert contrast(accent, back) >= 4.4
        assert contrast(on_accent, accent) >= 4.5


@pytest.mark.parametrize(("color", "hue"), [((0.9, 0.1, 0.1), 0.0), ((0.1, 0.8, 0.1), 1 / 3), ((0.2, 0.3, 0.9), 0.64)])
def test_the_hue_is_that_of_the_colorful_pixels(color: tuple[float, float, float], hue: float) -> None:
    """Few colorful pixels count for more than much gray."""
    thumbs = np.full((2, 8, 8, 3), 0.3, np.float32)
    thumbs[0, :2] = color
    assert abs((main_hue(thumbs)[0] - hue + 0.5) % 1 - 0.5) < 0.04


def test_known_contrasts() -> None:
    """The values of WCAG: black on white has 21, a color on itself 1."""
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)
    assert contrast(parse("#777777"), (1, 1, 1)) == pytest.approx(4.48, abs=0.01)


def test_the_style_sheet_has_a_scheme_for_dark_screens() -> None:
    """The light one is the usual one; braces are closed."""
    text = "\n".join(css(palette(np.zeros((1, 1, 1, 3), np.float32))))
    assert text.count("--on-accent:") == 2
    assert text.index(":root") < text.index("prefers-color-scheme: dark")
    assert text.count("{") == text.count("}")
