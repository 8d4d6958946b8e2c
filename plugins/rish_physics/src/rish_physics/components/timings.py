"""Measures how long each phase of the step takes.

Reading the clock takes longer than some of the phases, so the clock is read only if `wanted` is True.
"""

from __future__ import annotations

from time import perf_counter

from rish_core import World, resource


@resource(derived=True)
class Timings:
    """Seconds spent in each phase of the step, summed since `clear`.

    wanted: whether to measure. seconds: by name of the phase, in the order of the step. steps: the number of steps
    summed.
    """

    def __post_init__(self) -> None:
        self.wanted = False
        self.clear()

    def rebuild(self, world: World) -> None:
        """Reset after a restore."""
        self.clear()

    def clear(self) -> None:
        """Reset the measurements."""
        self.seconds: dict[str, float] = {}
        self.steps = 0
        self._since = 0.0

    def start(self) -> None:
        """Start measuring a step."""
        if self.wanted:
            self.steps += 1
        self.resume()

    def resume(self) -> None:
        """Restart the clock for work outside the step itself."""
        if self.wanted:
            self._since = perf_counter()

    def lap(self, name: str) -> None:
        """End a phase of the step, and add the time since the previous call to its sum."""
        if self.wanted:
            now = perf_counter()
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
            self._since = now
