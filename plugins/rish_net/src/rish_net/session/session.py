"""A session: a peer's own input, the packets to and from the others, and the rollback of its game.

The session does not know how packets travel, and has no clock of its own: `receive` takes a packet, `packets` returns
those that are due, and `before_tick` returns the input of the coming tick.

The host has a link to every guest, and sends each of them the inputs of all others. So a guest needs one link.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from rish_core import InputRecord, WindowEvent

from ..wire.errors import ProtocolError
from ..wire.inputs import rounded
from ..wire.packets import MAX_SEATS, MAX_SPAN, InputPacket, Span
from .pace import Pace, SteadyTime
from .rollback import HASH_EVERY, Game, Predict, Rollback
from .seats import HOST, OPEN, apply_commands, close_seat, closed_by, open_seat, without_commands
from .stream import NEVER, InputStream

HASH_BITS = (1 << 63) - 1
_LONGEST_ECHO = 60_000
"""Stamps that are older, in milliseconds, do not measure the round trip."""
SILENT = 2000.0
"""The time in milliseconds after which a guest that sends nothing loses its seat."""
_OPENED_WITHIN = 16
"""A seat opens at most so many ticks later than was planned."""
_REMEMBERED = 600
"""The ticks for which inputs are kept that all peers have: a guest may begin again with an older state."""
_COMMANDS = 3
"""The greatest number of commands in a tick, so that they and input of the player fit into its limit."""
_REPEATED = 4
"""The number of packets in a row that contain an input."""
_ALL_EVERY = 6
"""Of so many packets one contains all inputs that are not confirmed, and the newest hash."""
_OPENING = 2.0
"""The round trips after which the input of a new player is awaited."""


@dataclass
class Peer:
    """The other end of a link.

    seat: its seat; 0 while it watches. epoch: how many states it got. known: by seat, the first tick that it has no
    input of. equal: the newest tick with equal states on both sides. stamp, since: its newest stamp and when that
    arrived, milliseconds. refused: how many of its packets were not used. packets: how many were sent to it.
    """

    pace: Pace
    seat: int = 0
    epoch: int = 0
    known: dict[int, int] = field(default_factory=dict[int, int])
    stamp: int = 0
    since: float = 0.0
    refused: int = 0
    packets: int = 0
    equal: int = 0
    tick: int = 0
    hashes: dict[int, int] = field(default_factory=dict[int, int])


class Session:
    """The session of one peer. seat: its own; 0 only watches. tick_ms: the length of a tick.

    most_back: ticks that the game may be ahead of the inputs; 0: lockstep. most_delay: the longest input delay in
    ticks, except in lockstep. begin: the tick of the game. predict: see `Rollback`. course: how often the host went on
    from another state. stalls: how many ticks had to wait for input. desyncs: the link and the tick of each hash that
    differed and was not handled yet. stays: whether the game plays the seats of players who left.
    """

    def __init__(
        self, game: Game, seat: int, tick_ms: float, *, most_back: int = 8, most_delay: int = 3, begin: int = 0,
        predict: Predict | None = None,
    ) -> None:  # fmt: skip
        self.game = game
        self.seat = seat
        self.tick_ms = tick_ms
        self.most_delay = most_delay
        self.streams: dict[int, InputStream] = {HOST: InputStream(begin)}
        self.rollback = Rollback(game, self.streams, most_back, predict)
        self.peers: dict[int, Peer] = {}
        self.stalls = 0
        self.delay = 0
        self.desyncs: list[tuple[int, int]] = []
        self.course = 0
        self._seated = begin
        self._time = SteadyTime()
        self._waiting: list[WindowEvent] = []
        self.stays = False
        self._commands: list[WindowEvent] = [open_seat(HOST, begin)] if seat == HOST else []

    @property
    def hosts(self) -> bool:
        """Whether this peer is the host."""
        return self.seat == HOST

    # Peers and seats

    def add_peer(self, number: int, known: dict[int, int] | None = None) -> Peer:
        """Add the other end of a link. number: of the link. known: the inputs that it has, by seat."""
        peer = self.peers[number] = Peer(Pace(self.tick_ms), known=known or {})
        return peer

    def remove_peer(self, number: int) -> None:
        """Remove a link; the host closes its seat."""
        if self.hosts:
            self.unseat(number)
        del self.peers[number]

    def unseat(self, number: int) -> None:
        """Take the seat of a guest. Its input ends with what the host has, at once: nobody waits for more."""
        peer = self.peers[number]
        seat, peer.seat = peer.seat, 0
        if not seat:
            return
        unopened = any(command.name == OPEN and command.touch == seat for command in self._commands)
        self._commands = [command for command in self._commands if command.touch != seat]
        if not unopened:
            stream = self.streams[seat]
            stream.close(stream.next)
            self._commands.append(close_seat(seat, stream.closed, stays=self.stays))

    def unseat_silent(self, now: float) -> list[int]:
        """Take the seats of guests that sent nothing for `SILENT` milliseconds; return their links."""
        now = self._time.at(now)
        silent = [number for number, peer in self.peers.items() if peer.seat and now - peer.since > SILENT]
        for number in silent:
            self.unseat(number)
        return silent

    def command(self, event: WindowEvent) -> None:
        """Send a command to the games of all peers, in the host's input. Only the host does so."""
        self._commands.append(event)

    def seat_peer(self, number: int, wishes: Iterable[int] = range(1, MAX_SEATS + 1)) -> tuple[int, int]:
        """Give a guest the first seat of `wishes` that is free. Return it, 0 if none is free, and the tick of its first
        input. Only the host does so.
        """
        free = next((seat for seat in wishes if self._is_free(seat)), 0)
        if not free:
            return 0, 0
        peer = self.peers[number]
        peer.seat = free
        # A guest learns of its seat one way later, and its first input comes another way after that.
        wait = 2 + round((peer.pace.round_trip or 0) * _OPENING / self.tick_ms)
        begin = self.game.tick + wait
        self._commands.append(open_seat(peer.seat, begin))
        return peer.seat, begin

    def take_seat(self, seat: int, tick: int) -> None:
        """Play in a seat that the host gave, from this tick on or a little later. Only guests do so."""
        self.seat, self._seated = seat, tick

    def lost_seat(self) -> bool:
        """Return whether the host has closed the own seat; then this peer has no seat any more."""
        stream = self.streams.get(self.seat)
        is_told = self.streams[HOST].next > self._seated + _OPENED_WITHIN
        if self.hosts or not self.seat or not is_told or (stream is not None and stream.closed == NEVER):
            return False
        self.seat = 0
        return True

    def _is_free(self, seat: int) -> bool:
        """Whether nobody has a seat, and all peers have the inputs of whoever had it before."""
        stream = self.streams.get(seat)
        if seat == HOST or any(peer.seat == seat for peer in self.peers.values()):
            return False
        if any(command.touch == seat for command in self._commands):
            return False
        return stream is None or all(peer.known.get(seat, 0) >= stream.closed for peer in self.peers.values())

    def state(self) -> tuple[int, Any, dict[int, tuple[int, int]]]:
        """Return what a new guest begins with: a tick, the state before it, and by seat where its stream begins and
        ends from there on. The state can't change any more.
        """
        self.correct()
        tick = min(self.rollback.final, self.game.tick)
        state = self.rollback.keep(tick)
        streams = {seat: (max(s.opened, min(tick, s.next)), s.closed) for seat, s in self.streams.items()}
        return tick, state, streams

    def begin_peer(self, number: int, tick: int, streams: dict[int, tuple[int, int]]) -> None:
        """Note that a guest begins with what `state` returned: it gets all inputs from there on."""
        peer = self.peers[number]
        peer.epoch, peer.equal = peer.epoch + 1, tick
        peer.known = {seat: opened for seat, (opened, _) in streams.items()}
        peer.hashes.clear()

    def begin_at(self, tick: int, streams: dict[int, tuple[int, int]], epoch: int, course: int = 0) -> bool:
        """Begin with the state of a host, which the game has loaded: tick and streams as `state` returned them.

        epoch: how many states this guest got. course: of the host. If it is the same as before, the own stream goes
        on, because the host has its inputs. Return whether it is another one.
        """
        again, self.course = course != self.course, course
        own = self.streams.get(self.seat) if self.seat and not again else None
        self.streams.clear()
        for peer in self.peers.values():
            peer.epoch, peer.equal = epoch, tick
        if again:
            self._restart(tick, streams)
        for seat, (opened, closed) in streams.items():
            self.streams[seat] = InputStream(opened)
            self.streams[seat].closed = closed
        if own is not None:
            self.streams[self.seat] = own
        self.rollback.reset()
        self.desyncs.clear()
        return again

    def _restart(self, tick: int, streams: dict[int, tuple[int, int]]) -> None:
        """Forget what belongs to the former course of the game; the seat stays if it is open in the new state."""
        self._seated = tick
        if streams.get(self.seat, (0, 0))[1] != NEVER:
            self.seat = 0
        for peer in self.peers.values():
            peer.known.clear()
            peer.hashes.clear()
            peer.tick, peer.pace.ahead = tick, 0.0

    def begin_again(self, open_seats: Iterable[int]) -> None:
        """Go on from another state, which the game of this host has loaded. Inputs and predictions are dropped.

        open_seats: those that are open in this state. Seats that nobody has any more are closed; a guest whose seat is
        not open loses it. All guests need the state.
        """
        tick = self.game.tick
        taken = {peer.seat for peer in self.peers.values()}
        self.streams.clear()
        self.streams[HOST] = InputStream(tick)
        self._commands = [] if HOST in open_seats else [open_seat(HOST, tick)]
        for seat in sorted({*open_seats} - {HOST}):
            self.streams[seat] = InputStream(tick)
            if seat not in taken:
                self.streams[seat].close(tick)
                self._commands.append(close_seat(seat, tick, stays=self.stays))
        for peer in self.peers.values():
            peer.seat = peer.seat if peer.seat in self.streams else 0
            peer.pace.ahead = 0.0
        self._waiting.clear()
        self.rollback.reset()
        self.desyncs.clear()
        self.course += 1

    # Ticks

    def press(self, events: Iterable[WindowEvent]) -> None:
        """Add events to the player's input of the coming tick."""
        self._waiting += events

    def before_tick(self, record: InputRecord) -> InputRecord | None:
        """Take the player's input; return the input of the coming tick, None if the game has to wait for the others."""
        self._waiting += record.events
        self._put_own()
        self.correct()
        if not self.rollback.may_advance:
            self.stalls += 1
            return None
        if self.game.tick % HASH_EVERY == 0:
            self._forget()
        return self.rollback.begin()

    def correct(self) -> None:
        """Run the ticks again whose input was another one than predicted. Called between two ticks."""
        self.rollback.acked = self._acked()
        self.rollback.correct()

    def _put_own(self) -> None:
        """Put the own input into the stream, for the tick that comes after the input delay."""
        stream = self.streams.get(self.seat)
        if stream is None or not self.seat or stream.closed != NEVER:
            return  # the seat is not open yet, or no longer
        predicts, most = self.rollback.most > 0, self.most_delay
        paces = [p.pace.delay(most) if predicts else p.pace.lockstep_delay() for p in self.peers.values()]
        self.delay = max(paces, default=0)
        until = self.game.tick + self.delay
        if stream.next > until:
            return  # the delay became shorter: the events wait for the next tick
        commands, self._commands = self._commands[:_COMMANDS], self._commands[_COMMANDS:]
        events = without_commands(InputRecord(tuple(self._waiting))).events
        record = rounded(InputRecord((*commands, *events)), self.seat)
        self._waiting.clear()
        while stream.next < until:
            stream.put(stream.next, InputRecord())
        self._put(self.seat, stream.next, record)

    def _forget(self) -> None:
        """Remove inputs that all peers have and no tick needs again."""
        for seat, stream in self.streams.items():
            known = [peer.known.get(seat, stream.opened) for peer in self.peers.values() if peer.seat != seat]
            stream.forget(min([self.rollback.final, self.game.tick, *known]) - _REMEMBERED)

    def _acked(self) -> int:
        """Return the first tick whose own input the host does not have; `NEVER` for the host, and without a seat."""
        stream = self.streams.get(self.seat)
        if self.hosts or stream is None or stream.closed != NEVER:
            return NEVER
        return min([peer.known.get(self.seat, stream.opened) for peer in self.peers.values()], default=NEVER)

    def _put(self, seat: int, tick: int, record: InputRecord) -> bool:
        """Add an input to its stream; return whether it was the next one."""
        if not self.streams[seat].put(tick, record):
            return False
        if seat == HOST:
            self.rollback.redo(apply_commands(self.streams, tick, record))
            for closed, start in closed_by(record):
                self.rollback.ended(closed, start)
        self.rollback.arrived(seat, tick, record)
        return True

    # Packets

    def packet_for(self, number: int, now: float) -> bytes:
        """Return the packet for a peer. now: milliseconds, of any clock."""
        now = self._time.at(now)
        peer = self.peers[number]
        spans: list[Span] = []
        for seat, stream in sorted(self.streams.items()):
            if seat != peer.seat and (self.hosts or seat == self.seat):
                first = self._first_sent(peer, max(peer.known.get(seat, stream.opened), stream.opened), stream.next)
                records = [stream.at(tick) for tick in range(first, min(stream.next, stream.closed))]
                spans.append(Span(seat, first, records))
        hashes = self.rollback.hashes
        hashed = max(hashes, default=0) if peer.packets % _ALL_EVERY == 0 else 0
        peer.packets += 1
        held = int(now - peer.since) if peer.stamp else 0
        known = {seat: stream.next for seat, stream in self.streams.items() if seat != self.seat}
        digest = hashes.get(hashed, 0) & HASH_BITS
        packet = InputPacket(self.game.tick, int(now), peer.stamp, held, known, hashed, digest, peer.epoch, spans)
        return packet.to_bytes()

    def _first_sent(self, peer: Peer, known: int, following: int) -> int:
        """Return the first tick whose input is sent, of those from `known` on that the peer has not confirmed.

        Usually the newest few, so each is sent that often. All of them in some packets, and when the confirmation of
        one is later than a round trip.
        """
        if peer.pace.round_trip is None or peer.packets % _ALL_EVERY == 0:
            return known
        late = (peer.pace.round_trip + 2 * peer.pace.jitter) / self.tick_ms + _REPEATED
        return known if following - known > late else max(known, following - _REPEATED)

    def receive(self, number: int, data: bytes, now: float) -> None:
        """Use a packet of a peer. One that can't be read, or has inputs of somebody else, is counted and ignored.

        Of a packet from before the guest got another state, only the time is used.
        """
        now = self._time.at(now)
        peer = self.peers[number]
        try:
            packet = InputPacket.from_bytes(data)
            self._check(peer, packet)
        except ProtocolError:
            peer.refused += 1
            return
        if packet.epoch != peer.epoch:
            peer.stamp, peer.since = packet.stamp, now
            return
        for seat, tick in packet.known.items():
            peer.known[seat] = max(peer.known.get(seat, 0), tick)
        for span in packet.spans:
            for tick, record in enumerate(span.records, span.first):
                if span.seat in self.streams and tick < self.game.tick + MAX_SPAN:
                    self._put(span.seat, tick, without_commands(record) if self.hosts else record)
        self._measure(peer, packet, now)
        if packet.hash:
            peer.hashes[packet.hashed] = packet.hash
        self._compare(number, peer)

    def _check(self, peer: Peer, packet: InputPacket) -> None:
        """Raise ProtocolError if a guest sends inputs of others, or confirms what does not exist."""
        for span in packet.spans:
            if self.hosts and span.seat != peer.seat:
                raise ProtocolError(f"the player of seat {peer.seat} sent input of seat {span.seat}")
        for seat, tick in packet.known.items():
            if self.hosts and seat in self.streams and tick > self.streams[seat].next:
                raise ProtocolError(f"the player of seat {peer.seat} confirmed input that was not sent")

    def _measure(self, peer: Peer, packet: InputPacket, now: float) -> None:
        peer.stamp, peer.since = packet.stamp, now
        peer.tick = max(peer.tick, packet.tick)
        if packet.echo and now - packet.echo < _LONGEST_ECHO:
            peer.pace.measure(now - packet.echo - packet.held, self.game.tick, packet.tick)

    def _compare(self, number: int, peer: Peer) -> None:
        """Compare the hashes of the peer with the own ones."""
        for tick in [tick for tick in peer.hashes if tick in self.rollback.hashes]:
            if peer.hashes.pop(tick) != self.rollback.hashes[tick] & HASH_BITS:
                self.desyncs.append((number, tick))
            elif not self.desyncs:
                peer.equal = max(peer.equal, tick)
        for old in sorted(peer.hashes)[:-8]:
            del peer.hashes[old]
