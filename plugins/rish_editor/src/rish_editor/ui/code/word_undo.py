"""Typed letters are undone by words, as in every editor; TextEditor makes a step of each letter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

Place = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """A step of a text: whether text was inserted or deleted, where, and which."""

    insert: bool
    start: Place
    end: Place
    text: str

    def continues(self, before: Step) -> bool:
        """Whether this letter belongs to the same word as the one of the step before, or to what follows the word."""
        if self.insert != before.insert or len(self.text) != 1 or len(before.text) != 1 or "\n" in self.text:
            return False
        if self.insert:
            return self.start == before.end and (not _in_word(self.text) or _in_word(before.text))
        beside = self.end == before.start or self.start == before.start
        return beside and (_in_word(self.text) or not _in_word(before.text))


class Typing:
    """The steps of a text, undone and done again by words. editor: a TextEditor, whose callback has to call `note`."""

    def __init__(self, editor: Any) -> None:
        self._editor = editor
        self._steps: list[tuple[Step | None, bool]] = []
        self._at = self._sealed = 0

    def note(self, changes: Sequence[Any]) -> None:
        """Take a step that was made, undone or done again."""
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
        """Begin a new step with the next letter, because the text was saved."""
        self._sealed = self._at

    def complete(self, before: int) -> None:
        """Undo the rest of the word of which a letter was undone, or do it again. before: the index of then."""
        if self._at == before - 1:
            self.undo_rest()
        while before < self._at < len(self._steps) and self._steps[self._at][1] and self._editor.can_redo():
            self._editor.redo()

    def undo_rest(self) -> None:
        """Undo the letters to which the one belongs that was undone last."""
        while 0 < self._at < len(self._steps) and self._steps[self._at][1]:
            self._editor.undo()


def _step(changes: Sequence[Any]) -> Step | None:
    """Return a step of one change, None for one of several."""
    if len(changes) != 1:
        return None
    [change] = changes
    start, end = change.start, change.end
    return Step(bool(change.insert), (start.line, start.index), (end.line, end.index), str(change.text))


def _in_word(sign: str) -> bool:
    return sign.isalnum() or sign == "_"
