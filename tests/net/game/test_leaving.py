"""Players who leave and come back, and the seats that the game plays meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import Wire, play

from rish_core import Transform, open_game
from rish_net import Net, Seats
from rish_net.game.reservations import Reservations

GAME = """
rish: 1
plugins: [net, rules]
settings: {net: {left: LEFT}}
input:
  players: [{right: [D]}, {right: [RIGHT]}, {right: [E]}]
variables: {second: 0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick: [{add: {second: "1 if down(right, 2) else 0"}}, {set: {thing.Transform.position.x: second}}]
"""
PLUGIN = """
from rish_core import Input, hookimpl

def go_right(world, seat):
    world[Input].player(seat).press("right")

@hookimpl(optional=True)
def rish_autopilot():
    return go_right
"""
Opener = Callable[[str], Any]


@pytest.fixture
def open_one(tmp_path: Path) -> Iterator[Opener]:
    """A function that opens the game, with a value of the setting `left`."""
    apps: list[Any] = []

    def open_it(left: str) -> Any:
        (tmp_path / "game.yaml").write_text(GAME.replace("LEFT}}", f"{left}}}}}"))
        (tmp_path / "plugin.py").write_text(PLUGIN)
        apps.append(open_game(tmp_path, headless=True))
        return apps[-1]

    yield open_it
    for app in apps:
        app.close()


def enter(host: Any, app: Any, link: int, token: str = "") -> None:
    """Let a game join a host."""
    here, there = host.world[Net].traffic.transport, Wire()
    here.connect(there, link, 1)
    app.world[Net].join(app, there, "host", token)


def x_of(app: Any) -> float:
    """Return how far the thing was moved by player 2."""
    return float(app.world[Transform].position[0, 0])


@pytest.mark.slow
def test_hook_rish_autopilot(open_one: Opener) -> None:
    """The autopilot of the game plays the seat of who left, on all machines alike; its player gets the seat back, with
    no key down, although another one came in between.
    """
    host, second, third = (open_one("autopilot") for _ in range(3))
    host.world[Net].host(host, Wire())
    enter(host, second, 1)
    play([host, second], 25)
    token = second.world[Net].token
    second.world[Net].close()
    play([host], 20)
    enter(host, third, 2)
    play([host, third], 40)
    assert host.world[Seats].open == [1, 2, 3]
    assert host.world[Seats].away == [2]
    moved = x_of(host)
    assert moved > 20
    again = open_one("autopilot")
    enter(host, again, 3, token)
    play([host, third, again], 40)
    assert again.world[Net].session.seat == 2
    assert host.world[Seats].away == []
    stays = x_of(host)
    play([host, third, again], 100, until=host.world.tick + 30)
    assert x_of(host) == stays
    assert host.world.hash() == third.world.hash() == again.world.hash()


def test_a_seat_that_nobody_plays_is_closed(open_one: Opener) -> None:
    """With `leave`, which is the default, no autopilot plays."""
    host, second = open_one("leave"), open_one("leave")
    host.world[Net].host(host, Wire())
    enter(host, second, 1)
    play([host, second], 25)
    second.world[Net].leave()
    play([host, second], 20)
    assert host.world[Seats].open == [1]
    assert x_of(host) == 0
    assert second.world[Seats].open == []
    assert second.world.tick > 30


def test_names_and_colors_are_state(open_one: Opener) -> None:
    """All games have the names and colors of players in the same tick, as the host's commands."""
    host, second = open_one("leave"), open_one("leave")
    host.world[Net].host(host, Wire())
    host.world[Net].roster.profile.name = "Mia"
    enter(host, second, 1)
    second.world[Net].roster.profile.name = "Tom [x]"
    second.world[Net].roster.profile.color = 6
    play([host, second], 80, until=50)
    assert host.world[Seats].names == {1: "Mia", 2: "Tom (x)"}
    assert host.world[Seats].colors == {1: 0, 2: 6}
    assert host.world.hash() == second.world.hash()


def test_a_game_waits_in_the_lobby(open_one: Opener) -> None:
    """Until the host starts, no tick runs on any machine; guests have their seats and may chat."""
    host, second = open_one("leave"), open_one("leave")
    host.world[Net].host(host, Wire(), lobby=True)
    enter(host, second, 1)
    play([host, second], 30)
    assert host.world.tick == second.world.tick == 0
    assert second.world[Net].session.seat == 2
    second.world[Net].say("hello")
    play([host, second], 2)
    assert [line.text for line in second.world[Net].roster.chat] == ["hello"]
    second.world[Net].start()
    play([host, second], 5)
    assert host.world.tick == 0
    host.world[Net].start()
    play([host, second], 40, until=20)
    assert host.world.hash() == second.world.hash()
    assert host.world[Seats].open == [1, 2]


def test_a_token_is_of_one_player() -> None:
    """A seat is kept for its player while others are free, and a token in use gives nothing to a second guest."""
    reservations = Reservations()
    token = reservations.give(1, 2)
    reservations.enter(2, token)
    assert reservations.wishes(2)[0] == 1
    reservations.leave(1)
    assert reservations.wishes(3)[:3] == [1, 3, 4]
    assert reservations.wishes(3)[-1] == 2
    reservations.enter(3, token)
    assert reservations.wishes(3)[0] == 2
    assert reservations.give(3, 2) == token
    reservations.enter(4, "made up")
    assert reservations.wishes(4)[-1] == 2
