"""Values as a manifest has them: colors."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rish_authoring.saving.values import text_value
from rish_ecs import Color, component, field, kind_of, parse_color


@component
class Painted:
    """What has colors, with light beyond white."""

    one: Color = field((1, 1, 1, 1), low=0, doc="a color")
    many: list[Color] = field((), low=0, doc="colors")


def read_back(text: object) -> np.ndarray:
    """Return the color of a manifest's text as it is stored."""
    parts = parse_color(text) if isinstance(text, str) else text
    return np.asarray(parts, np.float32)


def unnamed(_: int) -> str:
    """Refuse to name an entity."""
    raise AssertionError


STEPS = st.lists(st.integers(0, 255), min_size=4, max_size=4)
PARTS = st.lists(st.floats(0, 1e6, width=32), min_size=4, max_size=4)


@given(STEPS)
def test_colors_in_steps_are_hexadecimal_digits(steps: list[int]) -> None:
    """A color in steps of 1/255 is `#rrggbb`, with its opacity unless that is 1, and is read back as the same."""
    value = np.asarray(steps, np.float64) / 255
    text = text_value(kind_of(Painted).fields["one"], value.astype(np.float32), unnamed)
    digits = "".join(f"{step:02x}" for step in steps)
    assert text == (f"#{digits[:6]}" if steps[3] == 255 else f"#{digits}")
    assert read_back(text).tolist() == value.astype(np.float32).tolist()


@given(PARTS | STEPS.map(lambda steps: [step / 255 for step in steps]))
def test_every_color_is_read_back_exactly(parts: list[float]) -> None:
    """Any opacity and any light above 1 is kept, in one color and in lists."""
    value = np.asarray(parts, np.float32)
    specs = kind_of(Painted).fields
    one = text_value(specs["one"], value, unnamed)
    many = text_value(specs["many"], np.stack([value, value]), unnamed)
    assert read_back(one).tolist() == value.tolist()
    assert many == [one, one]


@pytest.mark.parametrize("value", [(1.5, 1, 0, 1), (0.5, 0, 0, 1), (1, 1, 1, 0.3), (0, 0, 0, 2)])
def test_colors_between_steps_are_numbers(value: tuple[float, ...]) -> None:
    """What digits can't express exactly is written as numbers."""
    text = text_value(kind_of(Painted).fields["one"], np.asarray(value, np.float32), unnamed)
    assert text == pytest.approx(list(value))
