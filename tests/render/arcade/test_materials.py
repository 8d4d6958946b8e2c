"""Authors' shaders: the values they receive, and how their mistakes are reported."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_frame import DrawStats, Material, Pass, Shader
from rish_frame.frame.camera_math import pixels
from rish_frame.testing.checks import assert_color
from rish_frame.testing.samples import (  # fmt: skip
    BLUE,
    GREEN,
    HALF_RED,
    OPAQUE,
    PAGE,
    QUARTERS,
    RED,
    picture_frame,
    quad,
    sample_batches,
    sample_page,
    wide,
)
from rish_render.backends.arcade.shader_errors import explain

pytestmark = pytest.mark.gl

INVERT = "vec4 shade(Pixel p) { return vec4(p.color.a - p.color.rgb, p.color.a); }"
VERSION = iter(range(10**6))


def show(
    arcade: Any, source: str, uniforms: dict[str, str] | None = None, values: dict[str, Any] | None = None,
    name: str = "glow", make: Any = quad, **options: Any,
) -> tuple[np.ndarray, DrawStats]:  # fmt: skip
    """Return an image of the quarters on 16x16 pixels around (20, 20), drawn with a shader, and the statistics."""
    arcade.image(PAGE, sample_page())
    frame = picture_frame((64, 48))
    frame.time = 2.5
    frame.shaders[name] = Shader(name, source, uniforms or {}, place=f"{name}.frag", version=next(VERSION))
    given: dict[str, Any] = {"frame": QUARTERS, **options}
    frame.add(make(20, 20, 16, 16, material=Material(name, values or {}), **given))
    stats = arcade.draw(frame)
    return arcade.pixels(), stats


def test_a_shader_changes_the_color(arcade: Any):
    """A shader changes the color of sprites and of wide sprites, with a linear filter as well."""
    for options in ({}, {"make": wide}, {"filter": "linear"}, {"make": wide, "filter": "linear"}):
        picture, stats = show(arcade, INVERT, **options)
        assert not stats.skipped
        assert_color(picture, 13, 26, (0, 255, 255, 255))
        assert_color(picture, 26, 26, (255, 0, 255, 255))


def test_uniforms_have_their_types_and_defaults(arcade: Any):
    """Uniforms of all types arrive; a missing value is the default, and one number fills a vector."""
    types = {"a": "float", "b": "int", "c": "bool", "d": "vec2", "e": "vec3", "f": "vec4"}
    source = """
    vec4 shade(Pixel p) {
        float right = a == 0.5 && b == 7 && c && d == vec2(1.0, 2.0) && e == vec3(3.0) && f == vec4(0.0) ? 1.0 : 0.0;
        return vec4(0.0, right, 0.0, 1.0);
    }
    """
    picture, stats = show(arcade, source, types, {"a": 0.5, "b": 7, "c": True, "d": (1, 2), "e": 3})
    assert not stats.skipped
    assert_color(picture, 20, 20, GREEN)


def test_places_time_and_resolution(arcade: Any):
    """`uv` runs across the sprite and `at` across the target, both from the bottom left; time and resolution arrive."""
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return vec4(p.uv, 0.0, 1.0); }")
    assert_color(picture, 12, 12, (8, 8, 0, 255))
    assert_color(picture, 27, 12, (247, 8, 0, 255))
    assert_color(picture, 12, 27, (8, 247, 0, 255))
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return vec4(p.at, 0.0, 1.0); }")
    assert_color(picture, 20, 16, (255 * 20.5 / 64, 255 * 16.5 / 48, 0, 255))
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return vec4(time / 5.0, resolution / 100.0, 1.0); }")
    assert_color(picture, 20, 20, (127.5, 255 * 0.64, 255 * 0.48, 255))


def test_the_picture_can_be_read_anywhere(arcade: Any):
    """`picture` reads any texel of the sprite's image, untinted, and is transparent outside it."""
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return picture(1.0 - p.uv); }", rgba=RED)
    for x, y, expected in ((14, 26, OPAQUE), (26, 26, BLUE), (14, 14, GREEN), (26, 14, RED)):
        assert_color(picture, x, y, expected)
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return picture(p.uv + vec2(0.5, 0.0)); }")
    assert_color(picture, 14, 26, GREEN)
    assert_color(picture, 26, 26, (0, 0, 0, 255))


def test_what_it_returns_is_premultiplied_and_blended(arcade: Any):
    """The returned color is treated as premultiplied and blended over what is below."""
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return vec4(0.5); }")
    assert_color(picture, 20, 20, (128, 128, 128, 255))
    picture, _ = show(arcade, "vec4 shade(Pixel p) { return p.color; }", frame=HALF_RED)
    assert_color(picture, 20, 20, (128, 0, 0, 255))


def test_the_screen_is_what_the_pass_found(arcade: Any):
    """`screen` reads the pass's input; it is transparent if the pass reads no target."""
    source = "vec4 shade(Pixel p) { return vec4(screen(p.at).grb, 1.0); }"
    frame = picture_frame((64, 48))
    arcade.image(PAGE, sample_page())
    frame.shaders["swap"] = Shader("swap", source)
    frame.add(quad(20, 20, 30, 30, RED))
    frame.add_pass(Pass("over", inputs=("screen",), rank="post", projection=pixels((64, 48))))
    frame.add(quad(20, 20, 10, 10, material=Material("swap")), to="over")
    assert not arcade.draw(frame).skipped
    assert_color(arcade.pixels(), 20, 20, GREEN)
    assert_color(arcade.pixels(), 10, 20, RED)
    frame.passes["over"].inputs = ()
    arcade.draw(frame)
    assert_color(arcade.pixels(), 20, 20, (0, 0, 0, 255))


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("vec4 shade(Pixel p) {\n    return wrong;\n}", 2, "wrong"),
        ("vec4 shade(Pixel p) {\n    float x = 1.0\n    return vec4(x);\n}", 3, "syntax"),
        ("vec4 shade(Pixel p) { return vec4(1.0); }\n\n#error no more", 3, "no more"),
        ("vec4 shade(Pixel p) {\n    return vec4(1.0);\n", 2, "syntax"),
    ],
)
def test_a_mistake_is_reported_with_the_authors_line(arcade: Any, source: str, line: int, words: str):
    """A compile error is reported with the author's file and line, and the plain sprite is drawn."""
    name = f"broken{line}{words[:2].strip()}{len(source)}"
    picture, stats = show(arcade, source, name=name)
    told = stats.skipped[f"material:{name}"]
    assert told.startswith(f"{name}.frag:{line}: ")
    assert words in told
    assert told.endswith("it is drawn without the material")
    assert "\n" not in told
    assert_color(picture, 13, 26, RED)


def test_a_new_version_that_does_not_compile_keeps_the_last_one(arcade: Any):
    """A new version that does not compile leaves the previous one in use, until one compiles again."""
    show(arcade, INVERT, name="kept")
    picture, stats = show(arcade, "vec4 shade(Pixel p) { return 1; }", name="kept")
    assert stats.skipped["material:kept"].endswith("the last version that compiled is used")
    assert_color(picture, 13, 26, (0, 255, 255, 255))
    picture, stats = show(arcade, "vec4 shade(Pixel p) { return p.color.grba; }", name="kept")
    assert not stats.skipped
    assert_color(picture, 13, 26, GREEN)


def test_a_parameter_that_the_shader_has_not_is_reported(arcade: Any):
    """A parameter that the shader does not declare is reported, and the plain sprite is drawn."""
    picture, stats = show(arcade, INVERT, {"strength": "float"}, {"strenght": 1.0})
    assert "strenght" in stats.skipped["material:glow"]
    assert_color(picture, 13, 26, RED)


@pytest.mark.parametrize("kind", ["shapes", "lines", "polygons", "mesh", "tiles"])
def test_kinds_without_materials_are_drawn_plain_and_reported(arcade: Any, kind: str):
    """Kinds of batches without material support are drawn plain, and the material is reported once."""
    frame = picture_frame((64, 48))
    arcade.image(PAGE, sample_page())
    frame.shaders["glow"] = Shader("glow", INVERT)
    batch = sample_batches(20, 20, 12, RED)[kind]
    batch.material = Material("glow")
    frame.add(batch)
    assert list(arcade.draw(frame).skipped) == ["material:glow"]
    assert_color(arcade.pixels(), 20, 20, RED)


@pytest.mark.parametrize(
    "log",
    [
        "0:3(12): error: `foo' undeclared\n0:4(1): error: more",
        '0(3) : error C1503: undefined variable "foo"',
        "ERROR: 0:3: 'foo' : undeclared identifier",
        "0:7(2): warning: nothing\n0:3(1): preprocessor error: foo",
    ],
)
def test_every_compilers_way_to_write_an_error_is_read(log: str):
    """The error formats of Mesa, NVIDIA and other compilers are parsed."""
    told = explain(log, "game/glow.frag", "a\nb\nc")
    assert told.startswith("game/glow.frag:3: ")
    assert "foo" in told


def test_an_error_of_an_unknown_form_is_passed_on():
    """An error in an unknown format is reported as its last line, with the file."""
    assert explain("oh\nno\n", "glow.frag", "") == "glow.frag: no"
    assert explain("", "glow", "") == "glow: it does not compile"
