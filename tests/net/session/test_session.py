"""Sessions of a small game over simulated links."""

from __future__ import annotations

import random
from typing import Any

import pytest
from net_toy import Table, Toy

from rish_core import InputRecord, WindowEvent
from rish_net.links.simulated import LinkQuality
from rish_net.session.session import Session
from rish_net.wire.packets import InputPacket, Span

IDEAL = LinkQuality()
FAR = LinkQuality(delay=75, jitter=15, loss=0.05, duplicates=0.02)
BAD = LinkQuality(delay=40, jitter=35, loss=0.3, duplicates=0.1)


def common_hash(table: Table) -> int:
    """Return the newest tick whose final hash all peers have; fails unless these hashes are equal."""
    sessions = [table.host, *table.guests.values()]
    common = set.intersection(*(set(session.rollback.hashes) for session in sessions))
    for tick in common:
        assert len({session.rollback.hashes[tick] for session in sessions}) == 1, f"tick {tick}"
    assert not any(session.desyncs for session in sessions)
    return max(common)


@pytest.mark.parametrize("quality", [IDEAL, FAR, BAD], ids=["ideal", "far", "bad"])
@pytest.mark.parametrize("guests", [1, 3])
def test_all_peers_play_the_same_game(quality: LinkQuality, guests: int) -> None:
    """Guests who join while the others play have the same states, and the inputs of all of them, in any network."""
    table = Table(quality, seed=guests)
    for number in range(guests):
        table.run(40)
        table.join(number)
        table.run(60)
        assert table.seat(number) == number + 2
    table.run(500)
    assert common_hash(table) > table.host.game.tick - 90
    host: Any = table.host.game
    devices = {event.device for record in host.inputs.values() for event in record.events}
    assert devices == set(range(1, guests + 2))
    assert table.host.game.tick > 0.8 * (guests * 100 + 500)


def test_a_far_link_does_not_stop_the_game() -> None:
    """With a round trip of 150 ms and 5 % loss, input is late by at most 3 ticks, and stalls are under 1 %."""
    table = Table(FAR)
    table.join(0)
    table.run(60)
    table.seat(0)
    table.run(1800)
    guest = table.guests[0]
    assert max(table.host.delay, guest.delay) <= 3
    assert 0 < table.most_back <= 8
    assert table.host.stalls + guest.stalls < 18
    assert abs(table.host.game.tick - guest.game.tick) <= 4
    common_hash(table)


def test_the_final_state_is_that_of_a_plain_run() -> None:
    """The states are those of a game that has all inputs from the beginning and runs each tick once."""
    table = Table(FAR, seed=3)
    table.join(0)
    table.run(30)
    table.seat(0)
    table.run(500)
    tick = common_hash(table)
    host: Any = table.host.game
    plain = Toy()
    while plain.tick < tick:
        plain.simulate(host.inputs[plain.tick])
    assert plain.hash() == table.host.rollback.hashes[tick]


def test_a_player_who_leaves_and_one_who_comes() -> None:
    """Keys of a player who leaves go up, the others go on at once, and the next player gets the free seat."""
    table = Table(FAR, seed=5)
    for number in (0, 1):
        table.join(number)
        table.run(60)
        table.seat(number)
    table.run(200)
    table.leave(0)
    table.run(100)
    host: Any = table.host.game
    gone = [e for r in host.inputs.values() for e in r.events if e.kind == "gamepad_disconnected"]
    assert {event.device for event in gone} == {2}
    before = host.tick
    table.run(100)
    assert host.tick - before > 90
    table.join(2)
    table.run(60)
    assert table.seat(2) == 2
    table.run(300)
    assert common_hash(table) > host.tick - 90


def test_a_player_whose_link_is_cut_does_not_stop_the_others() -> None:
    """After two seconds of silence the seat is closed, and the game goes on; when the link is back, the player has the
    same state, what it pressed meanwhile is undone, and it may play again.
    """
    table = Table(FAR, seed=6)
    for number in (0, 1):
        table.join(number)
        table.run(60)
        table.seat(number)
    table.run(200)
    table.cut = {0}
    table.run(300)
    tick = table.host.game.tick
    table.run(60)
    assert table.host.game.tick - tick > 50
    assert table.host.peers[0].seat == 0
    table.cut = set()
    table.run(200)
    assert table.guests[0].seat == 0
    assert table.seat(0) == 2
    table.run(300)
    assert common_hash(table) > table.host.game.tick - 90


def test_a_seat_that_was_not_opened_yet_can_be_left() -> None:
    """A guest that goes before its seat opens leaves no trace."""
    table = Table(IDEAL)
    table.join(0)
    table.run(10)
    table.host.seat_peer(0)
    table.leave(0)
    table.run(60)
    assert list(table.host.streams) == [1]


def test_a_healed_guest_keeps_its_input() -> None:
    """A guest that begins again with the state of the host has the inputs that it has already sent."""
    table = Table(FAR, seed=9)
    guest = table.join(0)
    table.run(60)
    table.seat(0)
    table.run(200)
    tick, state, streams = table.host.state()
    guest.game.load(state)
    table.host.begin_peer(0, tick, streams)
    guest.begin_at(tick, streams, table.host.peers[0].epoch)
    table.run(300)
    assert common_hash(table) > tick + 200


def test_nobody_sends_inputs_of_the_far_future() -> None:
    """Inputs more than a packet ahead of the host are not stored."""
    table = Table(IDEAL)
    table.join(0)
    table.run(20)
    table.seat(0)
    table.run(30)
    host = table.host
    first = host.streams[2].next
    for _ in range(20):
        span = Span(2, host.streams[2].next, [InputRecord()] * 1000)
        host.receive(0, InputPacket(1, 1, epoch=1, spans=[span]).to_bytes(), table.now)
    assert host.streams[2].next <= first + 1100


def test_a_spectator_gets_everything_and_sends_nothing() -> None:
    """A guest without a seat has the same states, and nobody waits for it."""
    table = Table(BAD, seed=8)
    table.join(0)
    table.run(400)
    assert common_hash(table) > 300
    assert table.host.stalls == 0


def test_input_of_somebody_else_is_refused() -> None:
    """A guest can't play for another one, and a host can't be told that it sent what it did not."""
    table = Table(IDEAL)
    table.join(0)
    table.run(20)
    table.seat(0)
    table.run(30)
    host, tick = table.host, table.host.game.tick
    press = InputRecord((WindowEvent("key", "A", True),))
    for packet in (
        InputPacket(tick, 1, epoch=1, spans=[Span(1, host.streams[1].next, [press])]),
        InputPacket(tick, 1, known={1: 10**9}, epoch=1),
    ):
        before = host.peers[0].refused
        host.receive(0, packet.to_bytes(), table.now)
        assert host.peers[0].refused == before + 1
    command = InputRecord((WindowEvent("command", "net.close", touch=1, start=5),))
    spans = [Span(2, host.streams[2].next, [command])]
    host.receive(0, InputPacket(tick, 1, epoch=1, spans=spans).to_bytes(), table.now)
    table.run(120)
    common_hash(table)
    assert host.streams[1].closed > tick


def test_damaged_packets_change_nothing() -> None:
    """Of packets whose bytes are damaged on the way, the game only notices that they are lost."""
    table = Table(LinkQuality(delay=20, jitter=5), seed=11)
    rng = random.Random(4)

    def damaged(data: bytes) -> bytes:
        if rng.random() > 0.2:
            return data
        return data[: rng.randrange(len(data))] if rng.random() < 0.5 else bytes(rng.randbytes(len(data)))

    table.join(0)
    table.run(30)
    table.seat(0)
    table.guest_hook = table.host_hook = damaged
    table.run(400)
    table.guest_hook = table.host_hook = lambda data: data
    table.run(60)
    assert table.host.peers[0].refused > 20
    common_hash(table)


def test_a_different_state_is_noticed() -> None:
    """A game that went another way is found by the next hash, on both sides."""
    table = Table(LinkQuality(delay=20))
    table.join(0)
    table.run(60)
    game: Any = table.guests[0].game
    game.x += 1
    table.run(60)
    assert table.host.desyncs
    assert table.guests[0].desyncs


def test_seats_are_limited() -> None:
    """A ninth player gets no seat, and may watch."""
    session = Session(Toy(), 1, 16.7)
    for number in range(8):
        session.add_peer(number)
    assert [session.seat_peer(number)[0] for number in range(8)] == [2, 3, 4, 5, 6, 7, 8, 0]


def test_lockstep_predicts_and_saves_nothing() -> None:
    """In lockstep each tick runs once, with the inputs of all, and the states are the same on bad links too."""
    table = Table(FAR, seed=2, most_back=0)
    table.join(0)
    table.run(60)
    table.seat(0)
    saves = [session.game.saves for session in (table.host, table.guests[0])]
    table.run(500)
    host: Any = table.host.game
    assert common_hash(table) > host.tick - 90
    assert [session.game.saves for session in (table.host, table.guests[0])] == saves
    assert table.host.rollback.rolled_back == table.guests[0].rollback.rolled_back == 0
    assert {event.device for record in host.inputs.values() for event in record.events} == {1, 2}
    assert host.tick > 0.8 * 560


def steady(session: Session) -> InputRecord:
    """Return an input that follows from the number of its tick: what a good prediction knows."""
    return predicted(session.seat, session.streams[session.seat].next, InputRecord())


def predicted(seat: int, tick: int, last: InputRecord) -> InputRecord:
    """Predict the input of a seat."""
    return InputRecord((WindowEvent("gamepad_axis", "gamepad.left_x", value=tick % 8 / 8, device=seat),))


def test_a_game_may_predict_inputs() -> None:
    """Inputs that were predicted right cost no rollback, and wrong ones are corrected as always."""
    times: list[int] = []
    for predict in (None, predicted, lambda seat, tick, last: predicted(seat, tick + tick % 2, last)):
        table = Table(LinkQuality(delay=75), predict=predict)
        table.keys = lambda session: steady(session) if session.seat in session.streams else InputRecord()
        table.join(0)
        table.run(60)
        table.seat(0)
        table.run(60)
        before = table.host.rollback.times
        table.run(120)
        common_hash(table)
        times.append(table.host.rollback.times - before)
    assert times[1] < 12 < times[2] <= times[0]


def test_the_input_of_a_player_who_left_is_predicted_no_more() -> None:
    """What was predicted after the last input of a player who leaves is undone on all sides."""
    table = Table(LinkQuality(delay=75), predict=predicted)
    table.keys = lambda session: steady(session) if session.seat in session.streams else InputRecord()
    for number in (0, 1):
        table.join(number)
        table.run(60)
        table.seat(number)
    table.run(40)
    table.leave(0)
    table.run(100)
    assert common_hash(table) > table.host.game.tick - 90


def test_all_go_back_when_the_host_does() -> None:
    """The host goes on from an older state: all have that state and the same game after it, and who joined since then
    asks for a seat again.
    """
    table = Table(FAR, seed=4)
    table.join(0)
    table.run(60)
    table.seat(0)
    table.run(100)
    host: Any = table.host.game
    state = host.save()
    tick = host.tick
    table.run(60)
    table.join(1)
    table.run(60)
    table.seat(1)
    table.run(100)
    table.go_back(state, [1, 2])
    assert [table.guests[number].seat for number in (0, 1)] == [2, 0]
    assert {session.game.tick for session in (table.host, *table.guests.values())} == {tick}
    host.inputs.clear()
    table.run(60)
    assert table.seat(1) == 3
    table.run(200)
    assert common_hash(table) > tick + 100
    assert {event.device for record in host.inputs.values() for event in record.events} == {1, 2, 3}


def test_going_back_closes_the_seat_of_who_left() -> None:
    """A player who left since the older state leaves again in its first tick."""
    table = Table(FAR, seed=4)
    for number in (0, 1):
        table.join(number)
        table.run(60)
        table.seat(number)
    table.run(100)
    host: Any = table.host.game
    state = host.save()
    table.leave(0)
    table.run(100)
    table.go_back(state, [1, 2, 3])
    table.run(200)
    assert common_hash(table) > state[0] + 100
    assert table.host.streams[2].closed == state[0]


@pytest.mark.parametrize("skew", [0.02, -0.02])
def test_a_fast_or_slow_clock_is_followed(skew: float) -> None:
    """A guest whose clock is wrong by 2 % stays within two ticks of the host, and nobody waits."""
    table = Table(LinkQuality(delay=30, jitter=5))
    table.skew[0] = skew
    table.join(0)
    table.run(60)
    table.seat(0)
    table.run(600)
    guest = table.guests[0]
    assert abs(table.host.game.tick - guest.game.tick) <= 2
    assert table.host.stalls + guest.stalls < 10
    common_hash(table)


@pytest.mark.parametrize("offset", [10_000.0, -10_000.0])
@pytest.mark.parametrize("who", [None, 0], ids=["host", "guest"])
def test_a_clock_that_jumps_changes_nothing(who: int | None, offset: float) -> None:
    """A jump of 10 s, as of a clock that is set, takes no seat and makes nobody wait or run faster."""
    table = Table(LinkQuality(delay=30, jitter=5))
    table.join(0)
    table.run(60)
    table.seat(0)
    table.run(100)
    guest = table.guests[0]
    table.offset[who] = offset
    stalls = table.host.stalls + guest.stalls
    for _ in range(100):
        table.run(1)
        assert abs(table.host.game.tick - guest.game.tick) <= 3
    assert table.host.peers[0].seat == 2
    assert table.host.stalls + guest.stalls == stalls
    common_hash(table)
