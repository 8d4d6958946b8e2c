"""Shader programs, made from the plugin's GLSL for the features that a batch needs, and cached for each context."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.resources import files
from typing import Any

VERTEX = """#version 330
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""
"""A vertex shader that covers the complete target with one triangle."""


@cache
def text(name: str) -> str:
    """Return the text of a GLSL file of the plugin."""
    return (files("rish_lighting") / "glsl" / name).read_text(encoding="utf-8")


class Programs:
    """The programs of one context, by their shader files and defines."""

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        self._made: dict[Any, Any] = {}

    def program(self, vertex: str, fragment: str, defines: Iterable[str]) -> Any:
        """Return a program whose shaders have the given names defined. vertex: "" for one triangle over the target."""
        key = (vertex, fragment, *sorted(defines))
        made = self._made.get(key)
        if made is None:
            head = "#version 330\n" + "".join(f"#define {name}\n" for name in key[2:])
            first = text(vertex) if vertex else VERTEX
            if vertex:
                first = head + first
            made = self._made[key] = self.ctx.program(vertex_shader=first, fragment_shader=head + text(fragment))
        return made


def has(program: Any, name: str) -> bool:
    """Return True if a program has an active uniform of this name."""
    try:
        program[name]
    except KeyError:
        return False
    return True


def put(program: Any, **values: Any) -> None:
    """Set uniforms of a program; uniforms that the compiler removed are ignored."""
    for name, value in values.items():
        try:
            program[name] = value
        except KeyError:
            continue
