"""How long each line of the step takes.

Reading the clock costs more than some of the lines take, so it is read only where `wanted` is set.
"""

from __future__ import annotations

from time import perf_counter

from rish_core import World, resource


@resource(derived=True)
class Timings:
    """Seconds spent in each line of the step, summed since `clear`.

    wanted: whether to measure at all. seconds: by name of the line, in the order of the step. steps: how many were
    summed.
    """

    def __post_init__(self) -> None:
        self.wanted = False
        self.clear()

    def rebuild(self, world: World) -> None:
        """Begin again after a restore."""
        self.clear()

    def clear(self) -> None:
        """Forget what was measured."""
        self.seconds: dict[str, float] = {}
        self.steps = 0
        self._since = 0.0

    def start(self) -> None:
        """A step begins."""
        if self.wanted:
            self.steps += 1
            self._since = perf_counter()

    def resume(self) -> None:
        """Measure what is done outside the step itself."""
        if self.wanted:
            self._since = perf_counter()

    def lap(self, name: str) -> None:
        """A line of the step has ended; what passed since the one before is its time."""
        if self.wanted:
            now = perf_counter()
            self.seconds[name] = self.seconds.get(name, 0.0) + now - self._since
            self._since = now
