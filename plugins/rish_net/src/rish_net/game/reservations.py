"""The seats that players had: who comes back gets the own one again."""

from __future__ import annotations

import secrets

from ..wire.packets import MAX_SEATS


class Reservations:
    """Gives each player a token, a random text that only this player and the host know."""

    def __init__(self) -> None:
        self._seats: dict[str, int] = {}
        self._tokens: dict[int, str] = {}

    def enter(self, link: int, token: str) -> None:
        """Note the token that a guest showed; an unknown one, or one that another guest uses, counts as none."""
        if token in self._seats and token not in self._tokens.values():
            self._tokens[link] = token

    def link_of(self, token: str) -> int | None:
        """Return the link of the guest that showed a token, or that got it; None if there is none."""
        return next((link for link, used in self._tokens.items() if used == token), None)

    def leave(self, link: int) -> None:
        """Note that a link ended; the seat stays reserved."""
        self._tokens.pop(link, None)

    def wishes(self, link: int) -> list[int]:
        """Return the seats in the order in which a guest should get one: its own, those nobody had, all others."""
        own = self._seats.get(self._tokens.get(link, ""), 0)
        had = set(self._seats.values())
        return sorted(range(1, MAX_SEATS + 1), key=lambda seat: (seat != own, seat in had, seat))

    def give(self, link: int, seat: int) -> str:
        """Note that a guest has a seat now; return its token."""
        token = self._tokens.setdefault(link, secrets.token_hex(16))
        for other in [other for other, theirs in self._seats.items() if theirs == seat]:
            del self._seats[other]  # its former player lost it to this one
        self._seats[token] = seat
        return token
