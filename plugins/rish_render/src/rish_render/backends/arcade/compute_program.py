"""A compiled compute shader, by OpenGL's own functions: arcade.gl's class imports the complete arcade."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import Any

from .device import Device, ShaderError


class ComputeProgram:
    """A compute shader. glo: its number in OpenGL. Raises ShaderError with the compiler's message.

    uniforms: the names of those that are set; one that the shader does not use is ignored.
    """

    def __init__(self, device: Device, source: str, uniforms: Iterable[str]) -> None:
        self._device = device
        gl = device.gl
        shader, self.glo = gl.glCreateShader(gl.GL_COMPUTE_SHADER), gl.glCreateProgram()
        try:
            encoded = source.encode()
            text = ctypes.cast(ctypes.c_char_p(encoded), ctypes.POINTER(ctypes.c_char))
            gl.glShaderSource(shader, 1, ctypes.byref(text), ctypes.byref(ctypes.c_int(len(encoded))))
            gl.glCompileShader(shader)
            _check(gl, shader, gl.GL_COMPILE_STATUS, gl.glGetShaderiv, gl.glGetShaderInfoLog)
            gl.glAttachShader(self.glo, shader)
            gl.glLinkProgram(self.glo)
            _check(gl, self.glo, gl.GL_LINK_STATUS, gl.glGetProgramiv, gl.glGetProgramInfoLog)
        finally:
            gl.glDeleteShader(shader)
        self._places = {name: gl.glGetUniformLocation(self.glo, name.encode()) for name in uniforms}

    def use(self, threads: tuple[int, int, int], values: dict[str, Any]) -> None:
        """Make it the current program. values: of its uniforms."""
        gl = self._device.gl
        gl.glUseProgram(self.glo)
        self._device.ctx.active_program = None
        gl.glUniform3ui(self._places["threads"], *threads)
        for name, value in values.items():
            place = self._places[name]
            if isinstance(value, bool | int):
                gl.glUniform1i(place, int(value))
            elif isinstance(value, float):
                gl.glUniform1f(place, value)
            else:
                {2: gl.glUniform2f, 3: gl.glUniform3f, 4: gl.glUniform4f}[len(value)](place, *value)

    def delete(self) -> None:
        """Free it; the context calls this once the object was dropped."""
        self._device.gl.glDeleteProgram(self.glo)

    def __del__(self) -> None:
        self._device.ctx.objects.append(self)


def _check(gl: Any, number: int, status: int, ask: Any, read: Any) -> None:
    """Raise ShaderError with the log of a shader or program if it failed."""
    answer = ctypes.c_int()
    ask(number, status, ctypes.byref(answer))
    if answer.value:
        return
    ask(number, gl.GL_INFO_LOG_LENGTH, ctypes.byref(answer))
    log = ctypes.create_string_buffer(max(answer.value, 1))
    read(number, len(log), None, log)
    raise ShaderError(log.value.decode(errors="replace"))
