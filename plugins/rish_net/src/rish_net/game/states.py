"""The states that a host sends to guests: slice by slice, beside the game, and again after a link was cut."""

from __future__ import annotations

import logging
import secrets
from dataclasses import dataclass

from ..links.link import Transport
from ..session.session import Session
from ..wire.messages import WELCOME, pack
from ..wire.rate import Rate
from ..wire.slices import SLICE, OutgoingState
from .desync_search import DesyncSearch

_log = logging.getLogger("rish.net")
MOST = 4
"""The greatest number of states that are sent at once, those of guests whose link was cut included."""
WINDOW = 8 * SLICE
"""The bytes that may be on their way to a guest."""
PATIENCE = 30.0
"""Seconds for which a state waits for a guest that takes nothing, or whose link was cut."""
_REPAIRS = 5
"""States that a guest may get at once because of wrong hashes, and one more in each `PATIENCE`."""


@dataclass
class _Sending:
    """A state on its way. link: of the guest; is_cut: whether that link has ended. moved: when the guest took some."""

    name: str
    state: OutgoingState
    link: int
    moved: float
    is_cut: bool = False


class StateSender:
    """Sends states. `wanting` has the links that are to get one. Times are seconds of a clock that never goes back."""

    def __init__(self) -> None:
        self.wanting: list[int] = []
        self._sending: dict[str, _Sending] = {}
        self._repairs: dict[int, Rate] = {}
        self._hopeless: list[int] = []

    def want(self, link: int) -> None:
        """Note that a guest is to get the newest state."""
        if link not in self.wanting:
            self.wanting.append(link)

    def _repair(self, link: int, now: float) -> bool:
        """Note that the state of a guest is wrong; return whether it gets another one, and did not wait for it yet."""
        if link in self.wanting or any(sending.link == link for sending in self._sending.values()):
            return False
        if not self._repairs.setdefault(link, Rate(1 / PATIENCE, _REPAIRS)).take(1, now):
            self._hopeless.append(link)
            return False
        self.wanting.append(link)
        return True

    def repairs(self, session: Session, search: DesyncSearch, now: float) -> None:
        """Log the wrong hashes; a guest with one gets another state, and the search for the cause begins."""
        for number, tick in session.desyncs:
            begins = session.hosts and self._repair(number, now)
            if begins or not session.hosts:
                who = f"link {number}" if session.hosts else "the host"
                _log.error("tick %d: the game of %s has another state", tick, who)
            if begins:
                search.begin(session, number, tick)
        session.desyncs.clear()

    def exchange(self, session: Session, transport: Transport, now: float) -> list[tuple[int, str]]:
        """Begin the states that guests want, and send the next slice; return the links to end, and why."""
        for link in self._due(session):
            tick, state, streams = session.state()
            rows = [[seat, opened, closed] for seat, (opened, closed) in streams.items()]
            session.begin_peer(link, tick, streams)
            data = state.to_bytes()
            welcome = pack(
                WELCOME, streams=rows, epoch=session.peers[link].epoch, course=session.course,
                state=self._begin(link, data, now), size=len(data),
            )  # fmt: skip
            transport.send_message(link, welcome, bulk=True)
        for link, message in self._next():
            transport.send_message(link, message, bulk=True)
        hopeless, self._hopeless = self._hopeless, []
        late = [(link, "it takes no state") for link in self._expire(now)]
        return [*late, *((link, "its state is wrong again and again") for link in hopeless)]

    def _due(self, session: Session) -> list[int]:
        """Return the links that are to get a new state now."""
        self.wanting = [link for link in self.wanting if link in session.peers]
        others = [s for s in self._sending.values() if not s.is_cut and s.link not in self.wanting]
        room = max(0, MOST - len(others))
        due, self.wanting = self.wanting[:room], self.wanting[room:]
        return due

    def _begin(self, link: int, state: bytes, now: float) -> str:
        """Begin to send a state, instead of an earlier one of the same guest; return its name, which only it knows."""
        self._sending = {name: sending for name, sending in self._sending.items() if sending.link != link}
        name = secrets.token_hex(16)
        self._sending[name] = _Sending(name, OutgoingState(state), link, now)
        return name

    def _next(self) -> list[tuple[int, bytes]]:
        """Return the next slice of one state, with its link: the states take turns, one slice in each frame."""
        for name, sending in list(self._sending.items()):
            state = sending.state
            if not sending.is_cut and state.sent < min(len(state.state), state.taken + WINDOW):
                self._sending[name] = self._sending.pop(name)  # the last one in the next frame
                return [(sending.link, state.next())]
        return []

    def take(self, link: int, name: str, count: int, now: float) -> None:
        """Note how much of a state a guest has. Raises ProtocolError if that can't be."""
        sending = self._sending.get(name)
        if sending is None or sending.link != link:
            return  # it got another one since
        if count > sending.state.taken:
            sending.moved = now
        sending.state.take(count)
        if sending.state.is_taken:
            del self._sending[name]

    # Links that end

    def cut(self, link: int, now: float) -> bool:
        """Note that a link ended; return whether its guest may come back for the rest of a state."""
        self._repairs.pop(link, None)
        for sending in self._sending.values():
            if sending.link == link:
                sending.is_cut, sending.moved = True, now
                return True
        return False

    def resume(self, link: int, name: str, count: int, now: float) -> int | None:
        """Go on with a state on another link; return the link that the guest had, None if there is no such state.

        Raises ProtocolError if the guest can't have that much.
        """
        sending = self._sending.get(name)
        if sending is None:
            return None
        sending.state.resume(count)
        former, sending.link, sending.moved, sending.is_cut = sending.link, link, now, False
        if sending.state.is_taken:
            del self._sending[name]
        return former

    def _expire(self, now: float) -> list[int]:
        """Forget the states that wait for too long, and those of links that were cut where others need their place;
        return their links.
        """
        late = [sending for sending in self._sending.values() if now - sending.moved > PATIENCE]
        cut = sorted([s for s in self._sending.values() if s.is_cut and s not in late], key=lambda s: s.moved)
        late += cut[: max(0, len(self._sending) - len(late) - MOST)]
        for sending in late:
            del self._sending[sending.name]
        return [sending.link for sending in late]
