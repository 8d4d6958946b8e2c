"""The kernel's own errors; their base class and the other errors are in `rish_jit.errors`."""

from __future__ import annotations

from collections.abc import Iterable

from rish_ecs import Place, Problem, RishError, add_engine

add_engine("rish_core")


class ScheduleError(RishError):
    """Systems whose order can't be satisfied."""


class PluginError(RishError):
    """A plugin that is missing, conflicts with another, fails to load or breaks the rules."""


class AssetError(RishError):
    """A file that is missing, unreadable, outside the game's folder or not of the format that its suffix says."""


class ManifestError(RishError):
    """All mistakes of a manifest, sorted by place."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = sorted(problems)
        count = len(self.problems)
        head = f"{count} mistake{'s' if count != 1 else ''} in the manifest"
        super().__init__("\n".join([head, *(str(problem) for problem in self.problems)]))

    @property
    def place(self) -> Place | None:
        """The place of the first mistake."""
        return self.problems[0].place if self.problems else None
