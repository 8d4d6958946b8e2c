"""The base of backends that show elsewhere what the software backend draws: in a terminal, a window, a stream."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from rish_frame import Drawer, DrawStats, Frame


class ForwardingBackend:
    """Forwards drawing to a software backend; subclasses add `open`, `poll`, `present`, `configure` and `close`.

    software: the backend that draws, as `make_software` makes it. It is not opened yet; subclasses open, configure and
    close it.
    """

    draws_like = "software"
    device = None

    def __init__(self, software: Any) -> None:
        self.software = software

    @property
    def capabilities(self) -> frozenset[str]:
        """The capabilities of the software backend; subclasses add their own."""
        return self.software.capabilities

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds that the software backend draws."""
        return self.software.kinds

    @property
    def size(self) -> tuple[int, int]:
        """The size at which frames are drawn, pixels; (0, 0) while closed."""
        return self.software.size

    def image(self, page: int, pixels: npt.NDArray[np.uint8], dirty: tuple[int, int, int, int] | None = None) -> None:
        """Add or update a page."""
        self.software.image(page, pixels, dirty)

    def free(self, page: int) -> None:
        """Remove a page."""
        self.software.free(page)

    def add_drawer(self, kind: str, drawer: Drawer) -> None:
        """Draw a kind with this drawer, which must be one for the software backend."""
        self.software.add_drawer(kind, drawer)

    def draw(self, frame: Frame) -> DrawStats:
        """Draw a complete frame."""
        return self.software.draw(frame)

    def pixels(self, target: str = "screen") -> npt.NDArray[Any]:
        """Return a copy of a target's image, at the size at which it is drawn."""
        return self.software.pixels(target)
