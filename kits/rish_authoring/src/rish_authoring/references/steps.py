"""The changes of files as a part of a history: those that are made now, as a value that undo and redo set."""

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
"""Plans a change anew for the files as they are now. Raises UsageError."""


@dataclass(frozen=True)
class Step:
    """A change of files. back, forth: plan it anew if files have other contents than before; None: they must not."""

    change: FileChange
    back: Plan | None = None
    forth: Plan | None = None

    def wanted(self, made: bool) -> tuple[FileChange, bool]:
        """Return the change to make (True) or to take back (False), so that the step is made or not.

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
    """The changes of files that were made in a history. changed: called with each change and whether it is now made."""

    def __init__(self, changed: Callable[[FileChange, bool], Any] = lambda change, made: None) -> None:
        self._steps: list[Step] = []
        self._made: tuple[int, ...] = ()
        self._changed = changed

    @property
    def made(self) -> tuple[int, ...]:
        """The numbers of the changes that are made now; another value after each change, undo and redo."""
        return self._made

    def follow(self, history: History) -> None:
        """Make the changes part of each step of a history; call it before texts are followed that need the files."""
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
        """Take back and make changes until exactly these are made. Raises UsageError."""
        for number in reversed([each for each in self._made if each not in made]):
            self._put(number, False)
        for number in [each for each in made if each not in self._made]:
            self._put(number, True)

    def require(self, made: tuple[int, ...]) -> None:
        """Raise UsageError if `put` could not begin, because files are in the way or are missing."""
        back = [each for each in self._made if each not in made]
        forth = [each for each in made if each not in self._made]
        if back or forth:
            self._steps[back[-1] if back else forth[0]].wanted(not back)

    def _put(self, number: int, made: bool) -> None:
        change, forward = self._steps[number].wanted(made)
        if forward:
            change.apply()
        else:
            change.revert()
        others = tuple(each for each in self._made if each != number)
        self._made = (*others, number) if made else others
        self._changed(change, forward)
