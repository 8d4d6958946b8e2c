"""The host: the object through which the loop shows a game and reads its window.

The kernel does not draw. It polls a host for events and calls it when a frame begins and when the frame is to be drawn.
A plugin provides the host through the hook `rish_host`; without it the game runs without output.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rish_ecs import UsageError

from .events import WindowEvent

if TYPE_CHECKING:
    from rish_ecs import World

_HINT = "Add a plugin that draws to the game's `plugins:`, such as render, or use --with render"


class Captures:
    """A context manager that captures frames and leaves no incomplete file. This base class stores no frames."""

    def take(self) -> None:
        """Store the last drawn frame."""

    def finish(self) -> list[Path]:
        """Write the files; return their paths, an empty list if nothing was drawn."""
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class Host:
    """Shows a game and reads its window. Sizes are width, height in screen pixels.

    This base class has no window, no events and no images; the hosts of plugins inherit from it.
    """

    @property
    def name(self) -> str:
        """The name for messages, such as the name of the backend."""
        return "unseen"

    @property
    def windowed(self) -> bool:
        """Whether it has a window that a player can use."""
        return False

    @property
    def size(self) -> tuple[int, int]:
        """The size of the screen; (0, 0) if there is none."""
        return (0, 0)

    @property
    def has_pixels(self) -> bool:
        """Whether `pixels` and `record` are supported."""
        return False

    @property
    def capabilities(self) -> Mapping[str, Collection[str]]:
        """The capabilities of contracts that are known only when the game runs, such as `backend`."""
        return {}

    @property
    def skipped(self) -> dict[str, str]:
        """The reason for each kind of batch that could not be drawn so far, by kind."""
        return {}

    def poll(self) -> Sequence[WindowEvent]:
        """Return the window events since the last call, oldest first; pointers are in the game's logical pixels."""
        return ()

    def begin(self, world: World) -> None:
        """Begin a frame; called before the stages LATE, EXTRACT and DRAW run."""

    def draw(self, world: World) -> Any:
        """Draw and show the results of the stages. Return drawing statistics for `rish_frame_end`, or None."""
        return None

    def warm_up(self, world: World) -> Mapping[tuple[str, str], Callable[[], object]]:
        """Return the functions that prepare drawing of the scene, by (plugin, feature); see `rish_warm_up`."""
        return {}

    def may_draw(self, feature: str) -> bool:
        """Whether this host may use a feature of the packages' `kernels.txt`; False for features of other backends."""
        return True

    def show_progress(self, done: int, total: int, what: str = "") -> bool:
        """Show the progress of preparing a scene. Return False if the person closed the window.

        done, total: the number of kernels, or steps of the progress bar. what: the file being loaded; "" for kernels.
        """
        return True

    def pixels(self) -> Any:
        """Return the last drawn frame, uint8 (h, w, 4), top row first. Raises RishError if there is none."""
        raise UsageError("the game has no plugin that draws, so there is no picture", hint=_HINT)

    def record(self, paths: Sequence[Path], dt: float) -> Captures:
        """Return a Captures that writes the coming frames to files. dt: seconds between two frames."""
        if paths:
            self.pixels()
        return Captures()

    def close(self) -> None:
        """Close the window and free the device; may be called twice."""


def unseen(options: Mapping[str, Any]) -> Host:
    """Return the host of a game without a plugin that draws. Raises UsageError if an option has a value."""
    for option, value in options.items():
        if value:
            raise UsageError(f"{option} was asked for, and the game has no plugin that draws", hint=_HINT)
    return Host()
