"""The `software_window` backend: the picture of the software backend in a window.

The software backend draws the frame; the arcade backend has the window and shows the picture, as one image. With it a
player sees what `software` draws, and a running game can be swapped between both ways of drawing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from rish_frame import Batch, Frame, pack_sprites
from rish_frame.frame import LARGEST

if TYPE_CHECKING:
    import numpy.typing as npt

    from rish_core import WindowEvent
    from rish_frame import Drawer, DrawStats

_PAGE = 1
_VERBS = ("window", "rumble", "write_clipboard", "read_clipboard")


class SoftwareWindow:
    """Draws with a software backend and shows the picture with an arcade backend; both are not opened yet."""

    name = "software_window"
    draws_like = "software"
    device = None

    def __init__(self, software: Any, screen: Any) -> None:
        self._software, self._screen = software, screen
        for verb in _VERBS[1:]:
            setattr(self, verb, getattr(screen, verb))

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the software backend, and those of the window."""
        return self._software.capabilities | {verb for verb in _VERBS if verb in self._screen.capabilities}

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that the software backend draws."""
        return self._software.kinds

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
        self._software.open(title, self._screen.size, visible)

    def poll(self) -> list[WindowEvent]:
        """Return the window events."""
        events: list[WindowEvent] = self._screen.poll()
        if self._software.size != self._screen.size:
            self._software.configure(size=self._screen.size)
        return events

    def image(self, page: int, pixels: npt.NDArray[np.uint8], dirty: tuple[int, int, int, int] | None = None) -> None:
        """Add or update a page."""
        self._software.image(page, pixels, dirty)

    def free(self, page: int) -> None:
        """Remove a page."""
        self._software.free(page)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Draw a kind with this drawer, which must be one for the software backend."""
        self._software.add_drawer(kind, drawer)

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame, and put its picture into the window."""
        stats: DrawStats = self._software.draw(frame)
        picture = self._software.pixels()
        self._screen.image(_PAGE, picture)
        height, width = picture.shape[:2]
        self._screen.draw(_frame_of(width, height, self._screen.size))
        stats.bytes_uploaded += picture.nbytes
        return stats

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return a copy of a target's image."""
        return self._software.pixels(target)

    def over(self) -> Any:
        """Let other code draw onto the screen with OpenGL, as `ArcadeBackend.over` does; no capture contains it."""
        return self._screen.over()

    def present(self) -> None:
        """Show the picture in the window."""
        self._screen.present()

    def configure(self, **options: Any) -> None:
        """Change options of both."""
        self._screen.configure(**options)
        self._software.configure(**options)

    def close(self) -> None:
        """Close both."""
        self._software.close()
        self._screen.close()


def _frame_of(width: int, height: int, size: tuple[int, int]) -> Frame:
    """Return a frame in which the page covers the screen."""
    frame = Frame(size)
    frame.set_frames([[_PAGE, 0, 0, width, height, 0]])
    middle, unit = (size[0] / 2, size[1] / 2), float(-(-max(size) // int(LARGEST)))
    packed = pack_sprites(*middle, *size, origin=middle, unit=unit)
    frame.add(Batch("sprites", {"instances": packed}, origin=middle, unit=unit, filter="nearest"))
    return frame
