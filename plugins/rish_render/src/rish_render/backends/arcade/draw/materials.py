"""Materials: builds an author's shader into a sprite program, and maps compiler errors back to the author's file.

A shader is compiled for each variant of the program that it is used with. If it does not compile, the error is reported
with the author's file and line, and the last version that compiled stays in use. If no version ever compiled, the batch
is drawn without the material.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rish_ecs import RishError
from rish_frame import DrawStats, Shader

from ..device import Device, ShaderError
from ..programs import Program, Variant, picture_source, text
from ..shader_errors import AFTER, OURS, explain


class Materials:
    """The compiled programs that contain authors' shaders."""

    def __init__(self, device: Device) -> None:
        self._device = device
        self._made: dict[tuple[str, Variant], tuple[Shader, Program | None, str]] = {}

    def program(
        self, shader: Shader, variant: Variant, parameters: Mapping[str, Any], stats: DrawStats
    ) -> Program | None:
        """Return the program of a shader with the material's values set, or None. Errors are reported in `stats`."""
        program, complaint = self._compiled(shader, variant)
        if complaint:
            stats.skip(f"material:{shader.name}", complaint)
        if program is None:
            return None
        try:
            program.set(**shader.values(parameters))
        except RishError as error:
            stats.skip(f"material:{shader.name}", f"{error}; it is drawn without the material")
            return None
        return program

    def _compiled(self, shader: Shader, variant: Variant) -> tuple[Program | None, str]:
        """Return the newest program that compiled, and the error message of a newer version that did not."""
        key = (shader.name, variant)
        last = self._made.get(key)
        if last is not None and (last[0].source, last[0].uniforms) == (shader.source, shader.uniforms):
            return last[1], last[2]
        try:
            program, complaint = Program(self._device, *material_source(shader, variant)), ""
        except ShaderError as error:
            program = last[1] if last is not None else None
            instead = (
                "it is drawn without the material" if program is None else "the last version that compiled is used"
            )
            complaint = f"{explain(str(error), shader.place or shader.name, shader.source)}; {instead}"
        self._made[key] = (shader, program, complaint)
        return program, complaint


def material_source(shader: Shader, variant: Variant) -> tuple[str, str]:
    """Return the vertex and the fragment shader with an author's text in it; the text keeps its line numbers."""
    uniforms = "".join(f"uniform {kind} {name};\n" for name, kind in shader.uniforms.items())
    before = f"{text('material')}\n{uniforms}#line 1\n{shader.source}\n#line {AFTER}\n"
    call = "color = in_levels(shade(Pixel(color, local + 0.5, gl_FragCoord.xy / resolution)));"
    vertex, fragment = picture_source(variant, before, call)
    return vertex, fragment.replace("\n", f"\n#line {OURS}\n", 1)
