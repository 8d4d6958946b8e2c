"""The scenes of an edited game: one is shown, the others keep their unsaved edits and their histories."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rish_authoring import Entry, History
from rish_core import Scenes

if TYPE_CHECKING:
    from rish_ecs import Snapshot

    from .game import Game


@dataclass
class _Parked:
    """A scene that is not shown. state: of its World. saved: its last saved step, see `Game.saved`."""

    state: Snapshot
    history: History
    selected: list[int]
    saved: Entry | None
    recovered: bool

    @property
    def dirty(self) -> bool:
        return self.recovered or (self.history.done[-1] if self.history.done else None) is not self.saved


class GameScenes:
    """The scenes of a game. Only between two ticks, and not while the game is played."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._parked: dict[str, _Parked] = {}

    @property
    def current(self) -> str:
        """The name of the scene that is shown."""
        return self._game.world[Scenes].current

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all scenes."""
        return self._game.world[Scenes].names

    @property
    def unsaved(self) -> list[str]:
        """The scenes with edits that are not saved."""
        here = [self.current] if self._game.edited_here else []
        return here + [name for name, parked in self._parked.items() if parked.dirty]

    def open(self, name: str) -> None:
        """Show another scene; the edits of this one are kept. Raises UnknownName."""
        game = self._game
        if name == self.current:
            return
        names, former = self.names, self.current
        game.history.take_outside()
        parked = _Parked(game.world.snapshot(), game.history, game.selection.handles, game.saved, game.recovered)
        found = self._parked.get(name)
        if found is None:
            game.world[Scenes].go(name)
            game.app.border()
            game.begin_history()
        else:
            game.world.restore(found.state)
            game.world[Scenes].names = names
            game.history, game.saved, game.recovered = found.history, found.saved, found.recovered
            game.selection.set(found.selected)
            game.app.refresh()
        self._parked.pop(name, None)
        self._parked[former] = parked

    def restart(self) -> None:
        """Spawn the scene that is shown anew from its text; its history begins again."""
        game = self._game
        game.world[Scenes].restart()
        game.app.border()
        game.begin_history()

    def forget(self) -> None:
        """Forget the edits of the scenes that are not shown."""
        self._parked.clear()

    def states(self) -> dict[str, Snapshot]:
        """Return the states of all scenes that were shown, by name; that of the shown one is copied now."""
        return {self.current: self._game.edited_state(), **{name: parked.state for name, parked in self._parked.items()}}

    def edited_states(self) -> dict[str, Snapshot]:
        """Return the states of the scenes with edits that are not saved."""
        unsaved = set(self.unsaved)
        return {name: state for name, state in self.states().items() if name in unsaved}
