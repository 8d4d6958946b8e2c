"""Games of several processes: their final states are equal, whatever differs between them and is wrong on the way."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from long_runs import long, only_long
from net_party import Outcome, Party, outcome_of
from rish_net import LinkQuality

GAME = """
rish: 1
game: {title: Two}
plugins: [physics, rules, render]
settings: {physics: {gravity: [0, -600]}}
input:
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}]
variables: {sum: 0.0}
prefabs: {box: {Transform: {}, Body: {}, Collider: {size: [20, 20]}}}
scene: play
scenes:
  play:
    - {name: floor, at: [200, -10], Transform: {}, Collider: {size: [600, 20]}}
    - {prefab: box, count: 2, at: {grid: [1, 2], step: [12, 40], origin: [200, 30]}}
    - {name: one, prefab: box, at: [20, 20]}
    - {name: two, prefab: box, at: [380, 20]}
on:
  tick:
    - set: {one.Body.velocity.x: "random(-90, 90)", two.Body.velocity.x: "random(-90, 90)"}
  net.Joined: [{add: {sum: "random(0, 1)"}}]
"""
FAULTS = LinkQuality(delay=20, jitter=10, loss=0.1, duplicates=0.05, reorder=0.1)
SIMULATED = ("--net-sim", "10ms 5ms 5% reorder=10% duplicates=5%")
TICKS = long(1800, 150)
JUMPS = "1.03 5 3"
"""A clock that is 3 % too fast and goes 5 s forward after 3 s."""


@pytest.fixture
def party(tmp_path: Path) -> Iterator[Party]:
    """Nobody yet, and a game with bodies and random numbers."""
    game = tmp_path / "game"
    game.mkdir()
    (game / "game.yaml").write_text(GAME, encoding="utf-8")
    party = Party(game)
    yield party
    party.close()


def assert_equal(outcomes: list[Outcome]) -> None:
    """Fail unless all processes ended well and with one hash."""
    assert [outcome.code for outcome in outcomes] == [0] * len(outcomes), outcomes
    assert outcomes[0].hash, outcomes
    assert len({outcome.hash for outcome in outcomes}) == 1, outcomes
    assert not any("another state" in outcome.errors for outcome in outcomes), outcomes


@pytest.mark.slow
def test_two_processes_that_differ_in_everything_play_the_same_game(party: Party) -> None:
    """A guest without kernels, with another backend and a clock that is too fast, over a way with all faults, has the
    states of the host; the guest finds the game by the invitation.
    """
    party.frames = TICKS
    party.host(*SIMULATED)
    party.through(FAULTS)
    party.join("--backend", "software", clock="1.03 0 0", RISH_NO_JIT="1")
    assert_equal(party.outcomes())


@only_long
@pytest.mark.parametrize(
    ("options", "environment"),
    [
        ((), {"RISH_NO_JIT": "1"}),
        ((), {"RISH_CPU_LEVEL": "x86-64-v2"}),
        (("--backend", "software"), {}),
        ((), {"clock": "0.97 0 0"}),
        ((), {"clock": JUMPS}),
    ],
    ids=["plain Python", "v2", "software", "slow clock", "clock that jumps"],
)
@pytest.mark.parametrize("who", ["host", "guest"])
def test_one_difference(party: Party, who: str, options: tuple[str, ...], environment: dict[str, str]) -> None:
    """With one side that runs in another way, the states are equal."""
    party.frames = 600
    party.host(*(options if who == "host" else ()), **(environment if who == "host" else {}))
    party.through(FAULTS)
    party.join(*(options if who == "guest" else ()), **(environment if who == "guest" else {}))
    assert_equal(party.outcomes())


@only_long
def test_four_processes(party: Party) -> None:
    """Three guests that join one after the other, over ways with faults, have the states of the host."""
    party.frames = 1800
    host = party.host(*SIMULATED)
    party.through(FAULTS)
    for number in range(3):
        party.join(RISH_NO_JIT="1" if number == 1 else "")
        party.wait_for(host, f"player {number + 2} joined")
    assert_equal(party.outcomes())


@pytest.mark.slow
def test_a_guest_that_is_killed(party: Party) -> None:
    """A host whose guest is killed without a word plays on with the others, and the states stay equal."""
    party.frames = long(1800, 240)
    host = party.host("--wait", "2")
    killed, guest = party.join(), party.join()
    party.wait_for(host, "player 3 joined")
    killed.kill()
    assert_equal([outcome_of(process) for process in (host, guest)])


@only_long
def test_a_host_that_is_killed(party: Party) -> None:
    """Guests of a host that is killed without a word end with code 1 and say why."""
    host = party.host()
    guest = party.join()
    party.wait_for(guest, "you are player 2")
    host.kill()
    outcome = outcome_of(guest)
    assert outcome.code == 1
    assert "rish: " in outcome.errors


@only_long
@pytest.mark.parametrize("seconds", [1.0, 5.0], ids=["same link", "another link"])
def test_a_cut(party: Party, seconds: float) -> None:
    """A guest whose link is cut plays on afterwards, with the states of the host, also when it connects again."""
    party.frames = 2400
    host = party.host()
    route = party.through(LinkQuality(20, 5, 0.02))
    guest = party.join()
    party.wait_for(host, "player 2 joined")
    party.wait_for(guest, "you are player 2")
    route.cut = True
    party.wait_for(host, "player 2 left")
    time.sleep(seconds)
    route.cut = False
    party.wait_for(host, "player 2 joined")
    assert_equal(party.outcomes())


@pytest.mark.slow
def test_a_host_that_is_interrupted(party: Party) -> None:
    """When the host is ended by Ctrl+C, a guest ends with code 1, and says that the game ended."""
    host = party.host()
    guest = party.join()
    party.wait_for(guest, "you are player 2")
    host.send_signal(signal.SIGINT)
    outcome = outcome_of(guest)
    assert outcome.code == 1
    assert "the game ended" in outcome.errors
