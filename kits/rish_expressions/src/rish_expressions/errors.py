"""The error of paths and expressions. Its message shows the text, and a caret below the wrong column."""

from __future__ import annotations

from collections.abc import Iterable

from rish_ecs import RishError, did_you_mean

_MAX_CHOICES = 12


class ExpressionError(RishError):
    """A mistake in a path or an expression, or a failure of its evaluation.

    text: the complete text. column: the column of the mistake, from 1; 0: unknown. message: the message in one line,
    without text and caret, for reports that show the place themselves. given, choices: as for RishError.
    """

    def __init__(
        self, what: str, text: str = "", column: int = 0, *, given: object = None, choices: Iterable[str] = ()
    ) -> None:
        self.text, self.column = text, column
        names = sorted(choices)
        message = what + (did_you_mean(given, names) if given is not None else "")
        if names:
            message += f". Choices: {', '.join(names[:_MAX_CHOICES])}"
            message += f" and {len(names) - _MAX_CHOICES} more" if len(names) > _MAX_CHOICES else ""
        self.message = message
        full_text = f"{message}\n    {text}" if text else message
        if text and column:
            full_text += f"\n    {' ' * (column - 1)}^"
        super().__init__(full_text)
        self.given = given

    @property
    def line(self) -> str:
        """The message in one line, with the text and the column."""
        column = f", column {self.column}" if self.column > 1 else ""
        return f"{self.message} (in `{self.text}`{column})" if self.text else self.message
