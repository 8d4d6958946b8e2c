"""Changes of files as a part of a history: the set of present changes is a value that undo and redo restore."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from rish_core import UsageError

from ..undo.history import History
from .changing import FileChange

NAME = "renamed"
"""The name under which a history follows the changes."""
Plan = Callable[[], FileChange]
"""Plans a change again for the present files. Raises UsageError."""


@dataclass(frozen=True)
class Step:
    """A change of files.

    back, forth: plan the opposite and the same change again if files were changed; None: impossible.
    """

    change: FileChange
    back: Plan | None = None
    forth: Plan | None = None

    def next_change(self, made: bool) -> tuple[FileChange, bool]:
        """Return the change that makes or undoes the step, and whether to apply it (True) or to revert it (False).

        Raises UsageError if that is not possible.
        """
        try:
            self.change.require(made=not made)
        except UsageError:
            plan = self.forth if made else self.back
            if plan is None:
                raise
            change = plan()
            change.require()
            return change, True
        return self.change, made


class FileSteps:
    """The changes of files in a history. changed: called after each change, with whether it was made or undone."""

    def __init__(self, changed: Callable[[FileChange, bool], Any] = lambda change, made: None) -> None:
        self._steps: list[Step] = []
        self._made: tuple[int, ...] = ()
        self._changed = changed

    @property
    def made(self) -> tuple[int, ...]:
        """The numbers of the changes that are in effect; a new tuple after each change, undo and redo."""
        return self._made

    def follow(self, history: History) -> None:
        """Make the changes part of each step of a history. Call it before following texts that depend on the files."""
        history.follow(NAME, lambda: self._made, self.put)

    def make(self, change: FileChange, back: Plan | None = None, forth: Plan | None = None) -> None:
        """Make a change; within a group of the history it belongs to the step. Raises UsageError.

        back, forth: plan the opposite, and the same again, for files whose contents have changed since.
        """
        change.apply()
        self._steps.append(Step(change, back, forth))
        self._made = (*self._made, len(self._steps) - 1)
        self._changed(change, True)

    def put(self, made: tuple[int, ...]) -> None:
        """Undo and make changes until exactly these are in effect. made: their numbers. Raises UsageError."""
        for number in reversed([each for each in self._made if each not in made]):
            self._put(number, False)
        for number in [each for each in made if each not in self._made]:
            self._put(number, True)

    def require(self, made: tuple[int, ...]) -> None:
        """Raise UsageError if `put` could not begin, because files are in the way or are missing."""
        back = [each for each in self._made if each not in made]
        forth = [each for each in made if each not in self._made]
        if back or forth:
            self._steps[back[-1] if back else forth[0]].next_change(not back)

    def _put(self, number: int, made: bool) -> None:
        change, forward = self._steps[number].next_change(made)
        if forward:
            change.apply()
        else:
            change.revert()
        others = tuple(each for each in self._made if each != number)
        self._made = (*others, number) if made else others
        self._changed(change, forward)
