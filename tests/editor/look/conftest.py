"""Draws the editor's look off screen."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
import pytest
from imgui_bundle import imgui

from rish_editor.look import DARK, Fonts, Theme, apply, load_fonts
from rish_frame import BackendError
from rish_render.backends.arcade import gl


class Studio:
    """An ImGui context that draws into a texture. size: pixels. `seconds`: how long fonts and style took."""

    def __init__(self, size: tuple[int, int], scale: float = 1.0, theme: Theme = DARK, system: bool = False) -> None:
        self.size = size
        self.context = imgui.create_context()
        imgui.set_current_context(self.context)
        io = imgui.get_io()
        io.set_ini_filename("")
        io.config_flags |= imgui.ConfigFlags_.docking_enable
        io.display_size = size
        io.delta_time = 1 / 60
        self.raw = gl.raw()
        self._make_target()
        assert imgui.backends.opengl3_init("#version 330")
        started = time.perf_counter()
        self.fonts: Fonts = load_fonts(system)
        apply(theme, scale)
        self.seconds = time.perf_counter() - started

    def _make_target(self) -> None:
        gl_, (width, height) = self.raw, self.size
        self.texture, self.target = ctypes.c_uint(), ctypes.c_uint()
        gl_.glGenTextures(1, self.texture)
        gl_.glBindTexture(gl_.GL_TEXTURE_2D, self.texture)
        gl_.glTexImage2D(gl_.GL_TEXTURE_2D, 0, gl_.GL_RGB8, width, height, 0, gl_.GL_RGB, gl_.GL_UNSIGNED_BYTE, None)
        gl_.glGenFramebuffers(1, self.target)
        gl_.glBindFramebuffer(gl_.GL_FRAMEBUFFER, self.target)
        gl_.glFramebufferTexture2D(gl_.GL_FRAMEBUFFER, gl_.GL_COLOR_ATTACHMENT0, gl_.GL_TEXTURE_2D, self.texture, 0)

    def shoot(self, draw: Callable[[], object], frames: int = 4) -> npt.NDArray[np.uint8]:
        """Return the picture after some frames, uint8 (h, w, 3)."""
        gl_, (width, height) = self.raw, self.size
        for _ in range(frames):
            imgui.backends.opengl3_new_frame()
            imgui.new_frame()
            try:
                draw()
            finally:
                imgui.render()
            gl_.glBindFramebuffer(gl_.GL_FRAMEBUFFER, self.target)
            gl_.glViewport(0, 0, width, height)
            gl_.glClearColor(0.0, 0.0, 0.0, 1.0)
            gl_.glClear(gl_.GL_COLOR_BUFFER_BIT)
            imgui.backends.opengl3_render_draw_data(imgui.get_draw_data())
        pixels = np.empty((height, width, 3), np.uint8)
        gl_.glPixelStorei(gl_.GL_PACK_ALIGNMENT, 1)
        gl_.glReadPixels(0, 0, width, height, gl_.GL_RGB, gl_.GL_UNSIGNED_BYTE, pixels.ctypes.data_as(ctypes.c_void_p))
        return pixels[::-1].copy()

    def close(self) -> None:
        """Free the context and the texture."""
        imgui.set_current_context(self.context)
        imgui.backends.opengl3_shutdown()
        imgui.destroy_context(self.context)
        self.raw.glDeleteFramebuffers(1, self.target)
        self.raw.glDeleteTextures(1, self.texture)


@pytest.fixture(scope="session")
def hidden_window() -> Iterator[object]:
    """A hidden window with OpenGL; skips where there is none."""
    try:
        window = gl.open_hidden()
    except BackendError as error:
        pytest.skip(str(error))
    yield window
    window.close()


@pytest.fixture
def studio(hidden_window) -> Iterator[Callable[..., Studio]]:
    """Return a function that makes a Studio, which is closed after the test."""
    hidden_window.switch_to()
    made: list[Studio] = []

    def make(*args, **kwargs) -> Studio:
        made.append(Studio(*args, **kwargs))
        return made[-1]

    yield make
    for one in made:
        one.close()
