"""The picture of the software backend in a texture, for tools that show games in a window, without arcade."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_ecs import UnknownName
from rish_frame import BackendError, check_options

from .forwarding import ForwardingBackend

if TYPE_CHECKING:
    from rish_core import WindowEvent

    from .arcade.window.picture import WindowPicture


class SoftwareTexture(ForwardingBackend):
    """Draws with a software backend; `texture` copies the picture into a texture of a pyglet window.

    It has the methods of a backend of `arcade_in`. software: the backend, not opened yet. window: of a tool.
    """

    name = "software"

    def __init__(self, software: Any, window: Any) -> None:
        super().__init__(software)
        self._window = window
        self._picture: WindowPicture | None = None

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open the software backend. Raises BackendError if the window is closed."""
        if self._window.context is None:
            raise BackendError("the window is closed", hint="Open another one with rish_render.open_window")
        self.software.open(title, size, visible)

    def poll(self) -> list[WindowEvent]:
        """Return an empty list: the events of the window are the tool's."""
        return []

    def present(self) -> None:
        """Do nothing: the tool shows the texture."""

    def configure(self, **options: Any) -> None:
        """Change the size of the picture, and options of the software backend."""
        check_options(options)
        self.software.configure(**options)

    def texture(self, target: str = "screen") -> WindowPicture:
        """Copy the picture of the screen into a texture and return it; `glo.value` is its number in OpenGL.

        Its bottom row comes first. It is valid until the next call. Raises UnknownName for other targets.
        """
        if target != "screen":
            raise UnknownName(f"no texture of the target '{target}'", given=target, choices=["screen"])
        from .arcade.window.picture import WindowPicture

        self._window.switch_to()
        if self._picture is None:
            self._picture = WindowPicture()
        pixels = np.ascontiguousarray(self.software.pixels()[::-1])
        self._picture.put(pixels.ctypes.data, (pixels.shape[1], pixels.shape[0]))
        return self._picture

    @contextmanager
    def over(self) -> Generator[None]:
        """Let other code draw with OpenGL. The picture is not, so nothing has to be repeated."""
        yield

    def close(self) -> None:
        """Close the software backend and free the texture; the window stays open."""
        self.software.close()
        picture, self._picture = self._picture, None
        if picture is not None and self._window.context is not None:
            self._window.switch_to()
            picture.delete()
