"""What a terminal tells about a session: who plays, who joined and who left."""

from __future__ import annotations

import sys
from typing import Any

from rish_core import say

from ..game.net import Net
from ..game.seating import Seats


class News:
    """Prints a line for each player that comes or goes."""

    def __init__(self) -> None:
        self._open: list[int] = []
        self._seat = 0

    def look(self, world: Any) -> None:
        """Print what changed since the last call."""
        session, seats = world[Net].session, world[Seats].open
        if session is None or (seats == self._open and session.seat == self._seat):
            return
        own = session.seat if session.seat in seats else 0
        if own != self._seat:
            say(f"you are player {own}" if own else "you watch now")
        for seat in seats:
            if seat not in self._open and seat != own:
                say(f"player {seat} joined")
        for seat in self._open:
            if seat not in seats and seat != self._seat:
                say(f"player {seat} left")
        self._open, self._seat = list(seats), own
        sys.stdout.flush()  # another program may wait for the lines
