"""The running game as a `Game` for panels, without a copy of the World that is restored later."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from rish_authoring import History
from rish_core import App

from ..session.game.game import Game
from ..session.game.play import PlayState


class LiveGame(Game):
    """A game that runs in its own window. Edits change the run; undo restores the former values of fields."""

    def __init__(self, app: App) -> None:
        nothing: Any = None  # the game draws itself, so there is no surface
        super().__init__(app, nothing)
        self.play.state = PlayState.PLAYING

    def begin_history(self, *, recovered: bool = False) -> None:
        """Do nothing, because the changes of a refresh would be missing from a recording."""
        self.saved, self.recovered, self._dropped = None, recovered, False

    @property
    def dirty(self) -> bool:
        """False: nothing of a run is saved."""
        return False

    @cached_property
    def history(self) -> History:  # pyright: ignore[reportIncompatibleVariableOverride]
        """An empty history: steps are not recorded while a game runs."""
        return History(self.world)
