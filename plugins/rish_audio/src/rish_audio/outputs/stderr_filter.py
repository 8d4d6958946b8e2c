"""Keeps messages of sound libraries off the terminal.

On Linux, libasound and others write a page of errors to standard error if there is no sound card. They write to the
file descriptor, below Python, so the descriptor is redirected to a temporary file meanwhile. Lines of the libraries are
logged at DEBUG. Other lines, such as the log of another thread, are written to standard error afterwards.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Generator
from contextlib import contextmanager

from rish_system import current

_log = logging.getLogger("rish.plugins.audio")
_STARTS = (
    b"ALSA lib ", b"Cannot connect to server", b"jack server is not running", b"JackShm", b"Failed to create secure",
    b"Home directory not accessible", b"XDG_RUNTIME_DIR", b"[E][", b"[W][", b"PulseAudio", b"Cannot read socket",
)  # fmt: skip
"""The beginnings of lines that sound libraries write."""
_STDERR = 2
_lock = threading.Lock()


@contextmanager
def quiet_libraries() -> Generator[None]:
    """Keep the output of sound libraries off standard error while the block runs. Only one thread can do this at a
    time; others wait.
    """
    with _lock:
        try:
            saved = os.dup(_STDERR) if current() == "linux" else None
        except OSError:  # there is no standard error
            saved = None
        if saved is None:
            yield
            return
        with tempfile.TemporaryFile() as file:
            os.dup2(file.fileno(), _STDERR)
            try:
                yield
            finally:
                os.dup2(saved, _STDERR)
                os.close(saved)
                file.seek(0)
                _pass_on(file.read())


def _pass_on(output: bytes) -> None:
    """Log the lines of sound libraries, and write all other lines to standard error."""
    others = b""
    for line in output.splitlines(keepends=True):
        if line.startswith(_STARTS):
            _log.debug("%s", line.decode(errors="replace").rstrip())
        else:
            others += line
    if others:
        os.write(_STDERR, others)
