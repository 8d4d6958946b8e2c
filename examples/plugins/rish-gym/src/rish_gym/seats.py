"""A seat: the observations, actions and rewards of one player of a game."""

from __future__ import annotations

from rish_core import App, Input

from .actions import Controls
from .observations import Observer, default_parts
from .rewards import Rewards
from .task import PlayerTask, Text


class Seat:
    """The seat of a player. task: its task. number: of the player, from 1, which expressions know as `player`."""

    def __init__(self, app: App, task: PlayerTask, number: int) -> None:
        self.number = number
        self._names = {"player": number}
        parts = task.observation if task.observation is not None else default_parts(app)
        self.observer = Observer(app, parts, self._names)
        at = Text("", app.manifest.document.place("input"), "input")
        self.controls = Controls(task.action, app.world[Input], number, at)
        self.rewards = Rewards(app.world, task.reward, self._names)
        self._end = task.end
        self._over = task.end.bind(app.world, {"player": "number"}) if task.end is not None else None
        self.over = False

    def begin(self) -> None:
        """Begin an episode."""
        self.over = False
        self.controls.release()
        self.rewards.begin()

    def ended(self) -> bool:
        """Whether the episode has ended for this player; an end is final."""
        if not self.over and self._end is not None and self._over is not None:
            self.over = bool(self._end.number(self._over, self._names))
        return self.over
