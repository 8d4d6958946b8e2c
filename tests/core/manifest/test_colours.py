"""Colours in text."""

from __future__ import annotations

import pytest

from rish_core.manifest.colours import NAMES, colour


def test_hexadecimal_colours_have_three_to_eight_digits():
    """Short and long forms, with and without opacity."""
    assert colour("#ff0000") == [1, 0, 0, 1]
    assert colour("#0f08") == [0, 1, 0, pytest.approx(0.5333, abs=1e-3)]
    assert colour("#00000080")[3] == pytest.approx(128 / 255)


def test_names_are_those_of_css():
    """141 names and `transparent`; case and the spelling of gray don't matter."""
    image_colour = pytest.importorskip("PIL.ImageColor")
    for name, value in image_colour.colormap.items():
        assert colour(name) == colour(value)
    assert colour("SlateGrey") == colour("slategray")
    assert colour("transparent")[3] == 0
    assert len(NAMES) == 142


@pytest.mark.parametrize("text", ["#12", "#ggg", "#12345", "rde", ""])
def test_anything_else_is_refused(text):
    """A ValueError says which forms there are."""
    with pytest.raises(ValueError, match="no colour"):
        colour(text)
