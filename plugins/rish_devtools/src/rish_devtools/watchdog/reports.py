"""Reports of the watchdog, and the resource that keeps them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from rish_core import Place, RishError, resource

if TYPE_CHECKING:
    from .watching import Watching

Kind = Literal["budget", "hang", "flood", "leak", "failure"]


class WatchdogError(RishError):
    """Raised for a report with policy `raise`, after the frame in which it was made."""


class CallStopped(RishError):
    """Raised in place of a call of a system or hook that was interrupted, because it did not return."""


@dataclass(eq=False)
class Report:
    """Something that a plugin does wrong.

    what: the system, the hook, or what grows. place: the line to look at, None if unknown. text: a sentence. frame: the
    frame in which it was found. milliseconds: of the call, or the median of a frame; None if it is not about time.
    count: how often a failure occurred, how many lines were dropped, or how much was added. over: it was found to have
    ended.
    """

    kind: Kind
    plugin: str
    what: str
    place: Place | None
    text: str
    frame: int = 0
    milliseconds: float | None = None
    count: int = 1
    over: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place is not None else self.text


@resource(derived=True)
class Watchdog:
    """What the watchdog found: `world[Watchdog].reports`, in the order in which it was found."""

    def __post_init__(self) -> None:
        """Begin without reports."""
        self.reports: list[Report] = []
        self.failures: Counter[str] = Counter()
        """How often a system or hook of a plugin raised."""
        self._watching: Watching | None = None

    def rebuild(self, world: Any) -> None:
        """Does nothing after a restore, because reports are not state."""

    def begin(self, watching: Watching) -> None:
        """Begin to watch a game; called by the plugin."""
        self._watching = watching
        watching.begin()

    def look(self) -> None:
        """Look at the game; called by the plugin once in each frame. Raises WatchdogError by policy."""
        if self._watching is not None:
            self._watching.look()

    def check_leaks(self) -> None:
        """Look now at what grows, without waiting for the interval; for tests. `leak` must not be `off`."""
        if self._watching is not None:
            self._watching.check_leaks()

    def times(self) -> list[tuple[str, float, float]]:
        """Return for each plugin its median milliseconds per frame, and its budget (0: none), the slowest first."""
        return self._watching.budgets.times() if self._watching is not None else []

    def renew(self) -> None:
        """Look again for the files of plugins; called by the plugin after a reload."""
        if self._watching is not None:
            self._watching.owners.renew()

    def failed(self, system: str, error: BaseException) -> str | None:
        """Count a failure of a system; return a policy for errors of the watchdog itself, otherwise None."""
        return self._watching.system_failed(system, error) if self._watching is not None else None

    def end(self) -> None:
        """Stop watching and print the summary; called by the plugin."""
        watching, self._watching = self._watching, None
        if watching is not None:
            watching.end()
