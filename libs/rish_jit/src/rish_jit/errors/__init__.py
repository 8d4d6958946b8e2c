"""Errors with helpful messages: each names the place, the culprit, the choices and the next step.

Game authors read these messages more often than the manual, so all are built here in one form::

    games/breezy/game.yaml:14:5: no component is called 'Bdoy' (did you mean 'Body'?). Choices: Body, Wind

`Place` is a position in a file, `Problem` is one of several mistakes that are reported together, and `RishError` is the
base class of all errors. A subclass that corresponds to a builtin error also inherits from it, so `except LookupError`
works.
"""

from __future__ import annotations

import inspect
import traceback
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .texts import describe_error, printable, text_of

if TYPE_CHECKING:
    import logging

    from . import logs, metadata, packages, terminal, texts

__all__ = [
    "DeclarationError",
    "NotYet",
    "Place",
    "Problem",
    "RishError",
    "SnapshotError",
    "StaleEntity",
    "UnknownName",
    "UsageError",
    "add_engine",
    "did_you_mean",
    "engine_packages",
    "in_engine",
    "logs",
    "message_of",
    "metadata",
    "nearest",
    "packages",
    "place_of",
    "place_of_error",
    "place_of_record",
    "shorten_path",
    "terminal",
    "texts",
]

_SHOWN_CHOICES = 12
_engine = ["rish_system", "rish_jit", "rish_ecs"]


@dataclass(frozen=True, order=True)
class Place:
    """A position in a text file; a line or column of 0 is unknown and left out."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        parts = [printable(self.file, one_line=True), *(str(n) for n in (self.line, self.column) if n)]
        return ":".join(parts)


@dataclass(frozen=True, order=True)
class Problem:
    """One mistake in a file: its place, the path of keys to it, and the message."""

    place: Place
    path: str
    what: str = field(compare=True)

    def __str__(self) -> str:
        middle = f" {printable(self.path, one_line=True)}:" if self.path else ""
        return f"{self.place}:{middle} {printable(self.what, one_line=True)}"


def nearest(name: object, choices: Iterable[str], likeness: float = 0.6) -> str | None:
    """Return the choice most similar to `name`, ignoring case, or None if none is similar.

    likeness: the least ratio of difflib, 0 to 1.
    """
    import difflib

    by_folded = {choice.casefold(): choice for choice in choices}
    matches = difflib.get_close_matches(str(name).casefold(), list(by_folded), n=1, cutoff=likeness)
    return by_folded[matches[0]] if matches else None


def did_you_mean(name: object, choices: Iterable[str]) -> str:
    """Return ` (did you mean 'x'?)` for the nearest choice, or an empty string."""
    best = nearest(name, choices)
    return f" (did you mean {best!r}?)" if best is not None and best != name else ""


def shorten_path(path: str | Path) -> str:
    """Return `path` relative to the working directory if it is inside it, otherwise unchanged."""
    try:
        return str(Path(path).relative_to(Path.cwd()))
    except ValueError:
        return str(path)


def place_of(thing: Callable[..., Any] | type) -> Place:
    """Return the file and line where a function or class is defined."""
    try:
        target = inspect.unwrap(thing)
        source = inspect.getsourcefile(target) or "?"
        code = getattr(target, "__code__", None)
        line = code.co_firstlineno if code is not None else inspect.getsourcelines(target)[1]
    except Exception:  # no source, or an object that only pretends to be a function
        return Place(_module_of(thing))
    return Place(shorten_path(source), line)


def _module_of(thing: object) -> str:
    try:
        return str(thing.__module__)
    except Exception:
        return "?"


def add_engine(package: str) -> None:
    """Add a package that calls code of games and plugins; errors are reported at the deepest line outside these."""
    if package not in _engine:
        _engine.append(package)


def engine_packages() -> tuple[str, ...]:
    """Return the packages that call code of games and plugins."""
    return tuple(_engine)


def in_engine(path: str | Path) -> bool:
    """Whether a file belongs to the packages that call code of games and plugins."""
    return any(f"/{name}/" in str(path).replace("\\", "/") for name in _engine)


def place_of_error(error: BaseException) -> Place:
    """Return the place of an exception: its deepest frame outside the engine (`add_engine`), or its deepest frame.

    For a SyntaxError it is the place in the file that could not be parsed, which is in no frame of the traceback.
    """
    if isinstance(error, SyntaxError) and error.filename and type(error.filename) is str:
        line, column = (number if isinstance(number, int) else 0 for number in (error.lineno, error.offset))
        return Place(shorten_path(error.filename), line, column)
    frames = traceback.extract_tb(error.__traceback__)
    if not frames:
        return Place("?")
    outside = [f for f in frames if not in_engine(f.filename)]
    chosen = (outside or list(frames))[-1]
    return Place(shorten_path(chosen.filename), chosen.lineno or 0)


def place_of_record(record: logging.LogRecord) -> Place | None:
    """Return the place that a record of the log is about, for tools that open it; None if it is unknown.

    That is the first place among `extra={"about": ...}`, the values of the message and `exc_info`: a `Place`, an object
    with one (`where` or `place`), or an error with a traceback. Otherwise it is the line that logged. Files are as in
    `Place`: relative to the working directory if they are inside it.
    """
    values: Any = record.args.values() if isinstance(record.args, Mapping) else record.args or ()
    error = record.exc_info[1] if record.exc_info else None
    for value in (getattr(record, "about", None), record.msg, *values, error):
        place = _place_in(value)
        if place is not None:
            return place
    return Place(shorten_path(record.pathname), record.lineno) if record.pathname else None


def _place_in(value: Any) -> Place | None:
    """Return the place that a value, or the nearest cause of an error, names; otherwise that of its traceback."""
    traced: BaseException | None = None
    while value is not None:
        for candidate in (value, getattr(value, "where", None), getattr(value, "place", None)):
            if isinstance(candidate, Place) and candidate.file != "?":
                return candidate
        if traced is None and isinstance(value, BaseException) and value.__traceback__ is not None:
            traced = value
        value = getattr(value, "__cause__", None)
    return place_of_error(traced) if traced is not None else None


class RishError(Exception):
    """The base class of all errors of Rish, with a message for users.

    what: the culprit and what is wrong with it. where: the place, shown first. given and choices: the name that was
    looked up and the names that exist; the nearest is suggested. hint: the next step, a full sentence. names_culprit:
    True in subclasses whose message names the code at fault, so that callers add no prefix.
    """

    names_culprit = False

    def __init__(
        self,
        what: str,
        *,
        where: Place | str | None = None,
        given: object = None,
        choices: Iterable[str] = (),
        hint: str | None = None,
    ) -> None:
        self.what = what
        self.where = where
        self.choices = sorted(choices)
        self.given = given
        self.hint = hint
        super().__init__(what)

    def add_hint(self, hint: str | None) -> None:
        """Set the hint of an error that has none."""
        self.hint = self.hint or hint

    def __str__(self) -> str:
        """Return the sentence; it is put together when it is shown, because most unknown names are only tried."""
        text = f"{self.where}: {self.what}" if self.where is not None else self.what
        if self.given is not None:
            text += did_you_mean(self.given, self.choices)
        if self.choices:
            shown = ", ".join(printable(choice, one_line=True) for choice in self.choices[:_SHOWN_CHOICES])
            rest = len(self.choices) - _SHOWN_CHOICES
            text += f". Choices: {shown}" + (f" and {rest} more" if rest > 0 else "")
        if self.hint:
            text += f". {self.hint}" if not text.endswith(".") else f" {self.hint}"
        return text


def message_of(error: BaseException) -> str:
    """Return the message of a RishError, or the type and text of another exception (`describe_error`)."""
    return text_of(error, whole=True) if isinstance(error, RishError) else describe_error(error)


class UnknownName(RishError, LookupError):
    """An unknown name of a component, resource, asset, system or other item."""


class StaleEntity(RishError, LookupError):
    """The entity of a handle no longer exists; a later entity in the same slot is not affected."""


class NotYet(RishError, LookupError):
    """The entity is reserved but exists only after the current stage."""


class DeclarationError(RishError, TypeError):
    """An invalid declaration of a component, event, resource, system or plugin."""


class UsageError(RishError, ValueError):
    """A call with invalid arguments."""


class SnapshotError(RishError):
    """Bytes that are not a snapshot, or a snapshot that does not fit this world."""
