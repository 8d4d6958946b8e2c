"""`Preferences`: the choices of a player for this game on this computer.

It is no state of the game. In a window it is read from the player's file when the game begins; a game without a window
does not read it, so that its hashes are the same on every machine. Volumes, language, theme and the window are view and
change at once. Keys of actions are state of `Input`: they change between two ticks and are recorded in `Interventions`,
so that a recording contains them.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import Input, InputRecord, Interventions, TickHooks
from rish_ecs import Stage, World, resource, system
from rish_frame import DeviceRequests
from rish_system import config_folder, folder_name

from .bindings import Defaults, bring, checked_keys, conflicts_of
from .files import NAME, Content, keep_copy, read_file, write_file
from .values import apply, checked, present, value_of

if TYPE_CHECKING:
    from rish_core import App

_log = logging.getLogger("rish.ui")
_WRITE_INTERVAL = 1.0
"""Seconds between two writings of the file."""


@resource(derived=True)
class Preferences:
    """The preferences of the person who plays; `world[Preferences].set("volume.music", 0.5)`.

    path: of the file, `FOLDER/ID/preferences.yaml` with the id or title of the game; None if nothing is stored, as
    without a window. unsaved: whether something changed since the file was written.
    """

    path: Path | None = None
    unsaved: bool = False

    def __post_init__(self) -> None:
        """Start with nothing chosen."""
        self._chosen = Content()
        self._before: dict[str, Any] = {}
        self._usual = Defaults({}, ())
        self._back: dict[tuple[int, str], list[str]] = {}
        self._world: World | None = None
        self._filled: bool | None = None
        self._asked: bool | None = None
        self._in_tick = False
        self._wait = 0.0

    def rebuild(self, world: World) -> None:
        """Apply the chosen values again after a restore, which brings older values back."""
        self._world = world
        for name, value in self._chosen.values.items():
            if name != "fullscreen":
                apply(world, name, value)

    # Reading and changing

    def get(self, name: str) -> Any:
        """Return a preference, or the game's present value if nothing is chosen. Raises UnknownName.

        The names are `language theme text_scale reduced_motion fullscreen` and `volume.BUS`.
        """
        value_of(name)
        values = self._chosen.values
        return values[name] if name in values else present(self._of_game(), name)

    def set(self, name: str, value: Any) -> None:
        """Choose a value; it applies at once. Raises UnknownName for the name, UsageError for the value."""
        new_value, world = checked(name, value), self._of_game()
        if self._is_past():
            return
        self._before.setdefault(name, present(world, name))
        self._chosen.values[name] = new_value
        self._apply(name, new_value)
        self._changed()

    @property
    def players(self) -> int:
        """The number of players with actions of their own."""
        return len(self._usual.players)

    def keys(self, action: str, player: int = 0) -> list[str]:
        """Return the keys of an action: the chosen ones, otherwise those of the manifest. Raises UnknownName.

        player: 0 for the actions that all players share, otherwise the number of a player, from 1.
        """
        usual, number = self._usual.keys(player, action), self._usual.number(player)
        bindings = self._chosen.keys
        return [
            *bindings.get((number, action), bindings.get((0, action), usual) if self._shares(number, action) else usual)
        ]

    def bind(self, action: str, keys: Iterable[str], player: int = 0) -> None:
        """Choose the keys of an action, from the next tick on. Raises UnknownName and UsageError.

        keys: names such as SPACE, mouse.left and gamepad.a; none: the action has no key. player: as for `keys`.
        """
        names = checked_keys(keys)
        self._usual.keys(player, action)
        if self._is_past():
            return
        binding = self._usual.number(player), action
        self._chosen.keys[binding] = names
        self._back.pop(binding, None)
        self._changed()

    def actions(self, player: int = 0) -> dict[str, list[str]]:
        """Return all actions of a player with their keys, as `keys` does. Raises UnknownName."""
        return {action: self.keys(action, player) for action in self._usual.of(player)}

    def conflicts(self, player: int = 0) -> dict[str, list[str]]:
        """Return the keys that several actions of a player have, with these actions; for menus, to show them.

        Actions that have a key in common by the manifest may have keys in common. Raises UnknownName.
        """
        return conflicts_of(self.actions(player), self._usual.of(player))

    def reset(self, name: str = "") -> None:
        """Forget choices, so that the game has its own values again. Raises UnknownName.

        name: of one preference; "": all, and the keys of actions.
        """
        names = [*self._chosen.values] if not name else [name]
        for each in names:
            value_of(each)
        if self._is_past():
            return
        for each in names:
            if self._chosen.values.pop(each, None) is not None:
                self._apply(each, self._before[each])
        if not name:
            self.reset_keys()
        self._changed()

    def reset_keys(self) -> None:
        """Forget the chosen keys, so that all actions have those of the game again."""
        if self._is_past():
            return
        bindings = [binding for binding in self._chosen.keys if self._usual.has(*binding)]
        self._back |= {binding: self._usual.keys(*binding) for binding in bindings}
        self._chosen.keys.clear()
        self._changed()

    # The file

    def save(self) -> bool:
        """Write the file now; return whether it is written. A failure is logged, and tried again a second later."""
        if self.path is None:
            return False
        self._wait = time.monotonic() + _WRITE_INTERVAL
        try:
            write_file(self.path, self._chosen)
        except OSError as error:
            _log.error("the preferences can't be written to %s: %s", self.path, error.strerror or error)
            return False
        self.unsaved = False
        return True

    def look(self, world: World) -> None:
        """Write the file if something changed, at most once a second; called after each frame."""
        filled = world[DeviceRequests].is_fullscreen
        before, self._filled = self._filled, filled
        if before is not None and before != filled and filled != self._asked:  # the key for it was pressed
            self._before.setdefault("fullscreen", before)
            self._chosen.values["fullscreen"] = filled
            self._changed()
        self._asked = None if before != filled else self._asked
        if self.unsaved and time.monotonic() >= self._wait:
            self.save()

    def close(self) -> None:
        """Write the file a last time, if something changed, and remove the hook of ticks."""
        if self._world is not None:
            hooks: TickHooks = self._world[TickHooks]
            hooks.before[:] = [each for each in hooks.before if each != self._before_tick]
            hooks.after[:] = [each for each in hooks.after if each != self._after_tick]
        if self.unsaved and not self.save():
            _log.error("the last changes of the preferences are lost")

    # Internal

    def attach(self, app: App) -> None:
        """Use this game: store its own keys and, in a window, read the file and apply it."""
        world: World = app.world
        self._world = world
        self._usual = Defaults(*app.manifest.actions())
        hooks: TickHooks = world[TickHooks]
        hooks.before.append(self._before_tick)
        hooks.after.append(self._after_tick)
        if app.personal:
            self.path = config_folder() / folder_name(app.manifest.identity) / NAME
            self._read(world)

    def _read(self, world: World) -> None:
        assert self.path is not None
        try:
            self._chosen, problems = read_file(self.path)
            for problem in problems:
                _log.warning("%s; it is left out", problem)
            if problems:
                _log.warning("the file as it was is kept in %s", keep_copy(self.path))
        except OSError as error:
            _log.warning("the preferences in %s can't be read: %s", self.path, error.strerror or error)
        for name, value in self._chosen.values.items():
            self._before[name] = present(world, name)
            self._apply(name, value)

    def _apply(self, name: str, value: Any) -> None:
        apply(self._of_game(), name, value)
        if name == "fullscreen":
            self._asked = value

    def _before_tick(self, world: World, record: InputRecord) -> InputRecord:
        """Set the chosen keys of actions between two ticks, and record the change; a replay has the recorded keys."""
        self._in_tick = True
        chosen = self._chosen.keys
        if (chosen or self._back) and not world[TickHooks].replaying:
            existing = {binding: keys for binding, keys in chosen.items() if self._usual.has(*binding)}
            if bring(world[Input], self._back | existing):
                world[Interventions].note("keys that the player chose")
        return record

    def _after_tick(self, world: World, record: InputRecord) -> None:
        self._in_tick = False

    def _is_past(self) -> bool:
        """Return True while ticks are simulated again or a recording is played; then the player's choices have no
        effect."""
        world = self._of_game()
        return world[TickHooks].replaying or (world[Input].open and not self._in_tick)

    def _shares(self, player: int, action: str) -> bool:
        """Return True unless the manifest gives the action keys for that player alone."""
        return player == 0 or action not in self._usual.players[player - 1]

    def _of_game(self) -> World:
        assert self._world is not None, "the plugin ui attaches the preferences when the game begins"
        return self._world

    def _changed(self) -> None:
        self.unsaved = self.path is not None


@system(Stage.LAST, view=True, writes=Preferences)
def keep_preferences(world: World, dt: float) -> None:
    """Write the file of preferences if they have changed (system `ui.keep_preferences`)."""
    world[Preferences].look(world)
