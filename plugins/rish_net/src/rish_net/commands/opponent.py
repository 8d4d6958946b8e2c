"""A second player for trying a network game on one machine: a process that joins and presses random keys."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

_END_SECONDS = 5.0


@contextmanager
def opponent(invitation: str, game: str, options: list[str]) -> Iterator[None]:
    """Let a process without a window play while the block runs. options: for `rish join`."""
    command = [sys.executable, "-m", "rish_core", "join", invitation, game, "--headless", "--random", *options]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    try:
        yield
    finally:
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_SECONDS)
        process.kill()
