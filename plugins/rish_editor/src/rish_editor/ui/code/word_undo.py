"""Undo by words, as in other editors; TextEditor itself makes an undo step of each typed letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Place = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """An undo step of a text: whether text was inserted or deleted, where, and which."""

    insert: bool
    start: Place
    end: Place
    text: str

    def continues(self, before: Step) -> bool:
        """Return whether the letter of this step belongs to the same word as that of the step before, or to the spaces
        after it."""
        if self.insert != before.insert or len(self.text) != 1 or len(before.text) != 1 or "\n" in self.text:
            return False
        if self.insert:
            return self.start == before.end and (not _in_word(self.text) or _in_word(before.text))
        beside = self.end == before.start or self.start == before.start
        return beside and (_in_word(self.text) or not _in_word(before.text))


class Typing:
    """Joins the undo steps of a text to words. editor: a TextEditor, whose callback has to call `note`."""

    def __init__(self, editor: Any) -> None:
        self._editor = editor
        self._steps: list[tuple[Step | None, bool]] = []
        self._at = self._sealed = 0

    def note(self, changes: Sequence[Any]) -> None:
        """Record a step that was made, undone or redone."""
        before, self._at = self._at, int(self._editor.get_undo_index())
        if self._at <= before:
            return
        step = _step(changes)
        if self._steps[before : self._at] and step is not None and self._steps[before][0] == step:
            return  # done again, or the same once more
        last = self._steps[before - 1][0] if 0 < before <= len(self._steps) else None
        joins = step is not None and last is not None and before != self._sealed and step.continues(last)
        del self._steps[before:]
        self._steps.append((step, joins))

    def seal(self) -> None:
        """Let the next letter begin a new undo step, because the text was saved."""
        self._sealed = self._at

    def complete(self, before: int) -> None:
        """Undo or redo the rest of the word of which one letter was undone or redone. before: the index of the step
        before that."""
        if self._at == before - 1:
            self.undo_rest()
        while before < self._at < len(self._steps) and self._steps[self._at][1] and self._editor.can_redo():
            self._editor.redo()

    def undo_rest(self) -> None:
        """Undo the rest of the word whose last letter was just undone."""
        while 0 < self._at < len(self._steps) and self._steps[self._at][1]:
            self._editor.undo()


def _step(changes: Sequence[Any]) -> Step | None:
    """Return the step of a single change; None for several changes."""
    if len(changes) != 1:
        return None
    [change] = changes
    start, end = change.start, change.end
    return Step(bool(change.insert), (start.line, start.index), (end.line, end.index), str(change.text))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
