"""The hooks of rish_net."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from rish_core import About, Stage, World, hookimpl, system

from .game import hooks
from .game.net import Net
from .game.prediction import Prediction
from .game.seating import Autopilots, Joined, Left, Seats, fly, seat_players
from .settings import NetSettings


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="games that several people play over a network")


def rish_hookspecs() -> list[ModuleType]:
    """Add the hook `rish_autopilot`."""
    return [hooks]


def rish_settings() -> type:
    """Return the class of `settings: net:`."""
    return NetSettings


def rish_resources() -> list[type]:
    """Return the session, the seats and who plays them, and the prediction of input."""
    return [Net, Seats, Autopilots, Prediction]


def rish_events() -> list[type]:
    """Return the events of players that come and go."""
    return [Joined, Left]


def rish_systems() -> list[Callable[..., None]]:
    """Return the systems that receive and send in each frame, seat the players, play for some, and show the lobby."""
    return [exchange, seat_players, fly, show_lobby]


def rish_ready(app: Any) -> None:
    """Use the autopilots of plugins; give a game in a window its lobby if rish-ui is installed."""
    app.world[Autopilots].of = list(app.registry.of("rish_autopilot").values())
    if app.windowed and find_spec("rish_ui") is not None:
        from .lobby.lobby import Lobby

        app.world[Net].lobby = Lobby(app)


def rish_reloaded(app: Any, plugins: tuple[str, ...]) -> None:
    """Use the autopilots of the plugins whose code was loaded again."""
    app.world[Autopilots].of = list(app.registry.of("rish_autopilot").values())


def rish_shutdown(world: Any) -> None:
    """End the session."""
    world[Net].close()


@hookimpl(optional=True)
def rish_editor_panels() -> list[type]:
    """Return the panel Network of the editor."""
    from .editing import PANELS

    return PANELS


@hookimpl(optional=True)
def rish_editor_texts() -> Path:
    """Return the folder with translations of the texts for the editor."""
    return Path(__file__).parent / "editing" / "texts"


@system(Stage.FIRST, name="exchange", reads=(), writes=())
def exchange(world: Any, dt: float) -> None:
    """The system `net.exchange`: receive and send in each frame."""
    world[Net].exchange(world)


@system(Stage.EXTRACT, name="lobby", writes=World, events=(), before="render.extract")
def show_lobby(world: Any, dt: float) -> None:
    """The system `net.lobby`: bring the lobby and the chat up to date."""
    lobby = world[Net].lobby
    if lobby is not None:
        lobby.show()
