"""Watches: values of chosen fields that are sent to a client every few frames."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ..api.errors import ApiError

if TYPE_CHECKING:
    from rish_core import World

MOST = 8
"""The most watches at the same time."""


class Watch:
    """What one client watches. values: functions that return the current values, by name. every: frames between two
    messages. send: called with each message, in the game's thread; set by the server. closed: whether the client is
    gone.
    """

    def __init__(self, values: Mapping[str, Callable[[], Any]], every: int) -> None:
        self.values = values
        self.every = every
        self.closed = False
        self.send: Callable[[dict[str, Any]], object] | None = None
        self._frame = 0

    def frame(self, world: World) -> None:
        """Send the values if it is time."""
        if self.send is not None:
            if self._frame % self.every == 0:
                self.send({"tick": world.tick, "values": {name: value() for name, value in self.values.items()}})
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
        if len(self._open) >= MOST:
            raise ApiError(429, f"there are {MOST} watches already: end one of them first")
        self._open.append(watch)

    def frame(self, world: World) -> None:
        """Send what is due; called at the end of a frame."""
        self._prune()
        for watch in self._open:
            watch.frame(world)

    def _prune(self) -> None:
        self._open = [watch for watch in self._open if not watch.closed]
