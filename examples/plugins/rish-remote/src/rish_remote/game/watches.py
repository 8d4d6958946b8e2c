"""Watches: values of chosen fields, and events, that are sent to a client every few frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..api.errors import ApiError
from .events import KEPT

if TYPE_CHECKING:
    from rish_core import World

MAX_WATCHES = 8
"""The greatest number of watches at the same time."""


class Watch:
    """The watch of one client. values: functions that return the current values, by name. every: frames between two
    messages. events: called in each frame, returns the events since its last call; None to send none. send: called with
    each message, in the game's thread; set by the server. closed: whether the client is gone.
    """

    def __init__(
        self, values: Mapping[str, Callable[[], Any]], every: int, events: Callable[[], list[Any]] | None = None
    ) -> None:
        self.values = values
        self.every = every
        self._events = events
        self._happened: list[Any] = []
        self.closed = False
        self.send: Callable[[dict[str, Any]], object] | None = None
        self._frame = 0

    def frame(self, world: World) -> None:
        """Send the values, and the events since the last message, if it is time."""
        if self.send is None:
            return
        if self._events is not None:
            self._happened = (self._happened + self._events())[-KEPT:]
        if self._frame % self.every == 0:
            message = {"tick": world.tick, "values": {name: value() for name, value in self.values.items()}}
            if self._events is not None:
                message["events"], self._happened = self._happened, []
            self.send(message)
        self._frame += 1


class Watches:
    """All watches of a game."""

    def __init__(self) -> None:
        self._open: list[Watch] = []

    def __bool__(self) -> bool:
        return bool(self._open)

    def add(self, watch: Watch) -> None:
        """Begin a watch. Raises ApiError if there are too many."""
        self._prune()
        if len(self._open) >= MAX_WATCHES:
            raise ApiError(429, f"there are {MAX_WATCHES} watches already: end one of them first")
        self._open.append(watch)

    def frame(self, world: World) -> None:
        """Send the messages that are due; called at the end of a frame."""
        self._prune()
        for watch in self._open:
            watch.frame(world)

    def _prune(self) -> None:
        self._open = [watch for watch in self._open if not watch.closed]
