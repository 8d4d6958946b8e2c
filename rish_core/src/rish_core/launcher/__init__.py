"""The program `rish COMMAND`: finds the commands of installed packages by their entry points, and calls one.

A command is a module of the entry-point group `rish.commands` with `add_arguments(parser)` and `run(arguments)`. It is
imported when it is called; its line of help is read from its source. This module imports little, so help is fast.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rish_jit.errors.terminal import prepare_streams, say

from .collector import put_off, settle
from .exit_codes import FINE, guarded

if TYPE_CHECKING:
    from ..plugin.discovery import Candidate

__all__ = ["guarded", "main", "overview", "put_off", "settle", "version"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. arguments: without the program's name, None for `sys.argv`."""
    if arguments is None:
        put_off()
        prepare_streams()
    name, *rest = list(sys.argv[1:] if arguments is None else arguments) or ["help"]
    try:
        return guarded(lambda: _call(name, rest))
    finally:
        settle()  # otherwise the collector scans all objects twice when the process ends


def _call(name: str, arguments: Sequence[str]) -> int:
    if name in ("", "-h", "--help", "help", "-V", "--version"):
        say(version() if name in ("-V", "--version") else overview())
        return FINE
    from rish_ecs import RishError, describe_error, is_ours, place_of_error

    from ..errors import PluginError

    candidate = _find(name)
    failed = f"of {candidate.distribution} {candidate.version} can't be imported"
    try:
        command = candidate.load()
        failed = f"of {candidate.distribution} failed"
        parser = _Parser(prog=f"rish {name}", description=candidate.summary())
        command.add_arguments(parser)
        if not getattr(command, "SETTLES", False):  # such a command calls settle() itself, after its game is built
            settle()
        return command.run(parser.parse_args(arguments))
    except BaseException as error:
        bug = is_ours(candidate.distribution) and failed.endswith("failed")
        if bug or isinstance(error, (RishError, OSError, KeyboardInterrupt, SystemExit)):
            raise
        raise PluginError(f"command '{name}' {failed}: {describe_error(error)}", where=place_of_error(error)) from error


def _find(name: str) -> Candidate:
    from rish_ecs import UnknownName, UsageError, how_to_get

    from ..errors import PluginError
    from ..plugin.discovery import installed_commands
    from ..plugin.solving.packages import COMMANDS, clash_of

    commands, package = installed_commands(), COMMANDS.get(name)
    offers = [candidate for candidate in commands if candidate.name == name]
    if not offers and package:
        raise UsageError(f"the command {name!r} comes with {package}, which is not installed. {how_to_get(package)}")
    if not offers:
        raise UnknownName(f"there is no command {name!r}", given=name, choices={c.name for c in commands})
    if clash := clash_of(offers, package):
        raise PluginError(f"command '{name}' can't be called: {clash}")
    return offers[0]


class _Parser(argparse.ArgumentParser):
    """An argument parser that prints help and errors with `say`, as commands do."""

    def _print_message(self, message: str, file: Any = None) -> None:
        say(message, error=file is sys.stderr, end="")


def overview() -> str:
    """Return the text of `rish --help`."""
    from ..plugin.discovery import installed_commands
    from ..plugin.solving.packages import COMMANDS

    texts = {name: f"(not installed: it comes with {package})" for name, package in COMMANDS.items()}
    texts |= {each.name: each.summary() or f"from {each.distribution}" for each in reversed(installed_commands())}
    lines = "\n".join(f"  {name:14} {text}" for name, text in sorted(texts.items()))
    more = "`rish COMMAND --help` lists its options. Begin with: rish run games/hello"
    return f"usage: rish COMMAND [OPTIONS]\n\ncommands:\n{lines}\n\n{more}"


def version() -> str:
    """Return the text of `rish --version`."""
    from ..plugin.discovery import installed_package

    package = installed_package("rish-core")
    return f"rish {package.version if package else '(not installed)'}"
