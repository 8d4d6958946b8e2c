"""The `software_window` backend: the picture of the software backend in a window.

The software backend draws the frame; the arcade backend has the window and shows the picture, as one image. With it a
player sees what `software` draws, and a running game can be swapped between both ways of drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rish_frame import Batch, Frame, pack_sprites
from rish_frame.frame import MAX_SPRITE_SIZE

from .forwarding import ForwardingBackend

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rish_core import WindowEvent
    from rish_frame import DrawStats

_PAGE = 1
_VERBS = ("window", "rumble", "write_clipboard", "read_clipboard", "fullscreen")


class SoftwareWindow(ForwardingBackend):
    """Draws with a software backend and shows the picture with an arcade backend; both are not opened yet."""

    name = "software_window"

    def __init__(self, software: Any, screen: Any) -> None:
        super().__init__(software)
        self._screen = screen
        for verb in _VERBS[1:]:
            setattr(self, verb, getattr(screen, verb))

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the software backend, and those of the window."""
        mine = {verb for verb in _VERBS if verb in self._screen.capabilities}
        return self.software.capabilities | mine | {"splash"}

    @property
    def size(self) -> tuple[int, int]:
        """The size of the screen in pixels; (0, 0) while closed."""
        return self._screen.size

    @property
    def window(self) -> Any:
        """The pyglet window; None while closed."""
        return self._screen.window

    def open(self, title: str, size: tuple[int, int], visible: bool = True) -> None:
        """Open both. Raises BackendError without a display or without OpenGL 3.3."""
        self._screen.open(title, size, visible)
        self.software.open(title, self._screen.size, visible)

    def poll(self) -> list[WindowEvent]:
        """Return the window events."""
        events: list[WindowEvent] = self._screen.poll()
        if self.software.size != self._screen.size:
            self.software.configure(size=self._screen.size)
        return events

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame, and put its picture into the window."""
        stats: DrawStats = self.software.draw(frame)
        picture = self.software.pixels()
        self._put(picture)
        stats.bytes_uploaded += picture.nbytes
        return stats

    def splash(self, pixels: npt.NDArray[np.uint8]) -> None:
        """Show an image in the window at once; the software backend does not draw."""
        self._put(pixels)
        self._screen.present()

    def _put(self, picture: npt.NDArray[np.uint8]) -> None:
        self._screen.image(_PAGE, picture)
        height, width = picture.shape[:2]
        self._screen.draw(_frame_of(width, height, self._screen.size))

    def over(self) -> Any:
        """Let other code draw onto the screen with OpenGL, as `ArcadeBackend.over` does; no capture contains it."""
        return self._screen.over()

    def present(self) -> None:
        """Show the picture in the window."""
        self._screen.present()

    def configure(self, **options: Any) -> None:
        """Change options of both."""
        self._screen.configure(**options)
        self.software.configure(**options)

    def close(self) -> None:
        """Close both."""
        self.software.close()
        self._screen.close()


def _frame_of(width: int, height: int, size: tuple[int, int]) -> Frame:
    """Return a frame in which the page covers the screen."""
    frame = Frame(size)
    frame.set_frames([[_PAGE, 0, 0, width, height, 0]])
    middle, unit = (size[0] / 2, size[1] / 2), float(-(-max(size) // int(MAX_SPRITE_SIZE)))
    packed = pack_sprites(*middle, *size, origin=middle, unit=unit)
    frame.add(Batch("sprites", {"instances": packed}, origin=middle, unit=unit, filter="nearest"))
    return frame
