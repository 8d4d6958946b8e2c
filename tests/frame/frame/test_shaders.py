"""Shaders: their declarations, and the values of their uniforms."""

from __future__ import annotations

import numpy as np
import pytest

from rish_ecs import UnknownName, UsageError
from rish_frame.frame.shaders import UNIFORMS, Shader, sample

GLOW = Shader(
    "glow",
    "vec4 shade(Pixel p) { return p.color * strength; }",
    {"strength": "float", "tint": "vec3", "steps": "int", "on": "bool"},
    {"strength": 2, "tint": 0.5},
)


def test_defaults_fill_what_a_material_leaves_out() -> None:
    """Values that a material leaves out are the defaults, in the form of their type.

    One number is used for all components, and 0 without a default.
    """
    assert GLOW.values({}) == {"strength": 2.0, "tint": (0.5, 0.5, 0.5), "steps": 0, "on": False}


def test_parameters_outweigh_defaults() -> None:
    """Parameters of a material override the defaults, by name."""
    values = GLOW.values({"tint": (1, 0, 0.25), "steps": 3, "on": 1})
    assert values == {"strength": 2.0, "tint": (1.0, 0.0, 0.25), "steps": 3, "on": True}
    assert [type(value) for value in values.values()] == [float, tuple, int, bool]


def test_an_unknown_uniform_is_named_with_the_nearest_one() -> None:
    """An unknown uniform is reported with the shader and the nearest name."""
    with pytest.raises(UnknownName, match=r"shader 'glow'.*no uniform is called 'strenght'.*strength"):
        GLOW.values({"strenght": 1})


@pytest.mark.parametrize("value", [(1, 2), (1, 2, 3, 4), [[1, 2, 3]]])
def test_a_value_of_the_wrong_length_is_refused(value: object) -> None:
    """A value of a wrong length is rejected with the uniform and the required length."""
    with pytest.raises(UsageError, match=r"uniform 'tint'.*a vec3 takes 3 numbers"):
        GLOW.values({"tint": value})


def test_an_unknown_type_is_refused_where_it_is_declared() -> None:
    """An unknown type is rejected at its declaration with the existing types."""
    with pytest.raises(UnknownName, match=r"shader 'x', uniform 'k'.*'vec5'"):
        Shader("x", "", {"k": "vec5"})
    assert set(UNIFORMS) == {"float", "int", "bool", "vec2", "vec3", "vec4"}


def test_sampling_counts_from_the_bottom_left() -> None:
    """Sampling counts from the bottom left; the middle is interpolated between all four texels."""
    picture = np.zeros((2, 2, 4), np.uint8)
    picture[..., 0] = [[100, 200], [0, 40]]
    at = np.float32([[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75], [0.5, 0.5]])
    assert (sample(picture, at)[:, 0] * 255).round().tolist() == [0, 40, 100, 200, 85]
    assert (sample(picture, at[:4] + np.float32(0.2), smooth=False)[:, 0] * 255).round().tolist() == [0, 40, 100, 200]


def test_sampling_is_clear_outside_and_holds_the_rim() -> None:
    """Outside the image sampling is transparent; the outermost half texel has the texel's color; NaN is outside."""
    picture = np.full((3, 5, 4), 255, np.uint8)
    at = np.float32([[0, 0], [1, 1], [-0.01, 0.5], [0.5, 1.01], [np.nan, 0.5]])
    assert sample(picture, at)[:, 3].tolist() == [1, 1, 0, 0, 0]
    assert sample(picture, at, rim=True)[:, 3].tolist() == [1, 1, 1, 1, 0]
    assert not sample(None, at).any()
