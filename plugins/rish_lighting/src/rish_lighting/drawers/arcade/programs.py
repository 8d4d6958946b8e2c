"""Shader programs, made from the plugin's GLSL for the features that a batch needs, and cached for each context."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ...post.drawers.triangle import VERTEX


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
        program = self._made.get(key)
        if program is None:
            head = "#version 330\n" + "".join(f"#define {name}\n" for name in key[2:])
            first = head + text(vertex) if vertex else VERTEX
            program = self._made[key] = self.ctx.program(vertex_shader=first, fragment_shader=head + text(fragment))
        return program


class Screen:
    """The programs of one context that are drawn on a triangle over the complete target. fragment: their GLSL file."""

    def __init__(self, ctx: Any, fragment: str) -> None:
        self.ctx, self._fragment = ctx, fragment
        self._programs = Programs(ctx)
        self._triangle = ctx.geometry([], mode=ctx.TRIANGLES)

    def render(self, defines: Iterable[str], textures: Mapping[str, Any], **numbers: Any) -> None:
        """Draw over the complete bound framebuffer. defines: names that the shader has defined. textures, numbers:
        uniforms by name.
        """
        program = self._programs.program("", self._fragment, defines)
        put(program, **numbers)
        for unit, (name, texture) in enumerate(textures.items()):
            texture.use(unit)
            put(program, **{name: unit})
        self._triangle.render(program, vertices=3)

    def replace(self, defines: Iterable[str], textures: Mapping[str, Any], **numbers: Any) -> None:
        """Draw over the complete bound framebuffer without blending; arguments as for `render`."""
        self.ctx.disable(self.ctx.BLEND)
        self.render(defines, textures, **numbers)
        self.ctx.enable(self.ctx.BLEND)


class CachedTexture:
    """A texture that is created again if the size changes, and written again if it shows another array. options:
    attributes of the texture.
    """

    def __init__(self, ctx: Any, **options: Any) -> None:
        self._ctx, self._options = ctx, options
        self._texture: Any = None
        self._array: Any = None

    def shown(self, array: Any, factor: Any = 1) -> Any:
        """Return the texture with the values of an array (h, w, ...), times a factor."""
        if self._array is not array:
            size = (array.shape[1], array.shape[0])
            if self._texture is None or self._texture.size != size:
                self._texture = self._ctx.texture(size, **self._options)
            self._texture.write(np.ascontiguousarray(array * factor))
            self._array = array
        return self._texture


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
