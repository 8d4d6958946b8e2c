"""`world[Net]`: the session of a running game.

`exchange` runs in every frame: it takes what arrived, and sends; it does not touch the state of the game. `before_tick`
is a tick hook, so it runs between two ticks: it restores states, runs ticks again, and replaces the player's input by
that of all seats, or lets the tick wait.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from rish_core import Clock, Input, InputRecord, Interventions, Snapshot, TickHooks, resource
from rish_core import Session as EndOfGame
from rish_core.loop import NOTHING
from rish_ecs import SnapshotError
from rish_history import History, Origin, Saves, origin_of

from ..links.link import Arrival, Arrived, Transport
from ..session.limits import GuestLimits
from ..session.seats import HOST
from ..session.session import Session
from ..settings import Mode, NetSettings, RewindBy, WhenLeft
from ..wire.errors import ProtocolError
from ..wire.messages import (
    AT_END,
    DESYNC,
    GAME,
    HELLO,
    READY,
    REFUSED,
    SEATED,
    STATE,
    TAKEN,
    WELCOME,
    kind_of,
    pack,
    unpack,
)  # fmt: skip
from ..wire.packets import MAX_SEATS
from .arriving import StateReceiver, read_have
from .desync import difference
from .desync_search import DesyncSearch
from .local_input import LocalInput
from .prediction import Prediction
from .recording import SessionRecorder
from .roster import OF_PEOPLE, Roster
from .running import RunningGame
from .seating import Seats, forget_seats
from .states import StateSender
from .traffic import Traffic

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
    goes back. roster: who is in it, and the chat. invitation: that of a host. host_print: the fingerprint of the host
    that a guest joined. token: what a guest shows to get its seat again. lobby: that of the window, None without one.
    """

    def __post_init__(self) -> None:
        """Start without a session."""
        self.session: Session | None = None
        self.recorder: SessionRecorder | None = None
        self.roster = Roster(hosts=True)
        self.lobby: Any = None
        self.traffic: Traffic | None = None
        self.ended = self.lost = self.invitation = self.host_print = self.token = ""
        self.until: int | None = None
        self.awaited = 0
        self.clock: Callable[[], float] = time.perf_counter
        self._sent = -1, 0.0
        self._app: Any = None
        self._transport: Transport | None = None
        self._origin = Origin()
        self._local = LocalInput()
        self._states = StateSender()
        self._arriving = StateReceiver()
        self._limits = GuestLimits()
        self._asked = False
        self._at_end: set[int] = set()
        self._guests: set[int] = set()
        self._interventions = 0
        self._search: DesyncSearch | None = None

    # Beginning and end

    def host(self, app: Any, transport: Transport, *, lobby: bool = False, invitation: str = "") -> None:
        """Host the game: others may join at any time.

        lobby: whether the game waits until `start` is called. invitation: what the lobby offers to copy.
        """
        self._begin(app, transport, may_rewind=app.world[NetSettings].rewind is RewindBy.HOST)
        self._interventions = app.world[Interventions].count
        self.invitation = invitation
        self._origin = origin_of(app)
        self.session = self._new_session(HOST)
        if self.recorder is not None:
            self.recorder.begin(app.world, "it begins")
        self.roster = Roster(hosts=True, started=not lobby)

    def join(self, app: Any, transport: Transport, host_print: str = "", token: str = "") -> None:
        """Join a hosted game: the state comes from the host.

        host_print: the fingerprint of the host. token: what this host gave before, to get the same seat.
        """
        self._begin(app, transport, may_rewind=False)
        self._origin = origin_of(app)
        if Saves in app.world:
            app.world[Saves].suspend()  # what the host loads is sent to all
        self.host_print, self.token = host_print, token
        self.roster = Roster(hosts=False, started=False)
        transport.send_message(1, pack(HELLO, origin=self._origin.to_plain(), token=self.token, have=[]))

    def start(self) -> None:
        """Let the game begin that waits in the lobby. Only the host does so."""
        self.roster.started = self.roster.started or self.roster.hosts

    def say(self, text: str) -> None:
        """Write a line of chat to all people of the session."""
        if self._transport is not None:
            self.roster.say(text, self._transport.send_message)

    def _begin(self, app: Any, transport: Transport, *, may_rewind: bool) -> None:
        self._app = app
        self._transport = self.traffic = Traffic(transport)
        self._search = DesyncSearch(app, transport.send_message)
        hooks: TickHooks = app.world[TickHooks]
        hooks.before.append(self.before_tick)
        if History in app.world and not may_rewind:
            app.world[History].suspend()

    def _new_session(self, seat: int) -> Session:
        world = self._app.world
        settings: NetSettings = world[NetSettings]
        back = 0 if settings.mode is Mode.LOCKSTEP else settings.back
        session = Session(
            RunningGame(self._app), seat, world.dt * 1000, most_back=back, most_delay=settings.delay, begin=world.tick,
            predict=world[Prediction].predict,
        )  # fmt: skip
        session.stays = settings.left is WhenLeft.AUTOPILOT
        return session

    def close(self) -> None:
        """End the session, and the lobby."""
        if self._transport is not None:
            self._transport.close()
            self._transport = None
        if self.lobby is not None:
            self.lobby.end()

    def leave(self) -> None:
        """End the session, and play on alone with the present state."""
        if self._transport is None:
            return
        self._transport.close()
        world, lobby, hooks = self._app.world, self.lobby, self._app.world[TickHooks]
        hooks.before[:] = [hook for hook in hooks.before if hook != self.before_tick]
        world[Clock].time_scale = 1.0
        world.defer(forget_seats)
        self.__post_init__()
        self.lobby = lobby

    @property
    def active(self) -> bool:
        """Whether there is a session that has not ended."""
        return self._transport is not None and not self.ended

    @property
    def finished(self) -> bool:
        """Whether the session ended, or all peers have run the ticks until `until`."""
        return bool(self.ended) or (self.until is not None and self._done() and self._at_end >= self._guests)

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
        for number, reason in self._limits.exceeded(session, now / 1000) if session.hosts else ():
            self._cut(session, number, reason)
        for number in session.unseat_silent(now) if session.hosts else ():
            _log.warning("link %d sends nothing: its player leaves the game", number)
            self._guests.discard(number)
        self.roster.tell(session, transport.send_message)
        tick, sent = self._sent
        if tick != session.game.tick or not 0 <= now - sent < session.tick_ms:  # a display may be faster than ticks
            self._sent = session.game.tick, now
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
        if self._arriving.is_complete:
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
        if not self.roster.started:
            return None
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
            self.roster.rename_all()
            for link in session.peers:
                self._states.want(link)

    def _send_states(self, session: Session) -> None:
        """Send the newest state that can't change to guests that join, and to those whose hash was wrong."""
        assert self._transport is not None
        assert self._search is not None
        now = self.clock()
        self._states.repairs(session, self._search, now)
        for link, reason in self._states.exchange(session, self._transport, now) if session.hosts else ():
            self._cut(session, link, reason)

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
            self._guests.add(arrived.link)  # also one that was silent for a while

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
        self.session, self._asked = None, False
        have = self._arriving.have
        self._transport.send_message(1, pack(HELLO, origin=self._origin.to_plain(), token=self.token, have=have))

    def _lost(self, arrived: Arrived) -> None:
        session = self.session
        if self._done():
            self._at_end.add(arrived.link)  # all ticks are final: the other side needs nothing more
        if session is None or not (session.hosts or self.finished):
            self.ended = arrived.data.decode(errors="replace") or "the host is gone"
            _log.warning("the session ended: %s", self.ended)
        elif arrived.link in session.peers and not self._states.cut(arrived.link, self.clock()):
            self._forget(session, arrived.link)

    def _cut(self, session: Session, link: int, reason: str) -> None:
        """End the link of a guest."""
        assert self._transport is not None
        _log.warning("link %d is ended: %s", link, reason)
        self._transport.drop(link, reason)
        self._forget(session, link)

    def _forget(self, session: Session, link: int) -> None:
        """Forget a guest whose link ended."""
        if link in session.peers:
            session.remove_peer(link)
        self._guests.discard(link)
        self._at_end.discard(link)
        self.roster.leave(link)

    def _message(self, world: Any, link: int, message: bytes) -> None:
        kind, session = kind_of(message), self.session
        assert self._transport is not None
        if kind == AT_END:
            if session is None or not session.hosts or link in self._guests:
                self._at_end.add(link)
        elif kind == DESYNC and self._search is not None:
            self._search.take(link, message)
        elif kind in OF_PEOPLE:
            self.roster.receive(link, message, self._transport.send_message)
        elif session is not None and session.hosts:
            if kind == HELLO:
                self._let_in(session, link, message)
            elif kind == TAKEN:
                self._states.take(link, *read_have(unpack(message, have=list)["have"]), self.clock())
            elif kind == READY and link in session.peers:
                self.roster.seat(session, link, world[NetSettings].players, self._transport.send_message)
        elif kind == REFUSED:
            self.ended = str(unpack(message, reason=str)["reason"])
        elif kind == WELCOME:
            self._arriving.welcome(message)
        elif kind == STATE:
            self._transport.send_message(1, self._arriving.add(message))
        elif kind == SEATED and session is not None:
            values = unpack(message, seat=int, tick=int, token=str)
            if not 1 < values["seat"] <= MAX_SEATS:
                raise ProtocolError(f"a message gives seat {values['seat']}")
            session.take_seat(values["seat"], values["tick"])
            self.token = values["token"]

    def _let_in(self, session: Session, link: int, message: bytes) -> None:
        """Send a guest the state, or say why it can't join."""
        assert self._transport is not None
        if link in session.peers:
            raise ProtocolError("a guest says twice which game it has")
        values = unpack(message, origin=dict, token=str, have=list)
        try:
            origin = Origin.from_plain(values["origin"])
        except TypeError as error:
            raise ProtocolError(str(error)) from None
        differences = origin.differences(self._origin)
        if differences:
            reason = f"the host has another game: {'; '.join(differences)}"
            self._transport.send_message(link, pack(REFUSED, reason=reason))
            return
        former = self.roster.reservations.link_of(values["token"])
        if former in session.peers and not session.peers[former].seat:
            self._cut(session, former, "its player came again")
        self._guests.add(link)
        if not (values["have"] and self._resume(session, link, values["have"])):
            session.add_peer(link)
            self._states.want(link)
        self.roster.enter(link, values["token"])

    def _resume(self, session: Session, link: int, have: list[Any]) -> bool:
        """Go on with the state of a guest whose link was cut; return whether there is one."""
        former = self._states.resume(link, *read_have(have), self.clock())
        if former is None or former not in session.peers:
            return False
        session.peers[link] = session.peers.pop(former)
        self._cut(session, former, "its guest came again")
        return True

    def _enter(self, world: Any) -> None:
        """Begin with the state of the host, or go on with it after a wrong hash."""
        arriving, former = self._arriving, self.session
        try:
            snapshot = Snapshot.from_bytes(arriving.take())
            if self.recorder is not None and former is not None:
                self.recorder.end(former)
            own = None if former is None else former.rollback.state_at(snapshot.tick)
            world.restore(snapshot)
        except SnapshotError as error:
            self.ended = f"the state of the host can't be read: {error}"
            return
        world[Interventions].note("the state of the host")
        if self.recorder is not None:
            self.recorder.begin(world, "the state of the host")
        if former is None:
            self.session = former = self._new_session(0)
            former.add_peer(1)
            self._guests.add(1)
        elif arriving.course != former.course:
            _log.info("the host went on from another state, of tick %d", snapshot.tick)
        else:
            what = "" if own is None else difference(own.snapshot(), snapshot)
            _log.error("tick %d: the state of the host replaces that of this game%s", snapshot.tick, what)
        if former.begin_at(snapshot.tick, arriving.streams, arriving.epoch, arriving.course):
            self._asked = former.seat > 0
            former.press(self._local.difference(world[Input], former.seat) if former.seat else ())
