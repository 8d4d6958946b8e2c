"""The host: what shows a game and listens to its window, as the loop sees it.

The kernel knows no pictures. It polls a host for events and calls it when a frame begins and when one is to be shown.
A plugin brings one by the hook `rish_host`; without one the game runs unseen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from rish_ecs import UsageError

from .events import WindowEvent

if TYPE_CHECKING:
    from rish_ecs import World

_HINT = "Add a plugin that draws to the game's `plugins:`, such as render, or use --with render"


class Captures:
    """Pictures that are kept while a game runs; a context manager that leaves no half file. This one keeps nothing."""

    def take(self) -> None:
        """Keep the picture that was drawn last."""

    def finish(self) -> list[Path]:
        """Write the files; gives their paths, none where nothing was drawn."""
        return []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return None


class Host:
    """What shows a game. Sizes are width, height in pixels of the screen.

    A host of a plugin inherits from this one, which has no window, no events and no pictures.
    """

    @property
    def name(self) -> str:
        """The name for messages, such as that of its backend."""
        return "unseen"

    @property
    def windowed(self) -> bool:
        """Whether it has a window that a person can use."""
        return False

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size; (0, 0) where there is none."""
        return (0, 0)

    @property
    def has_pixels(self) -> bool:
        """Whether `pixels` and `record` can be asked for."""
        return False

    @property
    def skipped(self) -> dict[str, str]:
        """The kinds that could not be drawn so far, with reasons."""
        return {}

    def poll(self) -> Sequence[WindowEvent]:
        """The window events since the last call, oldest first; pointers are in the game's logical pixels."""
        return ()

    def begin(self, world: World) -> None:
        """A frame begins: the stages LATE, EXTRACT and DRAW run next."""

    def draw(self, world: World) -> Any:
        """Draw what the stages left and show it. Gives what that took, for `rish_frame_end`, or None."""
        return None

    def warm_up(self, world: World) -> Mapping[tuple[str, str], Callable[[], object]]:
        """What prepares that which the scene may show: functions by plugin and feature, as of `rish_warm_up`."""
        return {}

    def show_progress(self, done: int, total: int) -> bool:
        """Show how many kernels are compiled; gives False once the person wants to leave."""
        return True

    def pixels(self) -> Any:
        """The picture that was drawn last: uint8 (h, w, 4), the top row first. Raises RishError without one."""
        raise UsageError("the game has no plugin that draws, so there is no picture", hint=_HINT)

    def record(self, paths: Sequence[Path], dt: float) -> Captures:
        """Keep pictures of the frames to come and write them to files. dt: seconds from one to the next."""
        if paths:
            self.pixels()
        return Captures()

    def close(self) -> None:
        """Close the window and free the device; may be called twice."""


def unseen(options: Mapping[str, Any]) -> Host:
    """The host of a game without a plugin that draws. Raises UsageError for an option with a value."""
    for option, value in options.items():
        if value:
            raise UsageError(f"{option} was asked for, and the game has no plugin that draws", hint=_HINT)
    return Host()
