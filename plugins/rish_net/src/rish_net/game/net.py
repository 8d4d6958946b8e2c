"""`world[Net]`: the session of a running game.

`exchange` runs in every frame: it takes what arrived, and sends; it does not touch the state of the game. `before_tick`
is a tick hook, so it runs between two ticks: it restores states, runs ticks again, and replaces the player's input by
that of all seats, or lets the tick wait.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any, cast

from rish_core import Clock, Input, InputRecord, Interventions, Snapshot, TickHooks, resource
from rish_core import Session as EndOfGame
from rish_core.loop import NOTHING
from rish_ecs import SnapshotError
from rish_history import History, Origin, Saves, origin_of

from ..links.link import Arrival, Arrived, Transport
from ..session.seats import HOST
from ..session.session import Session
from ..settings import Mode, NetSettings, RewindBy
from ..wire.errors import ProtocolError
from ..wire.messages import AT_END, DESYNC, GAME, HELLO, READY, REFUSED, SEATED, STATE, WELCOME, kind_of, pack, unpack
from ..wire.packets import MAX_SEATS
from .desync import differing_fields
from .desync_search import DesyncSearch
from .local_input import LocalInput
from .prediction import Prediction
from .recording import SessionRecorder
from .running import RunningGame
from .seating import Seats

_log = logging.getLogger("rish.net")
_CATCH_UP = 0.012
"""Seconds of a frame in which a guest that is late runs more ticks."""
_LATE = 3
"""The ticks from which on a guest is late."""


@resource(derived=True)
class Net:
    """The session; not state. `host` or `join` begin it.

    ended: why it ended; "" while it goes on. lost: why a guest has no link, or a host no relay, and tries to get it
    back; "" where nothing is missing. until: the tick after which all peers stop; None for none. awaited: the
    number of guests without whom a host does not run its next tick. clock: returns seconds, of any clock that never
    goes back.
    """

    def __post_init__(self) -> None:
        """Start without a session."""
        self.session: Session | None = None
        self.recorder: SessionRecorder | None = None
        self.ended = ""
        self.lost = ""
        self.until: int | None = None
        self.awaited = 0
        self.clock: Callable[[], float] = time.perf_counter
        self._app: Any = None
        self._transport: Transport | None = None
        self._origin = Origin()
        self._local = LocalInput()
        self._welcome: dict[str, Any] | None = None
        self._state: bytes | None = None
        self._wanting: list[int] = []
        self._asked = False
        self._at_end: set[int] = set()
        self._guests: set[int] = set()
        self._interventions = 0
        self._search: DesyncSearch | None = None

    # Beginning and end

    def host(self, app: Any, transport: Transport) -> None:
        """Host the game: others may join at any time."""
        self._begin(app, transport, may_rewind=app.world[NetSettings].rewind is RewindBy.HOST)
        self._interventions = app.world[Interventions].count
        self._origin = origin_of(app)
        self.session = self._new_session(HOST)
        if self.recorder is not None:
            self.recorder.begin(app.world, "it begins")

    def join(self, app: Any, transport: Transport) -> None:
        """Join a hosted game: the state comes from the host."""
        self._begin(app, transport, may_rewind=False)
        self._origin = origin_of(app)
        if Saves in app.world:
            app.world[Saves].suspend()  # what the host loads is sent to all
        transport.send_message(1, pack(HELLO, origin=self._origin.to_plain()))

    def _begin(self, app: Any, transport: Transport, *, may_rewind: bool) -> None:
        self._app, self._transport = app, transport
        self._search = DesyncSearch(app, transport.send_message)
        hooks: TickHooks = app.world[TickHooks]
        hooks.before.append(self.before_tick)
        if History in app.world and not may_rewind:
            app.world[History].suspend()

    def _new_session(self, seat: int) -> Session:
        world = self._app.world
        settings: NetSettings = world[NetSettings]
        back = 0 if settings.mode is Mode.LOCKSTEP else settings.back
        return Session(
            RunningGame(self._app), seat, world.dt * 1000, most_back=back, most_delay=settings.delay, begin=world.tick,
            predict=world[Prediction].predict,
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
        rollback = session.rollback
        return session.game.tick >= self.until and rollback.final >= self.until and rollback.corrected

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
        if self.recorder is not None:
            self.recorder.follow(session)
        now = self.clock() * 1000
        for number in session.unseat_silent(now) if session.hosts else ():
            _log.warning("link %d sends nothing: its player leaves the game", number)
            self._guests.discard(number)
        for number in session.peers:
            transport.send(number, session.packet_for(number, now))
        if self._done() and 0 not in self._at_end:
            self._at_end.add(0)
            for number in session.peers:
                transport.send_message(number, pack(AT_END))

    # Between two ticks

    def before_tick(self, world: Any, record: InputRecord) -> InputRecord | None:
        """Return the input of all seats for the coming tick; None to wait (tick hook)."""
        if world[EndOfGame].quit:
            return None  # the window was closed: an older state would not know of it
        if self._search is not None and self.session is not None:
            self._search.work(self.session)
        if self._state is not None:
            self._enter(world)
        session = self.session
        if session is None:
            return None  # the state of the host has not arrived
        if self.ended:
            return record
        if session.hosts:
            self._go_on(world, session)
        self._send_states(session)
        if session.hosts and len(session.peers) < self.awaited:
            return None
        self.awaited = 0
        if not session.hosts:
            self._follow(world, session)
        record = self._local.convert(record, world[Input], session.seat) if session.seat else NOTHING
        if self.until is not None and session.game.tick >= self.until:
            session.correct()
            return None
        return session.before_tick(record)

    def _go_on(self, world: Any, session: Session) -> None:
        """Go on from a state that no input led to, such as after a rewind or a loaded game: all guests get it."""
        count = world[Interventions].count
        if count != self._interventions:
            self._interventions = count
            if self.recorder is not None:
                self.recorder.end(session)
                self.recorder.begin(world, world[Interventions].reasons[-1][1])
            session.begin_again(world[Seats].open)
            self._wanting[:] = session.peers

    def _follow(self, world: Any, session: Session) -> None:
        """Follow the host: run faster or slower, and several ticks at once when this game is late."""
        peer = next(iter(session.peers.values()), None)
        if peer is None or peer.pace.round_trip is None:
            return
        world[Clock].time_scale = peer.pace.speed
        began = self.clock()
        goal = peer.tick if self.until is None else min(peer.tick, self.until)
        while session.game.tick < goal - _LATE and self.clock() - began < _CATCH_UP:
            record = session.before_tick(NOTHING)
            if record is None:
                break
            session.game.simulate(record)
        if session.lost_seat():
            _log.warning("the host gave the seat of this player away; asking for another one")
            self._asked = False
        if not session.seat and not self._asked and session.game.tick >= peer.tick - _LATE:
            self._asked = True
            assert self._transport is not None
            self._transport.send_message(1, pack(READY))

    def _send_states(self, session: Session) -> None:
        """Send the newest state that can't change to guests that join, and to those whose hash was wrong."""
        assert self._transport is not None
        for number, tick in session.desyncs:
            who = f"link {number}" if session.hosts else "the host"
            _log.error("tick %d: the game of %s has another state", tick, who)
            if session.hosts and number not in self._wanting:
                self._wanting.append(number)
                assert self._search is not None
                self._search.begin(session, number, tick)
        session.desyncs.clear()
        for link in self._wanting:
            if link in session.peers:
                tick, state, streams = session.state()
                rows = [[seat, opened, closed] for seat, (opened, closed) in streams.items()]
                session.begin_peer(link, tick, streams)
                welcome = pack(WELCOME, streams=rows, epoch=session.peers[link].epoch, course=session.course)
                self._transport.send_message(link, welcome)
                self._transport.send_message(link, bytes([STATE]) + state.to_bytes())
        self._wanting.clear()

    # What arrives

    def _take(self, world: Any, arrived: Arrived) -> None:
        session = self.session
        if arrived.what is Arrival.CLOSED:
            self._lost(arrived)
        elif arrived.what is Arrival.LOST or arrived.link == 0:
            self._interrupted(arrived)
        elif arrived.what is Arrival.OPENED and self.lost and (session is None or not session.hosts):
            self._return()
        elif arrived.what is Arrival.OPENED and session is not None and session.hosts and self._transport is not None:
            root = self._app.manifest.root
            name = root.resolve().name if root is not None else ""
            self._transport.send_message(arrived.link, pack(GAME, title=self._app.manifest.title, name=name))
        elif arrived.what is Arrival.MESSAGE:
            self._message(world, arrived.link, arrived.data)
        elif arrived.what is Arrival.PACKET and session is not None and arrived.link in session.peers:
            session.receive(arrived.link, arrived.data, self.clock() * 1000)

    def _interrupted(self, arrived: Arrived) -> None:
        """The host has no relay, or a guest no link, or the relay is back."""
        reason = arrived.data.decode(errors="replace")
        self.lost = reason
        if arrived.link:
            _log.warning("the link to the host is lost, trying to connect again: %s", reason)
        elif reason:
            _log.warning("nobody can come by the relay, trying to reach it again: %s", reason)
        else:
            _log.warning("the relay answers again")

    def _return(self) -> None:
        """Join again, after the link was lost: with a new state, and without a seat at first."""
        assert self._transport is not None
        _log.warning("there is a link to the host again")
        self.lost = ""
        if self.recorder is not None and self.session is not None:
            self.recorder.end(self.session)
        self.session, self._welcome, self._state, self._asked = None, None, None, False
        self._transport.send_message(1, pack(HELLO, origin=self._origin.to_plain()))

    def _lost(self, arrived: Arrived) -> None:
        session = self.session
        if self._done():
            self._at_end.add(arrived.link)  # all ticks are final: the other side needs nothing more
        if session is None or not (session.hosts or self.finished):
            self.ended = arrived.data.decode(errors="replace") or "the host is gone"
            _log.warning("the session ended: %s", self.ended)
        elif arrived.link in session.peers:
            session.remove_peer(arrived.link)
            self._guests.discard(arrived.link)

    def _message(self, world: Any, link: int, message: bytes) -> None:
        kind, session = kind_of(message), self.session
        if kind == AT_END:
            self._at_end.add(link)
        elif kind == DESYNC and self._search is not None:
            self._search.take(link, message)
        elif session is not None and session.hosts:
            if kind == HELLO:
                self._let_in(link, message)
            elif kind == READY and link in session.peers:
                self._seat(link)
        elif kind == REFUSED:
            self.ended = str(unpack(message, reason=str)["reason"])
        elif kind == WELCOME:
            self._welcome = unpack(message, streams=list, epoch=int, course=int)
        elif kind == STATE and self._welcome is not None:
            self._state = message[1:]
        elif kind == SEATED and session is not None:
            values = unpack(message, seat=int, tick=int)
            if not 1 < values["seat"] <= MAX_SEATS:
                raise ProtocolError(f"a message gives seat {values['seat']}")
            session.take_seat(values["seat"], values["tick"])

    def _let_in(self, link: int, message: bytes) -> None:
        """Send a guest the state, or say why it can't join."""
        assert self.session is not None
        assert self._transport is not None
        if link in self.session.peers:
            raise ProtocolError("a guest says twice which game it has")
        try:
            origin = Origin.from_plain(unpack(message, origin=dict)["origin"])
        except TypeError as error:
            raise ProtocolError(str(error)) from None
        differences = origin.differences(self._origin)
        if differences:
            reason = f"the host has another game: {'; '.join(differences)}"
            self._transport.send_message(link, pack(REFUSED, reason=reason))
            return
        self.session.add_peer(link)
        self._guests.add(link)
        self._wanting.append(link)

    def _seat(self, link: int) -> None:
        assert self.session is not None
        assert self._transport is not None
        players = len({peer.seat for peer in self.session.peers.values()} - {0}) + 1
        if self.session.peers[link].seat or players >= self._app.world[NetSettings].players:
            return
        seat, tick = self.session.seat_peer(link)
        if seat:
            self._transport.send_message(link, pack(SEATED, seat=seat, tick=tick))

    def _enter(self, world: Any) -> None:
        """Begin with the state of the host, or go on with it after a wrong hash."""
        assert self._welcome is not None
        assert self._state is not None
        data, self._state, former = self._state, None, self.session
        try:
            streams = streams_of(self._welcome["streams"])
            snapshot = Snapshot.from_bytes(data)
            if self.recorder is not None and former is not None:
                self.recorder.end(former)
            own = None if former is None else former.rollback.state_at(snapshot.tick)
            world.restore(snapshot)
        except (SnapshotError, ProtocolError) as error:
            self.ended = f"the state of the host can't be read: {error}"
            return
        world[Interventions].note("the state of the host")
        if self.recorder is not None:
            self.recorder.begin(world, "the state of the host")
        epoch, course = self._welcome["epoch"], self._welcome["course"]
        if former is None:
            self.session = former = self._new_session(0)
            former.add_peer(1)
            self._guests.add(1)
        elif course != former.course:
            _log.info("the host went on from another state, of tick %d", snapshot.tick)
        else:
            fields = [] if own is None else differing_fields(own.snapshot(), snapshot) or ["resources"]
            what = f": {', '.join(fields)} differed" if fields else ""
            _log.error("tick %d: the state of the host replaces that of this game%s", snapshot.tick, what)
        if former.begin_at(snapshot.tick, streams, epoch, course):
            self._asked = former.seat > 0
            former.press(self._local.difference(world[Input], former.seat) if former.seat else ())


def streams_of(rows: list[Any]) -> dict[int, tuple[int, int]]:
    """Return the begin and end of the input of each seat from a message. Raises ProtocolError."""
    streams: dict[int, tuple[int, int]] = {}
    for row in rows:
        if not (isinstance(row, list) and len(cast("list[Any]", row)) == 3):
            raise ProtocolError("the seats of a message are no rows of three numbers")
        if not all(isinstance(number, int) and number >= 0 for number in cast("list[Any]", row)):
            raise ProtocolError("the seats of a message are no whole numbers")
        seat, opened, closed = cast("list[int]", row)
        if not 1 <= seat <= MAX_SEATS:
            raise ProtocolError(f"a message names seat {seat}")
        streams[seat] = opened, closed
    if HOST not in streams:
        raise ProtocolError("a message has no seat of the host")
    return streams
