"""Programs: builds GLSL programs from text files; each is compiled when it is first needed.

The texts are in the folder `glsl`. A textured program has variants: with or without linear filter, with images from the
pages or from another target, with a number of channels, and with an author's shader in it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from .device import Device

_FOLDER = Path(__file__).parent / "glsl"
_VERSION = "#version 330\n"

PAGES, BEFORE, CELLS, COVERS, TABLES = 0, 1, 2, 3, 4
"""Texture units: pages, the target before the pass, tile cells, polygon coverage, and the first frame table."""

_UNITS = {"rish_pages": PAGES, "rish_before": BEFORE, "cells": CELLS, "covers": COVERS} | {
    f"rish_table{number}": TABLES + number for number in range(8)
}


class Variant(NamedTuple):
    """The features in which textured programs differ.

    kind: `sprites`, `wide`, `tiles`, `mesh`. linear: with a linear filter. from_target: images come from a target, not
    from the pages. channels: how many attachments are written besides the first.
    """

    kind: str
    linear: bool = False
    from_target: bool = False
    channels: int = 0


class Program:
    """A compiled program that remembers its uniforms, so that a value is set only if it changes."""

    def __init__(self, device: Device, vertex: str, fragment: str) -> None:
        self.native = device.program(vertex, fragment)
        self._gl = gl = device.gl
        self._given: dict[str, Any] = {}
        self._settled: Any = None
        places = (gl.glGetUniformLocation(self.native.glo, name) for name in (b"plane", b"shift", b"unit"))
        self._plane, self._shift, self._unit = places
        for name, unit in _UNITS.items():
            self.native.set_uniform_safe(name, unit)

    def set(self, /, **values: Any) -> None:
        """Set uniforms; those that the program does not use are ignored."""
        uniforms, self._settled = self._given, None
        for name, value in values.items():
            if uniforms.get(name) != value:
                self.native.set_uniform_safe(name, value)
                uniforms[name] = value

    def use(self, values: dict[str, Any]) -> None:
        """Make this the current program.

        values: its uniforms. Pass the same object while they do not change; it is then not compared again.
        """
        if self._settled is not values:
            self.set(**values)
            self._settled = values
        self._gl.glUseProgram(self.native.glo)

    def place(self, numbers: tuple[float, ...], origin: tuple[float, float], unit: float) -> None:
        """Set the uniforms of the current program for positions that are relative to `origin` in units of `unit`.

        numbers: a c tx, b d ty, from the pass's plane to pixels; see place.glsl.
        """
        gl, uniforms = self._gl, self._given
        a, c, tx, b, d, ty = numbers
        plane, shift = (a, b, c, d), (a * origin[0] + c * origin[1] + tx, b * origin[0] + d * origin[1] + ty)
        if uniforms.get("plane") != plane:
            uniforms["plane"] = plane
            gl.glUniform4f(self._plane, *plane)
        if uniforms.get("shift") != shift:
            uniforms["shift"] = shift
            gl.glUniform2f(self._shift, *shift)
        if uniforms.get("unit") != unit:
            uniforms["unit"] = unit
            gl.glUniform1f(self._unit, unit)


class Programs:
    """All programs that were needed so far."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[Any, Program] = {}

    def picture(self, variant: Variant) -> Program:
        """Return the textured program of a variant."""
        return self._made.get(variant) or self._compiled(variant, picture_source(variant))

    def plain(self, name: str, channels: int = 0) -> Program:
        """Return the program of a kind without textures: `shapes`, `cover`, `polygons`."""
        key = (name, channels)
        return self._made.get(key) or self._compiled(key, plain_source(name, channels))

    def _compiled(self, key: Any, source: tuple[str, str]) -> Program:
        program = self._made[key] = Program(self._device, *source)
        return program


@cache
def text(name: str) -> str:
    """Return the text of a file in the folder `glsl`."""
    return (_FOLDER / f"{name}.glsl").read_text(encoding="utf-8")


def plain_source(name: str, channels: int = 0) -> tuple[str, str]:
    """Return the vertex and the fragment shader of a kind without textures."""
    place = text("place") if name == "shapes" else ""
    fragment = _covering(text(f"{name}.frag"), channels)
    return _VERSION + place + text(f"{name}.vert"), _VERSION + text("levels") + fragment


def picture_source(variant: Variant, before_main: str = "", shade: str = "") -> tuple[str, str]:
    """Return the vertex and the fragment shader of a textured kind.

    before_main, shade: an author's shader, and the line that calls it.
    """
    defines = "#define LINEAR\n" * variant.linear + "#define FROM_TARGET\n" * variant.from_target
    head = _VERSION + defines + text("levels") + text("texel")
    if variant.kind == "tiles":
        return _VERSION + text("place") + text("tiles.vert"), head + _tiled(text("tiles.frag"), variant.channels)
    if variant.kind == "mesh":
        return _VERSION + text("mesh.vert"), head + _covering(text("mesh.frag"), variant.channels)
    vertex = (
        _VERSION + text("place") + _with_tables(text("picture.vert"), variant.channels) + text(f"{variant.kind}.vert")
    )
    fragment = _with_channels(text("picture.frag"), variant.channels)
    return vertex, head + fragment.replace("MATERIAL", before_main).replace("    SHADE", f"    {shade}")


def _with_tables(source: str, channels: int) -> str:
    """Insert the look-ups in the frame table and in the table of each channel."""
    numbers = range(channels + 1)
    outputs = _each(numbers, "uniform sampler2D rish_table#;\nflat out vec4 rish_rect#;\nflat out float rish_layer#;\n")
    lookups = _each(
        numbers,
        "    vec4 rest# = entry(rish_table#, frame, 1);\n    rish_rect# = entry(rish_table#, frame, 0);\n"
        "    rish_layer# = rest#.x;\n    any_there = any_there || rest#.x >= 0.0;\n",
    )
    lookups += "    rish_alpha = rest0.y * keep_alpha;\n"
    return source.replace("OUTPUTS", "uniform float keep_alpha;\n" + outputs).replace("LOOKUPS", lookups)


def _with_channels(source: str, channels: int) -> str:
    """Insert one output for the main image and one for each channel.

    Of the tint only its opacity changes a channel. A frame that has no image for a channel is drawn black there.
    """
    inputs = _each(range(channels + 1), "flat in vec4 rish_rect#;\nflat in float rish_layer#;\n")
    return _written(
        source.replace("INPUTS", inputs + "OUTPUTS"),
        channels,
        "vec4 channel# = rish_layer# < 0.0 ? vec4(0.0, 0.0, 0.0, cover) :"
        " in_levels(rish_cut(local, rish_rect#, rish_layer#) * rish_tint.a);\n"
        "    picture# = channel# * vec4(1.0, 1.0, 1.0, rish_alpha);\n",
    )


def _tiled(source: str, channels: int) -> str:
    """Return the fragment shader of tiles with an output for each channel."""
    tables = _each(range(1, channels + 1), "uniform sampler2D rish_table#;\n")
    return _written(
        source.replace("OUTPUTS", tables + "OUTPUTS"),
        channels,
        "vec4 rest# = entry(rish_table#, frame, 1), rect# = entry(rish_table#, frame, 0);\n"
        "    vec4 channel# = rest#.x < 0.0 ? vec4(0.0, 0.0, 0.0, color.a * rish_covers) :"
        " in_levels(rish_texel(rect#.xy + part * (rect#.zw - rect#.xy), rect#, rest#.x) * tint.a);\n"
        "    picture# = channel# * vec4(1.0, 1.0, 1.0, keep_alpha * rest.y);\n",
    )


def _covering(source: str, channels: int) -> str:
    """Return the fragment shader of a kind that has no images for channels.

    Its shape is drawn black in each channel, with the opacity that it has in the main image.
    """
    return _written(source, channels, "picture# = vec4(0.0, 0.0, 0.0, picture0.a * rish_covers);\n    ")


def _written(source: str, channels: int, written: str) -> str:
    """Insert the declarations of a shader's outputs, and for each channel the statement that writes it."""
    outputs = _each(range(channels + 1), "layout(location = #) out vec4 picture#;\n")
    return source.replace("OUTPUTS", outputs).replace("CHANNELS", _each(range(1, channels + 1), written))


def _each(numbers: range, template: str) -> str:
    """Return the text once for each number, which replaces `#`."""
    return "".join(template.replace("#", str(number)) for number in numbers)
