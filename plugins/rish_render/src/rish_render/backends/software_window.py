"""The `software_window` backend: the picture of the software backend in a window.

The software backend draws the frame; OpenGL only copies the picture into the window, so arcade is not needed. With it a
player sees what `software` draws, and a running game can be swapped between both ways of drawing.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import BackendError, Frame, check_options

from .forwarding import ForwardingBackend
from .window_devices import WindowDevices

if TYPE_CHECKING:
    import numpy.typing as npt

    from rish_core import WindowEvent
    from rish_frame import DrawStats

    from .arcade.window.picture import WindowPicture
    from .arcade.window.window import Window

_VERBS = frozenset({"rumble", "write_clipboard", "read_clipboard", "fullscreen", "splash"})


class SoftwareWindow(WindowDevices, ForwardingBackend):
    """Draws with a software backend, and shows the picture in a window. software: the backend, not opened yet."""

    name = "software_window"

    def __init__(self, software: Any) -> None:
        super().__init__(software)
        self._window: Window | None = None
        self._picture: WindowPicture | None = None
        self._shown = True

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the software backend, and those of the window."""
        return self.software.capabilities | _VERBS | ({"window"} if self._window is not None else set())

    @property
    def window(self) -> Any:
        """The pyglet window; None while closed, and off screen."""
        return self._window.native if self._window is not None else None

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open both. Raises BackendError without a display or without OpenGL 3.3."""
        if visible and self._window is None:
            from .arcade.window.picture import WindowPicture
            from .arcade.window.window import Window

            self._window = Window(title, size)
            self._picture = WindowPicture()
            size = self._window.size
        self.software.open(title, size, visible)

    def poll(self) -> list[WindowEvent]:
        """Return the window events; an empty list off screen."""
        if self._window is None:
            return []
        events = self._window.poll()
        if self.software.size != self._window.size:
            self.software.configure(size=self._window.size)
        return events

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame, and put its picture into the window."""
        stats: DrawStats = self.software.draw(frame)
        if self._window is not None:
            picture = self.software.pixels()
            self._put(picture)
            stats.bytes_uploaded += picture.nbytes
        return stats

    def splash(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Show an image in the window at once; the software backend does not draw."""
        self._put(pixels)
        self.present()

    def _put(self, picture: npt.NDArray[np.uint8]) -> None:
        if self._window is not None and self._picture is not None:
            self._window.native.switch_to()
            height, width = picture.shape[:2]
            self._picture.put(np.ascontiguousarray(picture).ctypes.data, (width, height))
            self._shown = False

    def _show(self) -> None:
        """Copy the picture into the window, if that has not been done since the picture was put."""
        if self._window is not None and self._picture is not None:
            self._window.native.switch_to()
            if not self._shown:
                self._picture.show(self._window.size)
                self._shown = True

    @contextmanager
    def over(self) -> Generator[None]:
        """Let other code draw onto the window with OpenGL after `draw` and before `present`; no capture contains it."""
        if self._window is None:
            raise BackendError("the backend 'software_window' has no window", hint="Call open(title, size) first")
        self._shown = False  # what was drawn over the last picture goes
        self._show()
        yield

    def present(self) -> None:
        """Show the picture in the window."""
        if self._window is not None:
            self._show()
            self._window.native.flip()
            self._shown = False  # after a flip, the other buffer has an older picture

    def configure(self, **options: Any) -> None:
        """Change options of both. Off screen, only those of the software backend have an effect."""
        check_options(options)
        if self._window is not None:
            for option, value in options.items():
                self._window.change(option, value)
            if "size" in options:
                options["size"] = self._window.size
        self.software.configure(**options)

    def close(self) -> None:
        """Close both."""
        self.software.close()
        window, self._window, self._picture = self._window, None, None
        if window is not None:
            window.native.close()
