"""Who is in a session: names, colors, ready marks and pings, and the lines of chat. All of it is for display only.

The host has the list, and sends it to the guests when it changes. A guest tells the host its own profile.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, astuple, dataclass, field
from typing import Any, cast

from ..session.seats import HOST, name_seat
from ..session.session import Session
from ..wire.errors import ProtocolError
from ..wire.messages import CHAT, PEOPLE, PROFILE, SEATED, kind_of, pack, unpack
from ..wire.packets import MAX_SEATS
from ..wire.rate import Rate
from ..wire.texts import clean_line, clean_name
from .reservations import Reservations

COLORS = ("#e6b422", "#4cb4e7", "#2fb380", "#f0703c", "#d983b8", "#8f8df2", "#9ccc4f", "#c9ced6")
"""The colors of players, told apart also with color blindness (after Okabe and Ito 2008), brightened for dark menus."""
OF_PEOPLE = PROFILE, PEOPLE, CHAT
"""The kinds of messages that a roster receives."""
MAX_PEOPLE = 32
"""The greatest number of people in a session."""
_LINES = 50
"""The lines of chat that are kept."""
_MESSAGES = 1.5, 8
"""The messages that a guest may send a second in the long run, and at once."""
_ROW = int, int, str, int, bool, int
"""The types of the fields of a person."""
_PING_SECONDS = 1.0
"""The time between two messages with new pings."""


@dataclass
class Profile:
    """What a person says about itself. color: an index of `COLORS`; -1: any free one."""

    name: str = ""
    color: int = -1
    ready: bool = False


@dataclass
class Person:
    """Somebody in a session. number: 0 for the host, otherwise that of the link. seat: 0 while it watches or waits.

    ping: the round trip to the host in milliseconds; -1 if it is not known.
    """

    number: int
    seat: int = 0
    name: str = ""
    color: int = 0
    ready: bool = False
    ping: int = -1


@dataclass(frozen=True)
class ChatLine:
    """A line of chat. number: of the person. name, seat, color: when it was written. time: of `time.monotonic`."""

    number: int
    name: str
    seat: int
    color: int
    text: str
    time: float = field(default_factory=time.monotonic)


class Roster:
    """The people of a session. own: the number of this one. profile: its own. started: whether the game runs.

    people: by number. chat: the last lines. refused: how many messages were ignored because somebody sent too many.
    reservations: which seats players had.
    """

    def __init__(self, *, hosts: bool, started: bool = True) -> None:
        self.hosts = hosts
        self.started = started
        self.own = 0 if hosts else -1
        self.profile = Profile()
        self.people: dict[int, Person] = {}
        self.chat: deque[ChatLine] = deque(maxlen=_LINES)
        self.refused = 0
        self.reservations = Reservations()
        self._limits: dict[int, Rate] = {}
        self._told: bytes = b""
        self._due = 0.0
        self._named: dict[int, tuple[str, int]] = {}
        if hosts:
            self.enter(0)

    @property
    def all_ready(self) -> bool:
        """Whether all guests are ready; the host is, if it starts the game."""
        return all(person.ready for number, person in self.people.items() if number)

    def enter(self, number: int, token: str = "") -> None:
        """Add somebody. token: what shows which seat it had. Only the host does so."""
        self.reservations.enter(number, token)
        self.people[number] = Person(number, color=self._free_color(-1, number))
        self._limits[number] = Rate(*_MESSAGES)

    def leave(self, number: int) -> None:
        """Remove somebody. Only the host does so."""
        self.reservations.leave(number)
        self.people.pop(number, None)
        self._limits.pop(number, None)

    def _free_color(self, wanted: int, number: int) -> int:
        taken = {person.color for person in self.people.values() if person.number != number}
        order = [wanted, *range(len(COLORS))] if 0 <= wanted < len(COLORS) else range(len(COLORS))
        return next((color for color in order if color not in taken), 0)

    def seat(self, session: Session, number: int, most: int, send: Callable[[int, bytes], None]) -> None:
        """Give a guest a seat, if there are fewer than `most` players. Only the host does so."""
        players = len({peer.seat for peer in session.peers.values()} - {0}) + 1
        if session.peers[number].seat or players >= most:
            return
        seat, tick = session.seat_peer(number, self.reservations.wishes(number))
        if seat:
            send(number, pack(SEATED, seat=seat, tick=tick, token=self.reservations.give(number, seat)))

    # Messages

    def say(self, text: str, send: Callable[[int, bytes], None]) -> None:
        """Write a line of chat. send: sends a message over a link."""
        text = clean_line(text)
        if text and self.hosts:
            self._spread(0, text, send)
        elif text:
            send(1, pack(CHAT, text=text))

    def _spread(self, number: int, text: str, send: Callable[[int, bytes], None]) -> None:
        person = self.people[number]
        self._write(person, text)
        for link in [link for link in self.people if link]:
            send(link, pack(CHAT, number=number, text=text))

    def _write(self, person: Person, text: str) -> None:
        self.chat.append(ChatLine(person.number, person.name, person.seat, person.color, text))

    def receive(self, link: int, message: bytes, send: Callable[[int, bytes], None]) -> None:
        """Use a message of the kinds PROFILE, PEOPLE and CHAT. Raises ProtocolError."""
        kind = kind_of(message)
        if not self.hosts:
            if kind == PEOPLE:
                self._take_people(unpack(message, rows=list, own=int, started=bool))
            elif kind == CHAT:
                values = unpack(message, number=int, text=str)
                self._write(self.people.get(values["number"]) or Person(-1), clean_line(values["text"]))
        elif link in self.people:
            if not self._limits[link].take(1, time.monotonic()):
                self.refused += 1
            elif kind == CHAT and (text := clean_line(unpack(message, text=str)["text"])):
                self._spread(link, text, send)
            elif kind == PROFILE:
                values = unpack(message, name=str, color=int, ready=bool)
                self._set(self.people[link], Profile(values["name"], values["color"], values["ready"]))

    def _set(self, person: Person, profile: Profile) -> None:
        person.name, person.ready = clean_name(profile.name), profile.ready
        if profile.color >= 0 and profile.color != person.color:
            person.color = self._free_color(profile.color, person.number)

    def _take_people(self, values: dict[str, Any]) -> None:
        rows = cast("list[Any]", values["rows"])[:MAX_PEOPLE]
        people = [person_of(row) for row in rows]
        self.people = {person.number: person for person in people}
        if values["own"] != self.own:
            self._told = b""  # the host does not know this one yet
        self.own, self.started = values["own"], values["started"]

    # In each frame

    def tell(self, session: Session, send: Callable[[int, bytes], None]) -> None:
        """Send the list of people, or the own profile, if it changed; give names and colors of players to the games."""
        links = {number: (peer.seat, round(peer.pace.round_trip or -1)) for number, peer in session.peers.items()}
        self.exchange({0: (HOST, 0), **links}, send)
        for change in self.renamed() if session.hosts else ():
            session.command(name_seat(*change))

    def exchange(self, seats: dict[int, tuple[int, int]], send: Callable[[int, bytes], None]) -> None:
        """Tell the others what changed. seats: by number, the seat and the ping of each person; for a host only."""
        if not self.hosts:
            told = pack(PROFILE, **asdict(self.profile))
            if told != self._told and self.own > 0:
                self._told = told
                send(1, told)
            return
        self._set(self.people[0], self.profile)
        now = time.monotonic()
        pings_due = now >= self._due
        for number, (seat, ping) in seats.items():
            if number in self.people:
                person = self.people[number]
                person.seat, person.ping = seat, ping if pings_due else person.ping
        rows = [list(astuple(person)) for person in self.people.values()]
        told = pack(PEOPLE, rows=rows, started=self.started)
        if told == self._told:
            return
        self._told, self._due = told, now + _PING_SECONDS if pings_due else self._due
        for number in [number for number in self.people if number]:
            send(number, pack(PEOPLE, rows=rows, started=self.started, own=number))

    def rename_all(self) -> None:
        """Give all names and colors to the games again, because these went on from another state."""
        self._named.clear()

    def renamed(self) -> list[tuple[int, str, int]]:
        """Return seat, name and color of each player whose name or color the games do not have yet, as told now."""
        now = {person.seat: (person.name, person.color) for person in self.people.values() if person.seat}
        changed = [(seat, *values) for seat, values in now.items() if self._named.get(seat) != values]
        self._named = now
        return changed


def person_of(row: Any) -> Person:
    """Return the person of a row of a message. Raises ProtocolError."""
    if not isinstance(row, list) or tuple(map(type, cast("list[Any]", row))) != _ROW:
        raise ProtocolError("the people of a message are no rows of number, seat, name, color, ready and ping")
    number, seat, name, color, ready, ping = cast("tuple[int, int, str, int, bool, int]", tuple(row))
    if not (0 <= seat <= MAX_SEATS and 0 <= color < len(COLORS)):
        raise ProtocolError(f"a message has a person in seat {seat} with color {color}")
    return Person(number, seat, clean_name(name), color, ready, min(max(ping, -1), 99_999))
