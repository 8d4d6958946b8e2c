"""The terminal: what commands print passes through `say`, which escapes control characters and never fails.

Standard output and standard error may be closed (`2>&-`), absent (`pythonw`), unable to show a character, or a pipe
whose reader has ended (`| head -1`). A command does its work all the same. Only what could not be written to standard
output for another reason, such as a full disk, is an error of the command.
"""

from __future__ import annotations

import sys
import threading
from contextlib import suppress
from typing import IO, Any

from rish_system import open_streams, tolerant

from .texts import describe_error, printable, repr_of, shortened

_GONE = (BrokenPipeError, ValueError)
"""Errors of a stream that nobody reads: a pipe without a reader, a closed file."""


def say(text: object = "", *, error: bool = False, end: str = "\n") -> None:
    """Print a text to standard output, or to standard error: control characters are shown escaped, see `printable`.

    error: print to standard error, without the rest of very long lines. Raises OSError if standard output can't be
    written, other than because nobody reads it.
    """
    shown = printable(str(text))
    if error:
        shown = "\n".join(map(shortened, shown.split("\n")))
    write(shown + end, error=error)


def write(text: str, *, error: bool = False) -> None:
    """Write a text as it is, with the codes of terminals in it. Raises OSError as `say` does."""
    stream: IO[str] | None = sys.stderr if error else sys.stdout
    if stream is None:
        return
    with suppress(*(_GONE if not error else (*_GONE, OSError))):
        try:
            stream.write(text)
        except UnicodeEncodeError as failed:
            stream.write(text.encode(failed.encoding, "backslashreplace").decode(failed.encoding))
        if error:
            stream.flush()


def prepare_streams() -> None:
    """Let the standard streams of this process accept everything; for a program, before it prints.

    Missing ones read and write nothing. Characters that a stream can't encode are escaped. Output to a pipe without a
    reader is dropped. What Python itself prints about exceptions passes through `say`.
    """
    open_streams()
    sys.stdout, sys.stderr = tolerant(sys.stdout, strict=True), tolerant(sys.stderr, strict=False)
    sys.unraisablehook = _say_unraisable
    threading.excepthook = _say_unraisable


def say_traceback(error: BaseException, what: str = "") -> None:
    """Print an exception with its traceback to standard error. what: a line before it."""
    import traceback

    try:
        text = "".join(traceback.format_exception(error))
    except BaseException as broken:  # an exception with attributes of wrong types
        text = f"{describe_error(error)} (without its traceback: {describe_error(broken)})\n"
    say(f"{what}\n{text}" if what else text, error=True, end="")


def flush() -> None:
    """Write what standard output holds back. Raises OSError as `say` does."""
    if sys.stdout is not None:  # pyright: ignore[reportUnnecessaryComparison] - it may be missing
        with suppress(*_GONE):
            sys.stdout.flush()


def _say_unraisable(failed: Any) -> None:
    """Print an exception that nothing can catch, of a `__del__` or a thread: the arguments of Python's two hooks."""
    where = getattr(failed, "thread", None) or getattr(failed, "object", None)
    if failed.exc_value is not None and not isinstance(failed.exc_value, SystemExit):
        say_traceback(failed.exc_value, f"an exception that is ignored, in {repr_of(where)}:")
