"""A host that goes on from another state: a rewind, a loaded game."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from net_two import link, play

from rish_core import Input, InputRecord, Interventions, PendingInput, WindowEvent, open_game
from rish_history import History, RandomPlayer
from rish_net.game.net import Net
from rish_net.game.prediction import Prediction
from rish_net.game.seating import Seats

TOY = """
rish: 1
game: {title: Two}
plugins: [net, history, rules]
input:
  rewind: [R]
  players: [{left: [A], right: [D]}, {left: [LEFT], right: [RIGHT]}]
variables: {first: 0, second: 0}
scene: play
scenes: {play: [{name: thing, Transform: {}}]}
on:
  tick:
    - {add: {first: 'axis("left", "right", 1)', second: 'axis("left", "right", 2)'}}
"""

Opener = Callable[..., Any]


@pytest.fixture
def open_toy(tmp_path: Path) -> Iterator[Opener]:
    """A function that opens the game, with a random player, who must not rewind, if there is a seed."""
    (tmp_path / "game.yaml").write_text(TOY)
    apps: list[Any] = []

    def open_one(seed: int | None = None, *overrides: str) -> Any:
        without_keys = ["settings.history.rewind=no_action"] if seed is not None else []
        app = open_game(tmp_path, [*overrides, *without_keys], headless=True)
        if seed is not None:
            RandomPlayer(app, seed).take_over()
        apps.append(app)
        return app

    yield open_one
    for app in apps:
        app.close()


def press(app: Any, key: str, down: bool = True) -> None:
    """Press a key in a game's window."""
    app.world[PendingInput].send(WindowEvent("key", key, down))


def same(host: Any, guest: Any) -> None:
    """Play until both are at the same final tick, and compare."""
    play([host, guest], 80, until=host.world.tick + 30)
    assert host.world.tick == guest.world.tick
    assert host.world.hash() == guest.world.hash()


def test_before_a_guest_came_it_has_no_seat(open_toy: Opener) -> None:
    """A guest that joined after the tick to which the host goes back gets a seat again."""
    host, guest = open_toy(1), open_toy(2)
    link(host, guest)
    host.world[History].rewind(8)
    opened: list[list[int]] = []
    for _ in range(75):
        play([host, guest], 1)
        opened.append(host.world[Seats].open)
    assert [1] in opened
    assert guest.world[Seats].open == host.world[Seats].open == [1, 2]
    same(host, guest)


def test_a_key_that_is_held_is_held_after_going_back(open_toy: Opener) -> None:
    """Keys that a guest holds, or has released since then, are right in the state of the older tick."""
    host, guest = open_toy(), open_toy()
    link(host, guest)
    press(guest, "LEFT")
    play([host, guest], 20)
    press(guest, "LEFT", False)
    press(guest, "RIGHT")
    play([host, guest], 20)
    host.world[History].rewind(host.world.tick - 30)
    play([host, guest], 60)
    held = host.world[Input].devices.held[2]
    assert held == {"RIGHT": 1.0}
    same(host, guest)


@pytest.mark.parametrize("rewind", ["host", "nobody"])
def test_only_the_host_may_rewind(open_toy: Opener, rewind: str) -> None:
    """A guest's key of rewind does nothing; that of the host neither, if the settings say so."""
    host, guest = open_toy(None, f"settings.net.rewind={rewind}"), open_toy(None, f"settings.net.rewind={rewind}")
    link(host, guest)
    tick = guest.world.tick
    press(guest, "R")
    play([host, guest], 5)
    assert guest.world.tick == tick + 5
    press(host, "R")
    play([host, guest], 10)
    assert (host.world.tick < tick + 15) == (rewind == "host")


def test_what_the_host_changes_between_two_ticks_is_sent(open_toy: Opener) -> None:
    """A change of the host's state that is no input, such as an edit, reaches the guests."""
    host, guest = open_toy(1), open_toy(2)
    link(host, guest)
    table = host.world.table(next(cls for cls in host.world.tables if cls.__name__ == "Transform"))
    table.position[:, 1] += 5
    table.mark()
    host.world[Interventions].note("an edit")
    play([host, guest], 5)
    assert not host.world[Net].session.desyncs
    same(host, guest)
    assert (guest.world.table(type_of(guest)).position[:, 1] == 5).all()


def type_of(app: Any) -> type:
    """Return the component Transform of a game."""
    return next(cls for cls in app.world.tables if cls.__name__ == "Transform")


def test_the_history_of_a_corrected_game_is_right(open_toy: Opener) -> None:
    """After ticks ran again with other input, a look at the past shows the states of the corrected game."""
    host, guest = open_toy(1), open_toy(2)
    link(host, guest, loss=0.3)
    hashes: dict[int, int] = {}
    for _ in range(100):
        play([host, guest], 1)
        hashes |= host.world[Net].session.rollback.hashes
    assert host.world[Net].session.rollback.times > 3
    for tick in [tick for tick in hashes if tick >= 60]:
        with host.world[History].branch(tick) as app:
            assert int(app.world.hash()[:16], 16) == hashes[tick]


def test_lockstep_by_the_settings(open_toy: Opener) -> None:
    """With `mode: lockstep` no tick runs twice."""
    host, guest = open_toy(1, "settings.net.mode=lockstep"), open_toy(2, "settings.net.mode=lockstep")
    link(host, guest, loss=0.1, frames=100)
    assert guest.world[Seats].open == [1, 2]
    assert host.world[Net].session.rollback.times == guest.world[Net].session.rollback.times == 0
    same(host, guest)


@pytest.mark.parametrize(
    ("function", "message"),
    [(lambda seat, tick, last: 1 / 0, "division by zero"), (lambda seat, tick, last: None, "not NoneType")],
)
def test_a_prediction_that_fails_is_named_once(
    open_toy: Opener, caplog: pytest.LogCaptureFixture, function: Any, message: str
) -> None:
    """A function that raises, or returns no input, is logged with its place and not called again; the game goes on."""
    host, guest = open_toy(1), open_toy(2)
    host.world[Prediction].function = function
    link(host, guest)
    same(host, guest)
    assert caplog.text.count("the prediction of input is not used any more") == 1
    assert message in caplog.text
    assert "test_going_back.py:" in caplog.text


def test_a_prediction_of_the_game_is_used(open_toy: Opener) -> None:
    """The function gets the seat of the others, and what it returns counts until the input arrives."""
    host, guest = open_toy(), open_toy()
    seats: set[int] = set()

    def holds_a_key(seat: int, tick: int, last: InputRecord) -> InputRecord:
        seats.add(seat)
        return InputRecord((WindowEvent("key", "LEFT", True),))

    host.world[Prediction].function = holds_a_key
    link(host, guest)
    play([host], 3)
    assert seats == {2}
    assert host.world[Input].devices.held[2] == {"LEFT": 1.0}
    same(host, guest)


@pytest.mark.slow
def test_the_game_rewind_is_rewound_for_two() -> None:
    """In games/rewind the host holds its key while a guest plays: both go back, and play the same game after it."""
    folder = Path(__file__).parents[3] / "games/rewind"
    with (
        open_game(folder, headless=True, more=["net"]) as host,
        open_game(folder, headless=True, more=["net"]) as guest,
    ):
        link(host, guest)
        press(guest, "RIGHT")
        play([host, guest], 30)
        before = host.world.tick
        press(host, "R")
        play([host, guest], 10)
        press(host, "R", False)
        play([host, guest], 10)
        assert host.world.tick < before
        assert abs(host.world.tick - guest.world.tick) <= 3
        assert host.world[Input].devices.held[2] == {"RIGHT": 1.0}
        assert guest.world[Net].session.seat == 2
        same(host, guest)
