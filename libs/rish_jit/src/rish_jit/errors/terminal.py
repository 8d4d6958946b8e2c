"""The terminal: what commands print passes through `say`, which escapes control characters and never fails.

Standard output and standard error may be closed (`2>&-`), absent (`pythonw`), unable to show a character, or a pipe
whose reader has ended (`| head -1`). A command does its work all the same. Only what could not be written to standard
output for another reason, such as a full disk, is an error of the command.
"""

from __future__ import annotations

import io
import os
import sys
import threading
from contextlib import suppress
from typing import IO, Any, cast

from .texts import describe_error, printable, repr_of, shortened

_STREAMS = ("stdin", "stdout", "stderr")
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


def is_terminal(stream: Any) -> bool:
    """Whether a stream is there and shown by a terminal."""
    with suppress(AttributeError, ValueError):
        return bool(stream.isatty())
    return False


def colored(stream: Any) -> bool:
    """Whether to write colors to a stream: to a terminal that shows them, or as NO_COLOR or FORCE_COLOR ask for."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    # an old console of Windows prints the codes as text; the newer terminals set one of these
    shows = os.name != "nt" or any(name in os.environ for name in ("WT_SESSION", "TERM", "ANSICON"))
    return shows and os.environ.get("TERM") != "dumb" and is_terminal(stream)


def prepare_streams() -> None:
    """Let the standard streams of this process accept everything; for a program, before it prints.

    Missing ones read and write nothing. Characters that a stream can't encode are escaped. Output to a pipe without a
    reader is dropped. What Python itself prints about exceptions passes through `say`.
    """
    for number, name in enumerate(_STREAMS):
        _open_number(number)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115
    sys.stdout, sys.stderr = _tolerant(sys.stdout, strict=True), _tolerant(sys.stderr, strict=False)
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


def _open_number(number: int) -> None:
    """Open the null device as a standard stream that is closed; otherwise the next file would take its number."""
    try:
        os.fstat(number)
    except OSError:
        opened = os.open(os.devnull, os.O_RDWR)
        if opened != number:
            os.dup2(opened, number)
            os.close(opened)
        os.set_inheritable(number, True)


class _Output(io.FileIO):
    """The file or pipe of a stream. Text that can't be written is dropped; if strict, one error is raised for it.

    A pipe that nobody reads any more raises no error.
    """

    def __init__(self, stream: Any, *, strict: bool) -> None:
        super().__init__(stream.fileno(), "w", closefd=False)
        self.stream = stream  # otherwise it closes the file
        self.strict, self.lost = strict, False

    def write(self, data: Any) -> int:
        """Write bytes."""
        if not self.lost:
            try:
                return super().write(data)
            except OSError as error:
                self.lost = True
                if self.strict and not isinstance(error, BrokenPipeError):
                    raise
        return memoryview(data).nbytes


def _tolerant(stream: Any, *, strict: bool) -> Any:
    """Return a stream with the same target that escapes what it can't encode and drops what is not taken."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.reconfigure(errors="backslashreplace")
    if is_terminal(cast("Any", stream)):
        return cast("Any", stream)
    try:
        raw = io.BufferedWriter(_Output(stream, strict=strict))
    except OSError:  # it has no file, as in a test
        return cast("Any", stream)
    return io.TextIOWrapper(
        raw, stream.encoding, "backslashreplace", line_buffering=stream.line_buffering,
        write_through=stream.write_through,
    )  # fmt: skip
