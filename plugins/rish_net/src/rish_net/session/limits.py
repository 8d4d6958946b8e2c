"""What a host lets a guest do: who sends too much that can't be used, or stays too far behind, has to go."""

from __future__ import annotations

from ..wire.rate import Rate
from .seats import HOST
from .session import Session

MOST_REFUSED = 600
"""The packets of a guest that may be refused at once; a tenth of it in each second. A guest that has just lost its seat
sends some, until it knows."""
MOST_BEHIND = 7200
"""The ticks for which inputs are kept for a guest that does not confirm them; two minutes."""


class GuestLimits:
    """Finds the guests that have to go. Times are seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self._refused: dict[int, tuple[int, Rate]] = {}

    def exceeded(self, session: Session, now: float) -> list[tuple[int, str]]:
        """Return the links of guests that are above a limit, and which one."""
        reasons: list[tuple[int, str]] = []
        known = {number: self._refused.get(number) for number in session.peers}
        self._refused = {}
        for number, peer in session.peers.items():
            before, rate = known[number] or (0, Rate(MOST_REFUSED / 10, MOST_REFUSED))
            self._refused[number] = peer.refused, rate
            if not rate.take(peer.refused - before, now):
                reasons.append((number, "too many packets that can't be used"))
            elif session.game.tick - peer.known.get(HOST, session.game.tick) > MOST_BEHIND:
                reasons.append((number, "it is too far behind"))
        return reasons
