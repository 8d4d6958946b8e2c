"""Colors in text."""

from __future__ import annotations

import pytest

from rish_ecs.colors import NAMES, parse_color


def test_hexadecimal_colors_have_three_to_eight_digits():
    """Hexadecimal colors can be short or long, with or without alpha."""
    assert parse_color("#ff0000") == [1, 0, 0, 1]
    assert parse_color("#0f08") == [0, 1, 0, pytest.approx(0.5333, abs=1e-3)]
    assert parse_color("#00000080")[3] == pytest.approx(128 / 255)


def test_names_are_those_of_css():
    """All names of CSS are known, in any case and with both spellings of gray."""
    image_color = pytest.importorskip("PIL.ImageColor")
    for name in image_color.colormap:
        assert parse_color(name) == parse_color("#{:02x}{:02x}{:02x}".format(*image_color.getrgb(name)))
    assert parse_color("SlateGrey") == parse_color("slategray")
    assert parse_color("transparent")[3] == 0
    assert len(NAMES) == 142


@pytest.mark.parametrize("text", ["#12", "#ggg", "#12345", "rde", ""])
def test_anything_else_is_refused(text):
    """Any other text raises ValueError."""
    with pytest.raises(ValueError, match="no color"):
        parse_color(text)
