"""Authors' shaders: uniforms are parsed and blanked out, and mistakes are reported with their lines."""

from __future__ import annotations

import pytest

from rish_core import AssetError
from rish_render.components.shader_source import MAX_CHARACTERS, read_shader, reads_screen

SHADE = "vec4 shade(Pixel p) { return p.color; }"


def test_uniforms_are_read_with_types_and_first_values() -> None:
    """Defaults can be numbers, booleans, and vectors with all parts or one number; without a default the value is 0."""
    text = f"""
uniform float strength = 1.5;
uniform vec3 tint = vec3(1.0, .5, 0.f);
uniform vec2 both=vec2(2);
uniform bool on = true;
uniform int steps = 4; uniform vec4 plain;
{SHADE}
"""
    shader = read_shader("glow", text, "glow.frag")
    assert shader.uniforms == {
        "strength": "float", "tint": "vec3", "both": "vec2", "on": "bool", "steps": "int", "plain": "vec4",
    }  # fmt: skip
    assert shader.values({}) == {
        "strength": 1.5, "tint": (1.0, 0.5, 0.0), "both": (2.0, 2.0), "on": True, "steps": 4, "plain": (0.0,) * 4,
    }  # fmt: skip
    assert (shader.name, shader.place) == ("glow", "glow.frag")


def test_declarations_and_comments_are_blanked_and_lines_stay() -> None:
    """After blanking, each line keeps the number that it has in the author's file."""
    text = f"// uniform float no;\n/* uniform\n int no; */ uniform float yes = 1;\n{SHADE}"
    shader = read_shader("a", text, "a.frag")
    assert list(shader.uniforms) == ["yes"]
    assert "uniform" not in shader.source
    lines = shader.source.split("\n")
    assert len(lines) == 4
    assert lines[3] == SHADE


def test_what_the_engine_gives_may_be_declared_as_well() -> None:
    """An author may declare `uniform float time;` and other built-in uniforms; they are not declared twice."""
    shader = read_shader("a", f"uniform float time;\nuniform vec2 resolution;\n{SHADE}", "a.frag")
    assert not shader.uniforms
    assert "time" not in shader.source


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("\n\n#version 330\n" + SHADE, 3, "'#version'"),
        (SHADE + "\nvoid main() {}", 2, "writes 'main' itself"),
        ("uniform vec5 a;\n" + SHADE, 1, r"type 'vec5' \(did you mean 'vec4'\?\)"),
        ("uniform sampler2D a;\n" + SHADE, 1, "type 'sampler2D'"),
        ("\nuniform float a[4];\n" + SHADE, 2, "is an array"),
        ("uniform float a = sin(1.0);\n" + SHADE, 1, "not plain numbers"),
        ("uniform vec3 a = vec3(1, 2);\n" + SHADE, 1, "has 2 numbers, a vec3 has 3"),
    ],
)
def test_mistakes_are_reported_with_file_and_line(text: str, line: int, message: str) -> None:
    """The message contains the file, the line, the wrong part and the expected form."""
    with pytest.raises(AssetError, match=rf"fx/a\.frag:{line}:\d+: .*{message}"):
        read_shader("a", text, "fx/a.frag")


@pytest.mark.parametrize("text", ["", "vec4 shade(vec4 p) { return p; }", "// " + SHADE, "/* " + SHADE])
def test_a_shader_without_its_function_is_refused(text: str) -> None:
    """A shader without `shade` is refused with its required form; a function within a comment does not count."""
    with pytest.raises(AssetError, match=r"a\.frag: the shader has no function `vec4 shade\(Pixel p\)`"):
        read_shader("a", text, "a.frag")


def test_a_huge_file_is_refused_before_it_is_searched() -> None:
    """A file of megabytes is refused before it is parsed."""
    with pytest.raises(AssetError, match="too large"):
        read_shader("a", " " * (MAX_CHARACTERS + 1), "a.frag")


def test_reading_the_screen_is_seen_in_the_text() -> None:
    """A call of `screen` in the code counts as reading the screen; one in a comment does not."""
    assert reads_screen(read_shader("a", "vec4 shade(Pixel p) { return screen (p.at); }", "a"))
    assert not reads_screen(read_shader("a", "// screen(p.at)\n" + SHADE, "a"))
