"""Keys that operate the window and not the game, unless an action of the game uses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, cast

from rish_core import Input, WindowEvent

from ..settings import FrameSettings
from .requests import DeviceRequests

if TYPE_CHECKING:
    from rish_core import App, World

    from ..backend import Backend


class WindowKey:
    """A key of the window. Subclasses define which key it is, and what it does."""

    def __init__(self, app: App) -> None:
        self._app = app

    @property
    def wish(self) -> str:
        """The name of the key in the settings; "" for none."""
        return ""

    def act(self) -> None:
        """Do the action of the key."""

    @property
    def key(self) -> str:
        """The name of the key; "" if there is none, or if an action of the game uses it."""
        wish = self.wish
        return "" if not wish or is_used(self._app.world, wish) else wish

    def taken_from(self, events: list[WindowEvent]) -> list[WindowEvent]:
        """Return the events without those of the key; call `act` if the key goes down in one of them."""
        if not any(event.kind == "key" for event in events):
            return events
        key = self.key
        presses = [event for event in events if event.kind == "key" and event.name == key] if key else []
        if any(event.down for event in presses):
            self.act()
        return [event for event in events if event not in presses]


class Window(Protocol):
    """The host, as far as the key for the full screen needs it."""

    @property
    def backend(self) -> Backend:
        """The backend in use."""
        ...

    @property
    def fills_screen(self) -> bool:
        """Whether the window fills the screen."""
        ...


class FullscreenKey(WindowKey):
    """The key that lets the window fill the screen, `settings: frame: fullscreen_key:`. The game does not get its
    events."""

    def __init__(self, app: App, window: Window) -> None:
        super().__init__(app)
        self._window = window

    @property
    def wish(self) -> str:
        """The name of the key in the settings; "" for a backend whose window can't fill the screen."""
        able = {"window", "fullscreen"} <= self._window.backend.capabilities
        return str(self._app.world[FrameSettings].fullscreen_key) if able else ""

    def act(self) -> None:
        """Ask for the other state of the window."""
        self._app.world[DeviceRequests].fullscreen(not self._window.fills_screen)


def is_used(world: World, key: str) -> bool:
    """Return True if an action of the game, or of a player, uses the key."""
    keys = cast("Input", world[Input])
    return any(key in key_names for each in (keys, *keys.players) for key_names in each.actions.values())
