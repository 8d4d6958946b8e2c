"""Backends that draw in a window of other code: textures in its context, and nothing left behind."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rish_ecs import UnknownName, UsageError
from rish_frame import BackendError, Frame, Target
from rish_frame.testing.samples import BLUE, GREEN, PAGE, RED, picture_frame, quad, sample_page
from rish_render import arcade_in, open_window
from rish_render.backends.arcade import gl
from rish_render.backends.arcade.backend import ArcadeBackend

pytestmark = pytest.mark.gl
SIZE = (90, 70)


@pytest.fixture(scope="module")
def window() -> Iterator[Any]:
    """Open a hidden window; the tests are skipped without OpenGL or arcade."""
    try:
        gl.find_library()
        made = open_window("tool", SIZE, visible=False)
    except BackendError as error:
        pytest.skip(str(error))
    yield made
    made.close()


def opened(window: Any, size: tuple[int, int] = (64, 48)) -> Any:
    """Return an open backend in a window, with the page of samples."""
    backend = arcade_in(window)
    backend.open("game", size, True)
    backend.image(PAGE, sample_page())
    return backend


def scene(size: tuple[int, int] = (64, 48), color: Any = RED) -> Frame:
    """Return a frame with a square of a color and an image below it."""
    frame = picture_frame(size)
    frame.add(quad(20, 20, 16, 16, color))
    frame.add(quad(40, 30, 12, 12, GREEN))
    return frame


def alone(frame: Frame) -> np.ndarray:
    """Return the image that a backend with a context of its own draws."""
    backend = ArcadeBackend()
    backend.open("alone", frame.size, False)
    try:
        backend.image(PAGE, sample_page())
        backend.draw(frame)
        return backend.pixels()
    finally:
        backend.close()


def screen_of(window: Any) -> np.ndarray:
    """Return the pixels of a window's own framebuffer, uint8 (h, w, 4), bottom row first."""
    functions = gl.raw()
    width, height = window.get_framebuffer_size()
    pixels = np.empty((height, width, 4), np.uint8)
    functions.glBindFramebuffer(functions.GL_FRAMEBUFFER, 0)
    functions.glPixelStorei(functions.GL_PACK_ALIGNMENT, 1)
    where = (0, 0, width, height, functions.GL_RGBA, functions.GL_UNSIGNED_BYTE)
    functions.glReadPixels(*where, pixels.ctypes.data)
    return pixels


def test_a_hidden_window_has_a_framebuffer_of_its_size(window):
    """Code can clear and read the whole framebuffer of a hidden window, and dispatch events to it."""
    functions = gl.raw()
    window.switch_to()
    functions.glBindFramebuffer(functions.GL_FRAMEBUFFER, 0)
    functions.glClearColor(0.0, 1.0, 0.0, 1.0)
    functions.glClear(functions.GL_COLOR_BUFFER_BIT)
    assert window.get_size() == SIZE
    assert (screen_of(window) == (0, 255, 0, 255)).all()
    heard: list[tuple[int, int]] = []
    window.push_handlers(on_mouse_press=lambda x, y, *_: heard.append((x, y)))
    window.dispatch_event("on_mouse_press", 5, 6, 1, 0)
    window.dispatch_events()
    window.pop_handlers()
    assert heard == [(5, 6)]


def test_a_window_needs_a_size():
    """A size below 1x1 is refused."""
    with pytest.raises(UsageError, match="0x5"):
        open_window("tool", (0, 5))


def test_it_draws_the_same_picture_as_a_backend_of_its_own(window):
    """Pixels and texture equal the image of a backend that has its own context; the texture's bottom row is first."""
    backend = opened(window)
    frame = scene()
    backend.draw(frame)
    expected = alone(scene())
    assert np.array_equal(backend.pixels(), expected)
    texture = backend.texture()
    assert texture.size == (64, 48)
    assert texture.ctx is backend.device
    shown = np.frombuffer(texture.read(), np.uint8).reshape(48, 64, 4)[::-1]
    assert np.array_equal(shown[..., :3], expected[..., :3])
    with pytest.raises(UnknownName, match="nowhere"):
        backend.texture("nowhere")
    backend.close()
    with pytest.raises(UnknownName):
        backend.texture()


def test_the_texture_of_another_target_can_be_read(window):
    """`texture` returns the first attachment of any target; before the first frame the screen is black."""
    backend = opened(window)
    assert not np.frombuffer(backend.texture().read(), np.uint8).reshape(-1, 4)[:, :3].any()
    frame = scene()
    frame.add_target(Target("small", (8, 4), clear=((0.0, 0.0, 1.0, 1.0),)))
    frame.passes["main"].targets = ("small",)
    backend.draw(frame)
    assert backend.texture("small").size == (8, 4)
    backend.close()


def test_several_backends_share_one_context(window):
    """Two backends at a time and many one after another draw their own images, with one Context for the window."""
    first, second = opened(window), opened(window, (40, 30))
    assert first.device is second.device
    frames = scene(), scene((40, 30), BLUE)
    expected = [alone(scene()), alone(scene((40, 30), BLUE))]
    for _ in range(3):
        for backend, frame, picture in zip((first, second), frames, expected, strict=True):
            backend.draw(frame)
            assert np.array_equal(backend.pixels(), picture)
    first.close()
    second.draw(frames[1])
    assert np.array_equal(second.pixels(), expected[1])
    second.close()
    for _ in range(3):
        third = opened(window)
        third.draw(scene())
        assert np.array_equal(third.pixels(), expected[0])
        third.close()


def test_closing_frees_everything_and_leaves_the_window(window):
    """After `close` no texture, buffer, program or framebuffer of the backend is left, and the window still works."""

    def alive() -> dict[str, int]:
        stats = gl.context_of(window).stats
        names = ("texture", "framebuffer", "buffer", "program", "vertex_array", "geometry")
        return {name: created - freed for name in names for created, freed in [getattr(stats, name)]}

    opened(window).close()
    before = alive()
    backend = opened(window)
    frame = scene()
    backend.draw(frame)
    backend.pixels()
    assert alive() != before
    backend.close()
    assert alive() == before
    assert window.context is not None
    window.switch_to()
    assert screen_of(window).shape == (*SIZE[::-1], 4)


def test_the_screen_takes_another_size(window):
    """`configure(size=...)` changes the screen of the backend, not the window."""
    backend = opened(window)
    backend.draw(scene())
    backend.configure(size=(50, 20))
    assert backend.size == (50, 20)
    backend.draw(scene((50, 20)))
    assert backend.pixels().shape == (20, 50, 4)
    assert backend.texture().size == (50, 20)
    assert window.get_size() == SIZE
    backend.close()


def test_it_has_no_window_of_its_own(window):
    """There are no events, `present` does not touch the window, and the capability `window` is missing."""
    backend = opened(window)
    assert "window" not in backend.capabilities
    window.dispatch_event("on_mouse_press", 5, 6, 1, 0)
    assert backend.poll() == []
    functions = gl.raw()
    functions.glClearColor(0.0, 1.0, 0.0, 1.0)
    functions.glClear(functions.GL_COLOR_BUFFER_BIT)
    backend.draw(scene())
    backend.present()
    assert (screen_of(window) == (0, 255, 0, 255)).all()
    backend.close()


def test_state_of_other_code_does_no_harm(window):
    """Whatever state code in the window leaves between two frames, the image is the same."""
    functions = gl.raw()
    backend = opened(window)
    expected = alone(scene())
    for number in range(3):
        frame = scene()
        backend.draw(frame)
        assert np.array_equal(backend.pixels(), expected), number
        functions.glDisable(functions.GL_BLEND)
        functions.glDisable(functions.GL_SCISSOR_TEST)
        functions.glEnable(functions.GL_CULL_FACE)
        functions.glEnable(functions.GL_STENCIL_TEST)
        functions.glEnable(functions.GL_DEPTH_TEST)
        functions.glColorMask(False, True, False, True)
        functions.glBlendEquation(functions.GL_FUNC_REVERSE_SUBTRACT)
        functions.glViewport(3, 4, 5, 6)
        functions.glUseProgram(0)
        functions.glBindVertexArray(0)
        functions.glActiveTexture(functions.GL_TEXTURE2)
        functions.glBindTexture(functions.GL_TEXTURE_2D, 0)
    backend.close()
    functions.glColorMask(True, True, True, True)


def test_after_drawing_the_window_can_be_cleared_whole(window):
    """After a frame the window's framebuffer is bound, without scissor: a clear fills all of it."""
    functions = gl.raw()
    backend = opened(window, (20, 20))
    backend.draw(scene((20, 20)))
    functions.glClearColor(1.0, 0.0, 1.0, 1.0)
    functions.glClear(functions.GL_COLOR_BUFFER_BIT)
    assert (screen_of(window) == (255, 0, 255, 255)).all()
    assert not np.array_equal(backend.pixels()[0, 0, :3], (255, 0, 255))
    backend.close()


def test_a_closed_window_is_refused(window):
    """A backend can't open in a window that was closed, and can be closed after its window."""
    other = open_window("tool", (20, 20), visible=False)
    backend = opened(other)
    other.close()
    backend.close()
    with pytest.raises(BackendError, match="closed"):
        arcade_in(other).open("game", (20, 20), True)
