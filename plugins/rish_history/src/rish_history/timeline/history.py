"""What a game's code asks of the past: `world[History]`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rish_core import UsageError, resource

from .rewind import Rewinder
from .timeline import Timeline


@resource(derived=True)
class History:
    """The past of this game, as far as it is kept. No state, and nothing that a game's own state may depend on.

    world[History].seek(tick) goes back; `hold(True)` rewinds until `hold(False)`, as a held key does; `branch(tick)`
    tries what would have been. `kept` is False where nothing is kept (`budget_mb: 0`).
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
        """Whether the past is kept at all."""
        return self._timeline is not None

    @property
    def timeline(self) -> Timeline:
        """The timeline itself. Raises UsageError where nothing is kept."""
        if self._timeline is None:
            raise UsageError("nothing is kept of the past", hint="settings: history: budget_mb: 16")
        return self._timeline

    @property
    def oldest(self) -> int:
        """The first tick in reach."""
        return self.timeline.oldest

    @property
    def newest(self) -> int:
        """The last tick in reach; later than the world's after a seek, until the game goes on."""
        return self.timeline.newest

    @property
    def nbytes(self) -> int:
        """Bytes of memory that the past takes."""
        return self.timeline.nbytes

    @property
    def rewinding(self) -> bool:
        """Whether time runs backwards just now; for what is shown."""
        return self._rewinder is not None and self._rewinder.rewinding

    def hold(self, held: bool = True) -> None:
        """Rewind from the next tick on, as if a key were held, or go on."""
        if self._rewinder is not None:
            self._rewinder.held = held

    def rewind(self, tick: int) -> None:
        """Rewind from the next tick on until that tick is reached, or the oldest."""
        if self._rewinder is not None:
            self._rewinder.until = tick

    def forget(self) -> None:
        """Drop all earlier ticks: nothing before this moment can be restored."""
        if self._timeline is not None:
            self._timeline.forget()

    def suspend(self) -> None:
        """Leave the past alone from now on: a recording is played, which knows itself where time went back."""
        self.suspended = True
        if self._rewinder is not None:
            self._rewinder.suspended = True

    def seek(self, tick: int) -> None:
        """Make the world what it was at a tick; within a stage, at the next border.

        Raises UsageError for a tick that is out of reach, within a stage only at the border.
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
        """Within the block the game is at that tick; `app.simulate(record)` advances it. Then its state is restored."""
        with self.timeline.branch(tick) as app:
            yield app
