"""Texts with expressions in braces: `"Score {score}"`, `"{time:.1f} s"`. `{{` and `}}` are single braces."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from rish_core import World

from .errors import ExpressionError
from .expression import Bound, Expression
from .paths import value_text
from .values import MAX_RESULT
from .vocabulary import Vocabulary

_FORMAT = re.compile(r"[<>^]?0?\d{0,2},?(\.\d{1,2})?[dfs%]?\Z")
"""The allowed formats: `03d`, `.1f`, `,d`, `>8`, `.0%`."""


@dataclass(frozen=True)
class Template:
    """A text with expressions. text: the template. parts: literal texts, and pairs of an expression and its format."""

    text: str
    parts: tuple[str | tuple[Expression, str], ...]

    @classmethod
    def parse(cls, text: str) -> Template:
        """Return the template of a text.

        Raises ExpressionError for an unclosed brace and a wrong expression or format.
        """
        if len(text) > MAX_RESULT:
            raise ExpressionError(f"a text has at most {MAX_RESULT} characters")
        parts: list[str | tuple[Expression, str]] = []
        literal, position = "", 0
        while position < len(text):
            sign = text[position]
            if sign in "{}" and text[position + 1 : position + 2] == sign:
                literal, position = literal + sign, position + 2
            elif sign == "}":
                raise ExpressionError(
                    "a closing brace without an opening one: write }} for a brace", text, position + 1
                )
            elif sign == "{":
                end = _end(text, position)
                parts += [literal, _expression(text, position + 1, end)]
                literal, position = "", end + 1
            else:
                literal, position = literal + sign, position + 1
        return cls(text, tuple(part for part in (*parts, literal) if part))

    @property
    def plain(self) -> str | None:
        """The text if it has no expressions, otherwise None."""
        if any(not isinstance(part, str) for part in self.parts):
            return None
        return "".join(part for part in self.parts if isinstance(part, str))

    def check(self, words: Vocabulary, names: Mapping[str, str] | Iterable[str] = (), **options: Any) -> Bound:
        """Look up all names without a World, like `Expression.check`."""
        return self._joined([part if isinstance(part, str) else (part[0].check(words, names, **options), part[1])
                             for part in self.parts])  # fmt: skip

    def bind(self, world: World, names: Mapping[str, str] | Iterable[str] = (), **options: Any) -> Bound:
        """Look up all names in a World, like `Expression.bind`; the result returns the complete text."""
        return self._joined([part if isinstance(part, str) else (part[0].bind(world, names, **options), part[1])
                             for part in self.parts])  # fmt: skip

    def _joined(self, parts: list[str | tuple[Bound, str]]) -> Bound:
        """Return one bound expression that returns the complete text."""
        inner = [part[0] for part in parts if not isinstance(part, str)]
        paths = tuple(path for bound in inner for path in bound.paths)
        used = frozenset(name for bound in inner for name in bound.used)

        def run(scope: Mapping[str, Any]) -> str:
            texts = [part if isinstance(part, str) else self._formatted(part[0].run(scope), part[1]) for part in parts]
            return "".join(texts)[:MAX_RESULT]

        return Bound(self.text, run, "text", paths, used, constant=not inner)

    def _formatted(self, value: Any, form: str) -> str:
        """Return a value in a format. Raises ExpressionError if they do not fit."""
        if not form:
            return value_text(value)
        try:
            return format(round(value) if form[-1] == "d" and isinstance(value, float) else value, form)
        except (ValueError, TypeError, OverflowError):
            raise ExpressionError(f"the format {form!r} does not fit {value!r}", self.text) from None


def _end(text: str, start: int) -> int:
    """Return the position of the brace that closes the brace at `start`; braces in quotes do not count."""
    quote = ""
    for position in range(start + 1, len(text)):
        sign = text[position]
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        elif sign == "}":
            return position
        elif sign == "{":
            break
    raise ExpressionError("this brace is not closed: write {{ for a brace", text, start + 1)


def _expression(text: str, start: int, end: int) -> tuple[Expression, str]:
    """Return the expression between two positions of a text, and its format. Raises ExpressionError."""
    inner, _, form = text[start:end].partition(":")
    if not _FORMAT.match(form):
        raise ExpressionError(f"{form!r} is no format: write {{x:.1f}} or {{x:03d}}", text, start + len(inner) + 2)
    try:
        return Expression.parse(inner), form
    except ExpressionError as error:
        raise ExpressionError(error.message, text, start + max(error.column, 1)) from None
