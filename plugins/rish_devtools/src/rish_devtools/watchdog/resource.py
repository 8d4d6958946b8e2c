"""The resource that keeps the reports, and through which the plugin's hooks reach the checks."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rish_core import resource

from .reports import Report

if TYPE_CHECKING:
    from .watching import Watching


@resource(derived=True)
class Watchdog:
    """The reports of the watchdog: `world[Watchdog].reports`, oldest first."""

    def __post_init__(self) -> None:
        """Begin without reports."""
        self.reports: list[Report] = []
        self.failures: Counter[str] = Counter()
        """The number of failures of systems and hooks, by plugin."""
        self._watching: Watching | None = None

    def begin(self, watching: Watching) -> None:
        """Begin to watch a game; called by the plugin."""
        self._watching = watching
        watching.begin()

    def look(self) -> None:
        """Check the game; called by the plugin once in each frame. Raises WatchdogError by policy."""
        if self._watching is not None:
            self._watching.look()

    def check_leaks(self) -> None:
        """Check growing data now, without waiting for the interval; for tests. `leak` must not be `off`."""
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
