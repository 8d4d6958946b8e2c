"""The changes of files as a part of a history: those that are made now, as a value that undo and redo set."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..undo.history import History
from .changing import FileChange

NAME = "renamed"
"""The name under which a history follows the changes."""


class FileSteps:
    """The changes of files that were made in a history. changed: called with each change and whether it is now made."""

    def __init__(self, changed: Callable[[FileChange, bool], Any] = lambda change, made: None) -> None:
        self._changes: list[FileChange] = []
        self._made: tuple[int, ...] = ()
        self._changed = changed

    @property
    def made(self) -> tuple[int, ...]:
        """The numbers of the changes that are made now; another value after each change, undo and redo."""
        return self._made

    def follow(self, history: History) -> None:
        """Make the changes part of each step of a history; call it before texts are followed that need the files."""
        history.follow(NAME, lambda: self._made, self.put)

    def make(self, change: FileChange) -> None:
        """Make a change; within a group of the history it belongs to the step. Raises UsageError."""
        change.apply()
        self._changes.append(change)
        self._made = (*self._made, len(self._changes) - 1)
        self._changed(change, True)

    def put(self, made: tuple[int, ...]) -> None:
        """Take back and make changes until exactly these are made. Raises UsageError, see `FileChange`."""
        for number in reversed([each for each in self._made if each not in made]):
            self._changes[number].revert()
            self._made = tuple(each for each in self._made if each != number)
            self._changed(self._changes[number], False)
        for number in [each for each in made if each not in self._made]:
            self._changes[number].apply()
            self._made = (*self._made, number)
            self._changed(self._changes[number], True)

    def require(self, made: tuple[int, ...]) -> None:
        """Raise UsageError if `put` could not begin, because another program has changed the files meanwhile."""
        back = [each for each in self._made if each not in made]
        if back:
            self._changes[back[-1]].require(made=True)
        forth = [each for each in made if each not in self._made]
        if not back and forth:
            self._changes[forth[0]].require()
