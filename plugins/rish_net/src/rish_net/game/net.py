"""`world[Net]`: the session of a running game.

`exchange` runs in every frame: it takes what arrived, lets guests in, and sends. `before_tick` is a tick hook, which
replaces the player's input by that of all seats, or lets the tick wait.
"""

from __future__ import annotations

import logging
import time
from typing import Any

from rish_core import Clock, Input, InputRecord, Snapshot, TickHooks, resource
from rish_core.loop import NOTHING
from rish_ecs import SnapshotError
from rish_history import Origin, origin_of

from ..links.link import Arrival, Arrived, Transport
from ..session.seats import HOST
from ..session.session import Session
from ..settings import NetSettings
from ..wire.errors import ProtocolError
from ..wire.messages import AT_END, HELLO, READY, REFUSED, SEATED, STATE, WELCOME, kind_of, pack, unpack
from .local_input import LocalInput
from .running import RunningGame

_log = logging.getLogger("rish.net")
_CATCH_UP = 0.012
"""Seconds of a frame in which a guest that is late runs more ticks."""
_LATE = 3
"""The ticks from which on a guest is late."""


@resource(derived=True)
class Net:
    """The session; not state. `host` or `join` begin it. ended: why it ended; "" while it goes on."""

    def __post_init__(self) -> None:
        """Start without a session."""
        self.session: Session | None = None
        self.ended = ""
        self.until: int | None = None
        self._app: Any = None
        self._transport: Transport | None = None
        self._local = LocalInput()
        self._welcome: dict[str, Any] | None = None
        self._asked = False
        self._at_end: set[int] = set()
        self._guests: set[int] = set()

    # Beginning and end

    def host(self, app: Any, transport: Transport) -> None:
        """Host the game: others may join at any time."""
        self._begin(app, transport)
        self.session = self._new_session(HOST)

    def join(self, app: Any, transport: Transport) -> None:
        """Join a hosted game: the state comes from the host."""
        self._begin(app, transport)
        transport.send_message(1, pack(HELLO, origin=origin_of(app).to_plain()))

    def _begin(self, app: Any, transport: Transport) -> None:
        self._app, self._transport = app, transport
        hooks: TickHooks = app.world[TickHooks]
        hooks.before.append(self.before_tick)

    def _new_session(self, seat: int) -> Session:
        world = self._app.world
        settings: NetSettings = world[NetSettings]
        return Session(
            RunningGame(self._app), seat, world.dt * 1000, most_back=settings.back, most_delay=settings.delay,
            begin=world.tick,
        )  # fmt: skip

    def close(self) -> None:
        """End the session."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None

    @property
    def finished(self) -> bool:
        """Whether the session ended, or all peers have run the ticks until `until`."""
        if self.ended:
            return True
        return self.until is not None and self._done() and self._at_end >= self._guests

    def _done(self) -> bool:
        session = self.session
        if session is None or self.until is None:
            return False
        return session.game.tick >= self.until and session.rollback.confirmed >= self.until

    # In each frame

    def exchange(self, world: Any) -> None:
        """Receive and send."""
        transport, session = self._transport, self.session
        if transport is None:
            return
        for arrived in transport.poll():
            try:
                self._take(world, arrived)
            except ProtocolError as error:
                _log.warning("link %d is ended: %s", arrived.link, error)
                transport.drop(arrived.link, str(error))
        session = self.session
        if session is None or self.ended:
            return
        now = time.perf_counter() * 1000
        if not session.hosts:
            self._keep_pace(world, session)
        for number in session.peers:
            transport.send(number, session.packet_for(number, now))
        if self._done() and 0 not in self._at_end:
            self._at_end.add(0)
            for number in session.peers:
                transport.send_message(number, pack(AT_END))

    def before_tick(self, world: Any, record: InputRecord) -> InputRecord | None:
        """Return the input of all seats for the coming tick; None to wait (tick hook)."""
        session = self.session
        if self.ended:
            return record
        if session is None:
            return None  # the state of the host has not arrived yet
        record = self._local.convert(record, world[Input], session.seat) if session.seat else NOTHING
        if self.until is not None and session.game.tick >= self.until:
            session.rollback.correct()
            return None
        return session.before_tick(record)

    def _keep_pace(self, world: Any, session: Session) -> None:
        """Follow the host: run faster or slower, and several ticks at once when this game is late."""
        peer = next(iter(session.peers.values()), None)
        if peer is None or peer.pace.round_trip is None:
            return
        world[Clock].time_scale = peer.pace.speed
        began = time.perf_counter()
        goal = peer.tick if self.until is None else min(peer.tick, self.until)
        while session.game.tick < goal - _LATE and time.perf_counter() - began < _CATCH_UP:
            record = session.before_tick(NOTHING)
            if record is None:
                break
            self._app.simulate(record)
        if not session.seat and not self._asked and session.game.tick >= peer.tick - _LATE:
            self._asked = True
            assert self._transport is not None
            self._transport.send_message(1, pack(READY))

    # What arrives

    def _take(self, world: Any, arrived: Arrived) -> None:
        session = self.session
        if arrived.what is Arrival.CLOSED:
            self._lost(arrived)
        elif arrived.what is Arrival.MESSAGE:
            self._message(world, arrived.link, arrived.data)
        elif arrived.what is Arrival.PACKET and session is not None and arrived.link in session.peers:
            session.receive(arrived.link, arrived.data, time.perf_counter() * 1000)

    def _lost(self, arrived: Arrived) -> None:
        session = self.session
        if session is None or not session.hosts:
            self.ended = arrived.data.decode(errors="replace") or "the host is gone"
            _log.warning("the session ended: %s", self.ended)
        elif arrived.link in session.peers:
            session.remove_peer(arrived.link)
            self._guests.discard(arrived.link)

    def _message(self, world: Any, link: int, message: bytes) -> None:
        kind, session = kind_of(message), self.session
        if kind == AT_END:
            self._at_end.add(link)
        elif session is not None and session.hosts:
            if kind == HELLO:
                self._let_in(link, message)
            elif kind == READY and link in session.peers:
                self._seat(link)
        elif kind == REFUSED:
            self.ended = str(unpack(message, reason=str)["reason"])
        elif kind == WELCOME:
            self._welcome = unpack(message, tick=int, streams=list)
        elif kind == STATE and self._welcome is not None:
            self._enter(world, message[1:])
        elif kind == SEATED and session is not None:
            session.seat = int(unpack(message, seat=int)["seat"])

    def _let_in(self, link: int, message: bytes) -> None:
        """Send a guest the state, or say why it can't join."""
        assert self.session is not None and self._transport is not None
        try:
            origin = Origin.from_plain(unpack(message, origin=dict)["origin"])
        except TypeError as error:
            raise ProtocolError(str(error)) from None
        differences = origin.differences(origin_of(self._app))
        if differences:
            reason = f"the host has another game: {'; '.join(differences)}"
            self._transport.send_message(link, pack(REFUSED, reason=reason))
            return
        tick, state, streams = self.session.state()
        rows = [[seat, opened, closed] for seat, (opened, closed) in streams.items()]
        self._transport.send_message(link, pack(WELCOME, tick=tick, streams=rows))
        self._transport.send_message(link, bytes([STATE]) + state.to_bytes())
        self.session.add_peer(link, {seat: opened for seat, (opened, _) in streams.items()})

    def _seat(self, link: int) -> None:
        assert self.session is not None and self._transport is not None
        players = len({peer.seat for peer in self.session.peers.values()} - {0}) + 1
        if self.session.peers[link].seat or players >= self._app.world[NetSettings].players:
            return
        seat = self.session.seat_peer(link)
        if seat:
            self._guests.add(link)
            self._transport.send_message(link, pack(SEATED, seat=seat))

    def _enter(self, world: Any, state: bytes) -> None:
        """Begin with the state of the host."""
        assert self._welcome is not None
        try:
            world.restore(Snapshot.from_bytes(state))
        except SnapshotError as error:
            raise ProtocolError(f"the state of the host can't be read: {error}") from None
        streams = {int(seat): (int(opened), int(closed)) for seat, opened, closed in self._welcome["streams"]}
        self.session = self._new_session(0)
        self.session.begin_at(streams)
        self.session.add_peer(1)
        self._guests.add(1)
