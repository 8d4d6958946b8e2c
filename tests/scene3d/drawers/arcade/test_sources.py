"""Textures of fragment shaders: OpenGL 3.3 promises 16 of them."""

from __future__ import annotations

from ctypes import byref, create_string_buffer
from typing import Any

import pytest

from rish_render.backends.arcade.backend import ArcadeBackend
from rish_scene3d.drawers.arcade.programs import COVER, TABLES, Programs, Shader, raw
from rish_scene3d.drawers.arcade.screens import ArcadeShade
from rish_scene3d.drawers.arcade.sources import Sources, text_of

MAPS = tuple(range(5, 13))
LIGHT = frozenset({"SUNS 1", "SUN_SHADOWS", "SHADOWS", "LAMPS", "LAMP_SHADOWS", "PBR", "PHONG", "UNLIT"})


def samplers_of(program: Any) -> int:
    """Return the number of samplers that a linked program reads."""
    gl = raw()
    kinds = {gl.GL_SAMPLER_2D, gl.GL_INT_SAMPLER_2D, gl.GL_SAMPLER_2D_ARRAY}
    count, size, kind, length = gl.GLint(), gl.GLint(), gl.GLenum(), gl.GLsizei()
    gl.glGetProgramiv(program.glo, gl.GL_ACTIVE_UNIFORMS, byref(count))
    found = 0
    for number in range(count.value):
        name = create_string_buffer(256)
        gl.glGetActiveUniform(program.glo, number, 256, byref(length), byref(size), byref(kind), name)
        found += kind.value in kinds
    return found


@pytest.mark.gl
def test_deferred_light_with_eight_shadow_maps_reads_sixteen_textures(arcade: ArcadeBackend):
    """Five attachments, eight shadow maps and the tables of light are 16 textures, as many as are promised."""
    sources = Sources(whole=(0, 1, 2, 3, 4), sun_maps=MAPS[:1], lamp_maps=MAPS[1:])
    shader = Shader(COVER, ArcadeShade.FILES, LIGHT, text_of(sources, ()))
    assert samplers_of(Programs(arcade.device)(shader).native) == 16


def test_shadow_maps_without_room_are_left_out():
    """The last shadow maps give way to pictures; their lights have no shadows, and the text has their function."""
    sources = Sources(classes=5, shown=(0,), sun_maps=(1, -1), lamp_maps=(2, 3, 4, 5, 6, 7, 8))
    assert sources.fitting(32) == sources
    fitting = sources.fitting(16 - TABLES)
    assert (fitting.sun_maps, fitting.lamp_maps, fitting.short) == ((1, -1), (2, 3, 4, 5, 6), True)
    assert len(fitting.numbers) + fitting.classes + TABLES == 16
    assert "return 1.0;" in text_of(fitting, (False,))
    none = sources.fitting(4)
    assert (none.sun_maps, none.lamp_maps) == ((-1, -1), ())
    assert "map_texel" in text_of(none, (False,))
