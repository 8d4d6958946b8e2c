"""The software backend in a tool's window: its picture in a texture, as where arcade is not installed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from rish_ecs import UnknownName
from rish_frame import BackendError
from rish_frame.testing.samples import GREEN, PAGE, picture_frame, quad, sample_page
from rish_render import backend_in, make_software, open_window
from rish_render.backends.arcade import gl
from rish_render.backends.arcade.backend import ArcadeBackend

pytestmark = pytest.mark.gl


@pytest.fixture(scope="module")
def window() -> Iterator[Any]:
    """Open a hidden window; the tests are skipped without OpenGL."""
    try:
        made = open_window("tool", (64, 48), visible=False)
    except BackendError as error:
        pytest.skip(str(error))
    yield made
    made.close()


@pytest.fixture
def no_arcade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arcade is not installed."""

    def missing() -> Any:
        raise BackendError("arcade is not installed")

    monkeypatch.setattr(gl, "find_library", missing)
    monkeypatch.setattr(gl, "library", missing)


def texture_pixels(texture: Any, size: tuple[int, int]) -> np.ndarray:
    """Return the pixels of a texture: uint8 (h, w, 4), in the order in which OpenGL has the rows."""
    functions = gl.raw()
    pixels = np.empty((size[1], size[0], 4), np.uint8)
    functions.glBindTexture(functions.GL_TEXTURE_2D, texture.glo)
    form = functions.GL_RGBA, functions.GL_UNSIGNED_BYTE
    functions.glGetTexImage(functions.GL_TEXTURE_2D, 0, *form, pixels.ctypes.data)
    return pixels


@pytest.mark.usefixtures("no_arcade")
def test_the_picture_is_in_a_texture(window: Any) -> None:
    """The texture has the pixels of `software`, bottom row first, after each frame and each change of the size."""
    backend, alone = backend_in(window), make_software()
    for each in (backend, alone):
        each.open("game", (16, 8), False)
        each.image(PAGE, sample_page())
    for size in [(64, 48), (64, 48), (33, 21)]:
        for each in (backend, alone):
            each.configure(size=size)
            frame = picture_frame(size)
            frame.add(quad(size[0] / 2, 10, 12, 12, GREEN))
            each.draw(frame)
        expected = alone.pixels()
        assert expected[..., :3].any()
        assert np.array_equal(texture_pixels(backend.texture(), size)[::-1], expected)
    with pytest.raises(UnknownName, match="light"):
        backend.texture("light")
    backend.close()
    alone.close()


@pytest.mark.usefixtures("no_arcade")
def test_it_opens_only_in_an_open_window() -> None:
    """A backend in a closed window says so when it opens, and can be closed."""
    window = open_window("tool", (8, 8), visible=False)
    backend = backend_in(window)
    window.close()
    with pytest.raises(BackendError, match="the window is closed"):
        backend.open("game", (8, 8), False)
    backend.close()


def test_with_arcade_opengl_draws(window: Any) -> None:
    """Where arcade is installed, the backend is that of `arcade_in`."""
    pytest.importorskip("arcade.gl")
    assert isinstance(backend_in(window), ArcadeBackend)
