"""The running game as the panels see it: nothing is copied, and nothing is restored."""

from __future__ import annotations

from functools import cached_property

from rish_authoring import History
from rish_core import App

from ..session.game import Game
from ..session.play import Play, PlayState
from ..session.selection import Selection


class LiveGame(Game):
    """A game in its own window, always in the state of playing. Edits change the run; undo takes back set fields."""

    def __init__(self, app: App) -> None:
        self.app = app
        self.selection = Selection()
        self.play = Play(self, PlayState.PLAYING)
        self.saved = None

    @cached_property
    def history(self) -> History:  # pyright: ignore[reportIncompatibleVariableOverride]
        """An empty history: steps are not recorded while a game runs."""
        return History(self.world)
