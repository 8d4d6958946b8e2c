"""The hooks of rish_net."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rish_core import About, Stage, system

from .game.net import Net
from .game.prediction import Prediction
from .game.seating import Joined, Left, Seats, seat_players
from .settings import NetSettings


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="games that several people play over a network")


def rish_settings() -> type:
    """Return the class of `settings: net:`."""
    return NetSettings


def rish_resources() -> list[type]:
    """Return the session, the seats, and the prediction of input."""
    return [Net, Seats, Prediction]


def rish_events() -> list[type]:
    """Return the events of players that come and go."""
    return [Joined, Left]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems: one receives and sends in each frame, one seats the players."""
    return [exchange, seat_players]


def rish_shutdown(world: Any) -> None:
    """End the session."""
    world[Net].close()


@system(Stage.FIRST, name="exchange", reads=(), writes=())
def exchange(world: Any, dt: float) -> None:
    """The system `net.exchange`: receive and send in each frame."""
    world[Net].exchange(world)
