"""Screens of rish-ui over a game that are no part of its state: they are in a World of their own.

The overlay gets the events of the window before the game, and its paintings are shown with those of the game.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import App, Assets, LayerStack, Name, Stage, Transform, WindowEvent, parse_manifest
from rish_frame import DeviceRequests, Frame, Paintings
from rish_ui import Locales, TextInput, UiSettings, UiState

from .acts import Act, Acts, LobbyParts

LAYER = "net.lobby"
"""The layer of the game's stack on which the overlay is drawn."""
_SCREENS = Path(__file__).parent / "screens.yaml"
_FITS = 720.0, 470.0
"""The size in units that a picture must have for the largest screen."""
_USUAL = 960.0, 540.0
"""The size in units of a picture in a game whose interface has no scale of its own."""


class _GameTypesetter:
    """Sets texts with the fonts of the game, so that its renderer can draw them."""

    def __init__(self, world: Any) -> None:
        self._world = world

    @property
    def _setter(self) -> Any:
        return self._world[Frame].typesetter

    def __getattr__(self, name: str) -> Any:
        return getattr(self._setter, name)

    def typeset(self, world: Any, text: str, look: Any) -> Any:
        """Set a text."""
        return self._setter.typeset(self._world, text, look)


class Overlay:
    """The World of the screens. game: that of the game. parts: `{"PARENT.NAME" or "NAME": entity}`."""

    def __init__(self, game: App, rows: dict[str, Callable[[Any], Any]]) -> None:
        manifest = parse_manifest(_SCREENS.read_text(encoding="utf-8"), file="screens.yaml")
        self._game = game.world
        plugin: Any = LobbyParts(rows)
        self.app = App(manifest, headless=True, extra={"lobby": plugin}, warm_up=False, watches=False, backend="null")
        self.world = self.app.world
        self.world[Assets].root = game.manifest.root  # themes and texts of the game; its code does not run here
        self.world[Frame].typesetter = _GameTypesetter(game.world)
        self.app.frame(draw=False)
        self._parts = self._named()
        self._shown: dict[tuple[str, type], dict[str, Any]] = {}
        self._opacities: dict[int, float] = {}

    def _named(self) -> dict[str, int]:
        world, parts = self.world, dict[str, int]()
        for entity in world.table(Name).entities.tolist():
            name, row = str(world.get(entity, Name).value), world.table(Transform).row_of(entity)
            parent = int(world.get(entity, Transform).parent) if row >= 0 else 0
            parts.setdefault(name, entity)
            if parent and world.table(Name).row_of(parent) >= 0:
                parts[f"{world.get(parent, Name).value}.{name}"] = entity
        return parts

    def put(self, part: str, cls: type, **values: Any) -> bool:
        """Set fields of a widget; return whether they are others than those that were put before."""
        before = self._shown.setdefault((part, cls), {})
        if all(before.get(name) == value for name, value in values.items()):
            return False
        before.update(values)
        entity = self._parts[part]
        if self.world.table(cls).row_of(entity) < 0:
            self.world.add(entity, cls(**values))
        else:
            self.world.set(entity, cls(**values))
        return True

    def write(self, part: str, text: str) -> None:
        """Replace the text of a TextInput."""
        self.world.set(self._parts[part], TextInput(text=text))

    def written(self, part: str) -> str:
        """Return the text of a TextInput."""
        return str(self.world.get(self._parts[part], TextInput).text)

    def fade(self, screen: str, opacity: float) -> None:
        """Show a screen with an opacity, 0..1."""
        self._opacities[self._parts[screen]] = opacity

    def scroll_to_end(self, part: str) -> None:
        """Scroll to the end of the content."""
        self.world[UiState].scroll.setdefault(self._parts[part], [0.0, 0.0])[1] = 1e9

    def focus(self, part: str) -> None:
        """Give a widget the focus."""
        self.world[UiState].focus[0] = self._parts[part]

    def text(self, key: str, **values: Any) -> str:
        """Return a text in the language of the player."""
        return str(self.world[Locales].text(self.world, key, values))

    def route(self, event: WindowEvent) -> bool:
        """Give the screens an event of the window; return whether it is used."""
        return bool(self.world[LayerStack].route(self.world, event, tools=True))

    def advance(self) -> list[Act]:
        """Run a tick of the screens; return what the player did."""
        self._follow_game()
        self.app.frame(draw=False)
        acts, self.world[Acts].done = self.world[Acts].done, []
        return acts

    def show(self) -> None:
        """Add the paintings of the screens to those of the game."""
        self.app.schedule.run(Stage.EXTRACT, self.world, 1 / 60)
        items = self._game[Paintings].items
        own = self.world[Paintings].items
        for name in [name for name in items if name.startswith(LAYER) and name.removeprefix(LAYER) not in own]:
            del items[name]
        for root in self.world[UiState].tree.roots:
            if root.name in own:
                own[root.name].opacity = self._opacities.get(root.entity, 1.0)
        for name, painting in own.items():
            painting.layer = LAYER
            items[LAYER + name] = painting
        wanted, have = self.world[DeviceRequests], self._game[DeviceRequests]
        if wanted.copied is not None:
            have.copied, wanted.copied = wanted.copied, None
        if wanted.pasting:
            have.pasting, wanted.pasting = True, False

    def hide(self) -> None:
        """Take the paintings away."""
        items = self._game[Paintings].items
        for name in [name for name in items if name.startswith(LAYER)]:
            del items[name]

    def paste(self) -> None:
        """Ask for the text of the clipboard; it comes as an event."""
        self._game[DeviceRequests].paste()

    def copy(self, text: str) -> None:
        """Put a text into the clipboard."""
        self._game[DeviceRequests].copy(text)

    def _follow_game(self) -> None:
        """Use the size of the game's picture, and theme, language and sizes of its interface."""
        frame, own, settings = self._game[Frame], self.world[Frame], self.world[UiSettings]
        own.fit, own.size = frame.fit, frame.size
        wide, high = frame.logical
        scale = min(wide / _USUAL[0], high / _USUAL[1])
        if UiSettings in self._game:
            theirs = self._game[UiSettings]
            scale = theirs.scale
            for name in ("theme", "language", "fallback", "locale", "text_scale", "reduced_motion"):
                if getattr(settings, name) != getattr(theirs, name):
                    setattr(settings, name, getattr(theirs, name))
        settings.scale = max(0.25, min(scale, wide / _FITS[0], high / _FITS[1]))

    def close(self) -> None:
        """Close the World of the screens."""
        self.hide()
        self.app.close()
