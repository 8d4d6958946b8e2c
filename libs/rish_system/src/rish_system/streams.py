"""The standard streams: whether a terminal shows them, and streams that accept every text."""

from __future__ import annotations

import io
import os
import sys
from contextlib import suppress
from typing import Any, cast

from .system import current

_STREAMS = ("stdin", "stdout", "stderr")
_WITH_COLORS = ("WT_SESSION", "TERM", "ANSICON")
"""The variables of which newer terminals of Windows set one."""


def is_terminal(stream: Any) -> bool:
    """Whether a stream, or a file descriptor, is there and shown by a terminal."""
    with suppress(AttributeError, OSError, ValueError):
        return os.isatty(stream) if isinstance(stream, int) else bool(stream.isatty())
    return False


def colored(stream: Any) -> bool:
    """Whether to write colors to a stream: to a terminal that shows them, or as NO_COLOR or FORCE_COLOR ask for."""
    if os.environ.get("NO_COLOR"):
        return False
    if os.environ.get("FORCE_COLOR"):
        return True
    # an old console of Windows prints the codes as text
    shows = current() != "windows" or any(name in os.environ for name in _WITH_COLORS)
    return shows and os.environ.get("TERM") != "dumb" and is_terminal(stream)


def open_streams() -> None:
    """Let standard streams that are closed or missing read and write nothing."""
    for number, name in enumerate(_STREAMS):
        _open_number(number)
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w" if number else "r", encoding="utf-8"))  # noqa: SIM115


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


def tolerant(stream: Any, *, strict: bool) -> Any:
    """Return a stream with the same target that escapes what it can't encode and drops what is not taken.

    strict: raise one OSError if the target does not take a text, other than a pipe that nobody reads.
    """
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
