"""The interface of the history for a game's code: `world[History]`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rish_core import InputRecord, UsageError, resource

from .rewind import Rewinder
from .timeline import Timeline


@resource(derived=True)
class History:
    """The recorded past of this game. It is not state, and a game's state must not depend on it.

    world[History].seek(tick) goes back; `hold(True)` rewinds until `hold(False)`, like a held key; `branch(tick)`
    simulates an alternative from a past tick. `kept` is False if nothing is recorded (`budget_mb: 0`).
    """

    def __post_init__(self) -> None:
        """Start without a timeline; `attach` makes one."""
        self._timeline: Timeline | None = None
        self._rewinder: Rewinder | None = None
        self.suspended = False

    def attach(self, timeline: Timeline, rewinder: Rewinder) -> None:
        """Use a timeline and a rewinder from now on."""
        self._timeline, self._rewinder = timeline, rewinder

    @property
    def kept(self) -> bool:
        """Whether past ticks are recorded."""
        return self._timeline is not None

    @property
    def timeline(self) -> Timeline:
        """The timeline. Raises UsageError if nothing is recorded."""
        if self._timeline is None:
            raise UsageError("nothing is kept of the past", hint="settings: history: budget_mb: 16")
        return self._timeline

    @property
    def oldest(self) -> int:
        """The first tick that can be reached."""
        return self.timeline.oldest

    @property
    def newest(self) -> int:
        """The last tick that can be reached.

        After a seek it is later than the World's tick, until the game continues.
        """
        return self.timeline.newest

    @property
    def nbytes(self) -> int:
        """The memory used by the history in bytes."""
        return self.timeline.nbytes

    @property
    def rewinding(self) -> bool:
        """Whether the game is rewinding now; for display only."""
        return self._rewinder is not None and self._rewinder.rewinding

    def hold(self, held: bool = True) -> None:
        """Rewind from the next tick on, as if a key were held, or stop rewinding."""
        if self._rewinder is not None:
            self._rewinder.held = held

    def rewind(self, tick: int) -> None:
        """Rewind from the next tick on until the given tick or the oldest one is reached.

        If the game was paused at the tick, it is rewound to the last tick before that pause.
        """
        if self._rewinder is not None:
            self._rewinder.until = tick

    def forget(self) -> None:
        """Discard all earlier ticks; they can no longer be restored."""
        if self._timeline is not None:
            self._timeline.forget()

    def undo(self, tick: int) -> None:
        """Discard what is kept after a tick, to which the caller has set the World, because other ticks follow."""
        if self._timeline is not None:
            self._timeline.undo(tick)

    def add(self, record: InputRecord) -> None:
        """Add a tick that `App.simulate` ran: a tool went on in the game without calling the hooks of ticks."""
        if self._timeline is not None:
            self._timeline.after_tick(record, 0.0)

    def suspend(self) -> None:
        """Disable seek and rewind: a recording is played, whose segments contain the rewinds already."""
        self.suspended = True
        if self._rewinder is not None:
            self._rewinder.suspended = True

    def seek(self, tick: int) -> None:
        """Restore the world's state at a tick; inside a stage this happens at the next border.

        Raises UsageError for a tick that can't be reached; inside a stage it is raised at the border.
        """
        timeline = self.timeline
        if self.suspended:
            return
        if timeline.world.stage is None:
            timeline.seek(tick)
        else:
            timeline.world.defer(lambda world: timeline.seek(tick))

    @contextmanager
    def branch(self, tick: int) -> Iterator[Any]:
        """Set the game to a tick within the block, and restore its state afterwards.

        Within the block `app.simulate(record)` advances the game.
        """
        with self.timeline.branch(tick) as app:
            yield app
