"""The host: what shows a game and listens to its window, as the loop sees it.

The kernel knows no pictures. It asks a host for events, tells it when a frame begins and when one is to be shown, and
hands on what others want of it. A plugin brings one by the hook `rish_host`; without one the game runs unseen, which is
what `Unseen` does.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from rish_ecs import UsageError

from .events import WindowEvent

if TYPE_CHECKING:
    from rish_ecs import World

_HINT = "Add a plugin that draws to the game's `plugins:`, such as render, or use --with render"


class Recording(Protocol):
    """Pictures that are kept while a game runs; a context manager that leaves no half file."""

    def take(self) -> None:
        """Keep the picture that was drawn last."""
        ...

    def finish(self) -> list[Path]:
        """Write the files; gives their paths, none where nothing was drawn."""
        ...


@runtime_checkable
class Host(Protocol):
    """What shows a game. Sizes are width, height in pixels of the screen."""

    @property
    def name(self) -> str:
        """What a person calls it, such as the name of its backend."""
        ...

    @property
    def windowed(self) -> bool:
        """Whether it has a window that a person can use."""
        ...

    @property
    def size(self) -> tuple[int, int]:
        """The screen's size; (0, 0) where there is none."""
        ...

    @property
    def has_pixels(self) -> bool:
        """Whether `pixels` and `record` can be asked for."""
        ...

    def poll(self) -> Sequence[WindowEvent]:
        """What happened since the last call, oldest first; pointers are in the game's logical pixels."""
        ...

    def begin(self, world: World) -> None:
        """A frame begins: the stages LATE, EXTRACT and DRAW run next."""
        ...

    def draw(self, world: World) -> Any:
        """Draw what the stages left and show it. Gives what that took, for `rish_frame_end`, or None."""
        ...

    def warm_up(self, world: World) -> None:
        """Get ready what the scene that was loaded may show."""
        ...

    def pixels(self) -> Any:
        """The picture that was drawn last: uint8 (h, w, 4), the top row first. Raises RishError without one."""
        ...

    def record(self, paths: Sequence[Path], dt: float) -> AbstractContextManager[Recording]:
        """Keep pictures of the frames to come and write them to files. dt: seconds from one to the next."""
        ...

    def close(self) -> None:
        """Give everything back; may be called twice."""
        ...


class Unseen:
    """The host of a game that nobody sees: no window, no events, no pictures.

    options: what was asked for; an option with a value is refused, since nothing here could follow it.
    """

    name = "unseen"
    windowed = False
    has_pixels = False
    size = (0, 0)

    def __init__(self, options: Mapping[str, Any]) -> None:
        for option, value in options.items():
            if value:
                raise UsageError(f"{option} was asked for, and the game has no plugin that draws", hint=_HINT)

    def poll(self) -> Sequence[WindowEvent]:
        """Nothing happens."""
        return ()

    def begin(self, world: World) -> None:
        """Nothing to prepare."""

    def draw(self, world: World) -> None:
        """Nothing to draw."""

    def warm_up(self, world: World) -> None:
        """Nothing to get ready."""

    def pixels(self) -> Any:
        """Raises UsageError: there is no picture."""
        raise UsageError("the game has no plugin that draws, so there is no picture", hint=_HINT)

    def record(self, paths: Sequence[Path], dt: float) -> AbstractContextManager[Recording]:
        """Keeps nothing, and raises UsageError where files are asked for."""
        if paths:
            self.pixels()
        return _Nothing()

    def close(self) -> None:
        """Nothing to give back."""


class _Nothing:
    """A recording of nothing."""

    def take(self) -> None:
        """Nothing."""

    def finish(self) -> list[Path]:
        """No files."""
        return []

    def __enter__(self) -> _Nothing:
        return self

    def __exit__(self, *_: object) -> None:
        return None
