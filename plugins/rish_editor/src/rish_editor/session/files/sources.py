"""Opening source files at a line in the user's text editor, and other files with the default program of the system."""

from __future__ import annotations

import logging
from pathlib import Path

import rish_system

from ..settings import SYSTEM

_log = logging.getLogger("rish.editor")


def open_source(command: str, path: Path | str, line: int = 0) -> bool:
    """Open a file; return whether a program could be started.

    command: with {file} and {line}, as in `code -g {file}:{line}`; "" and SYSTEM ask the system for a program.
    """
    if command in ("", SYSTEM):
        return open_outside(path)
    try:
        parts = [part.format(file=path, line=max(line, 1)) for part in rish_system.split_command(command)]
    except (ValueError, KeyError, IndexError) as error:
        _log.error("the command %r for source files can't be used: %s", command, error)
        return False
    return _start(parts)


def open_outside(thing: Path | str) -> bool:
    """Open a file, a folder or the address of a page with the program that the system has for it."""
    try:
        rish_system.open_outside(thing)
    except OSError as error:
        _log.error("%s can't be opened: %s", thing, error.strerror or error)
        return False
    return True


def _start(parts: list[str]) -> bool:
    try:
        rish_system.start_program(parts)
    except OSError as error:
        _log.error("%s can't be started: %s", parts[0], error.strerror or error)
        return False
    return True
