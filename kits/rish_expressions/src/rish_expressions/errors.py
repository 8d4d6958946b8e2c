"""The error of paths and expressions, with the column of the culprit and a line with a caret below the text."""

from __future__ import annotations

from collections.abc import Iterable

from rish_ecs import RishError, did_you_mean

_SHOWN = 12


class ExpressionError(RishError):
    """A mistake in a path or an expression, or a failure of its evaluation.

    text: the complete text. column: of the culprit in it, from 1; 0: unknown. said: the message in one line, without
    text and caret, for reports that have a place of their own. given, choices: as for RishError.
    """

    def __init__(
        self, what: str, text: str = "", column: int = 0, *, given: object = None, choices: Iterable[str] = ()
    ) -> None:
        self.text, self.column = text, column
        known = sorted(choices)
        said = what + (did_you_mean(given, known) if given is not None else "")
        if known:
            said += f". Choices: {', '.join(known[:_SHOWN])}"
            said += f" and {len(known) - _SHOWN} more" if len(known) > _SHOWN else ""
        self.said = said
        shown = f"{said}\n    {text}" if text else said
        if text and column:
            shown += f"\n    {' ' * (column - 1)}^"
        super().__init__(shown)
        self.given = given

    @property
    def line(self) -> str:
        """The message in one line, with the text and the column."""
        at = f", column {self.column}" if self.column > 1 else ""
        return f"{self.said} (in `{self.text}`{at})" if self.text else self.said
