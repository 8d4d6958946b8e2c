"""Shader programs, made from the GLSL files for the features that a batch needs, and cached for each context."""

from __future__ import annotations

import importlib
from collections.abc import Sequence, Set
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

_TEXTS = files("rish_scene3d") / "drawers" / "arcade" / "glsl"
UNITS = {
    name: unit for unit, name in enumerate(("materials", "lamps", "clusters", "atlas", "palettes", "morphs", "deltas"))
}
"""The texture units of the tables; sizes of pictures and inputs of the pass follow."""
TABLES = 4
"""The number of tables that a fragment shader reads, at most: the first ones. OpenGL 3.3 promises it 16 textures."""
FIRST_UNIT = len(UNITS)
FIRST_INPUT = FIRST_UNIT + 13
VIEW, LIGHT = 22, 23
"""The numbers of the uniform blocks; low ones may belong to other code that draws in the same window."""
_BLOCKS = {"View": VIEW, "Light": LIGHT}
SOURCES = "*"
"""The place of the text of `sources` among the files of a fragment shader."""
THINGS = ("tables", "colors", "view", "things.vert")
"""The files of the vertex shader of things."""
LIT = ("scene", "octahedral", "light", "cube", "shadows", "shading")
"""The files of the light of surfaces."""
COVER = ("cover.vert",)
"""The file of a vertex shader that covers the viewport with one triangle."""


@cache
def raw() -> Any:
    """Return pyglet's OpenGL functions and constants, for what arcade.gl lacks: a first instance of a draw call."""
    return importlib.import_module("pyglet.gl")


@cache
def text(name: str) -> str:
    """Return the text of a GLSL file."""
    return (_TEXTS / f"{name}.glsl").read_text(encoding="utf-8")


class Program:
    """A compiled program whose samplers and blocks are connected; see UNITS."""

    def __init__(self, ctx: Any, vertex: str, fragment: str, samplers: dict[str, int]) -> None:
        self.native = ctx.program(vertex_shader=vertex, fragment_shader=fragment)
        self._given: dict[str, Any] = {}
        self._places: dict[str, int] = {}
        for name, unit in samplers.items():
            self.native.set_uniform_safe(name, unit)
        for name, number in _BLOCKS.items():
            try:
                self.native[name].binding = number
            except KeyError:
                continue

    def set(self, **values: Any) -> None:
        """Set uniforms; those that the compiler removed are ignored."""
        values_set = self._given
        for name, value in values.items():
            if values_set.get(name) != value:
                self.native.set_uniform_safe(name, value)
                values_set[name] = value

    def set_vectors(self, name: str, numbers: Any) -> None:
        """Set an array of vec4 of the program in use from a C array of floats; excess numbers are ignored."""
        if self._given.get(name) is numbers:
            return
        gl = raw()
        location = self._places.get(name)
        if location is None:
            location = self._places[name] = gl.glGetUniformLocation(self.native.glo, name.encode())
        if location >= 0:
            gl.glUniform4fv(location, len(numbers) // 4, numbers)
        self._given[name] = numbers


class Shader(NamedTuple):
    """The parts of a program.

    vertex, fragment: GLSL files, joined in order, with SOURCES in the place of `text`. defines: names, or names with
    values. samplers: units of samplers beyond UNITS.
    """

    vertex: Sequence[str]
    fragment: Sequence[str]
    defines: Set[str] = frozenset()
    text: str = ""
    samplers: tuple[tuple[str, int], ...] = ()


class Programs:
    """The programs of one context."""

    def __init__(self, ctx: Any) -> None:
        self._ctx = ctx
        self._made: dict[Shader, Program] = {}

    def __call__(self, shader: Shader) -> Program:
        """Return a program; it is compiled at the first call."""
        program = self._made.get(shader)
        if program is None:
            head = "#version 330\n" + "".join(f"#define {name}\n" for name in sorted(shader.defines))
            vertex = head + "\n".join(map(text, shader.vertex))
            parts = [shader.text if name == SOURCES else text(name) for name in shader.fragment]
            fragment = head + "\n".join(parts)
            program = self._made[shader] = Program(self._ctx, vertex, fragment, UNITS | dict(shader.samplers))
        return program
