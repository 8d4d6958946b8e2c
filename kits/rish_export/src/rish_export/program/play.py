"""The main function of a program."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rish_cli import run
from rish_core import FINE, RishError, UsageError, say, settle
from rish_core.launcher import guarded, put_off
from rish_jit.errors.terminal import prepare_streams
from rish_system import data_folder, display, folder_name

from .about import About, program_folder
from .crashes import CrashReports

if TYPE_CHECKING:
    from rish_core import App


def main(arguments: Sequence[str] | None = None, folder: Path | None = None) -> int:
    """Play the game of a program; return the exit code. arguments: without the program's name; None: `sys.argv`.

    folder: with the program's files; None: that of this program.
    """
    if arguments is None:
        put_off()
        prepare_streams()
        arguments = sys.argv[1:]
        if arguments[:1] == ["-c"]:  # numba's worker processes are started like those of Python
            sys.argv[:] = arguments
            exec(compile(arguments[1], "<worker>", "exec"), {"__name__": "__main__"})
            return FINE
    program = folder or program_folder()
    try:
        return guarded(lambda: _main(list(arguments), program, About.read(program)))
    finally:
        settle()


def _main(words: list[str], program: Path, about: About) -> int:
    parser = argparse.ArgumentParser(prog=about.name, description=f"Plays {about.title}.")
    run.add_play_options(parser)
    parser.add_argument("--version", action="version", version=f"{about.name} {about.version}")
    parser.add_argument("--licenses", action="store_true", help="print where the licenses of all parts are, and exit")
    arguments = parser.parse_args(words)
    if arguments.licenses:
        say((program / "licenses" / "README.txt").read_text(encoding="utf-8"))
        return FINE
    arguments.game, arguments.watches = str(program / about.game), False  # nobody edits the files of a program
    reports = CrashReports(about, data_folder() / folder_name(about.identity or about.title) / "crashes")
    if "history" in about.plugins:
        arguments.overrides.insert(0, 'settings.history.capsules=""')  # reports have the input of the whole run
    crashed = reports.begin()
    try:
        if crashed is not None and not _goes_on(about, crashed, arguments):
            return FINE
        return _play(arguments, about, reports)
    finally:
        reports.end()


def _play(arguments: argparse.Namespace, about: About, reports: CrashReports) -> int:
    """Play, and write a report if anything failed; return the exit code."""
    try:
        code = run.run(arguments, watch=lambda app: _watch(app, arguments, reports))
    except (KeyboardInterrupt, SystemExit, UsageError):
        raise
    except BaseException as error:
        _tell(reports.write(error), about, arguments)
        raise
    _tell(reports.write_failures(), about, arguments)
    return code


def _watch(app: App, arguments: argparse.Namespace, reports: CrashReports) -> None:
    from rish_history import origin_of_run  # after the window is open

    reports.watch(app, origin_of_run(app, arguments))


def _tell(report: Path | None, about: About, arguments: argparse.Namespace) -> None:
    """Say where a report is: in the terminal, and in a window if the game has one."""
    if report is None:
        return
    say(f"{about.title}: what went wrong was written to {report}", error=True)
    if _has_window(about, arguments):
        _ask(f"{about.title} had a problem", str(report), {"quit": "close"})


def _goes_on(about: About, report: Path, arguments: argparse.Namespace) -> bool:
    """Say that the last run crashed; return False if the player does not want to play.

    A player may choose to play without the plugins of other people, if there are any.
    """
    say(f"{about.title} crashed when it ran last. What is known was written to {report}", error=True)
    option = "--safe-mode" if about.others_are_optional else f"--without {','.join(about.others)}"
    if about.others:
        say(f"To play without {', '.join(about.others)}: {about.name} {option}", error=True)
    if not _has_window(about, arguments):
        return True
    choices = {"play": "play"} | ({"safe": f"play without {', '.join(about.others)}"} if about.others else {})
    choice = _ask(f"{about.title} crashed last time", str(report), {**choices, "quit": "close"})
    if choice == "safe":
        arguments.safe_mode = about.others_are_optional
        arguments.without = "" if about.others_are_optional else ",".join(about.others)
    return choice != "quit"


def _has_window(about: About, arguments: argparse.Namespace) -> bool:
    """Whether the game is played in a window, as far as it is known before it starts."""
    return about.windowed and not (display(wayland=False) is None or arguments.headless or arguments.frames)


def _ask(title: str, text: str, choices: dict[str, str]) -> str:
    """Show a text and choices in a window; return the chosen one, or the first one if no window can be opened."""
    from .question import ask

    try:
        return ask(title, text, choices)
    except (RishError, OSError) as error:
        say(f"rish: {error}", error=True)
        return next(iter(choices))
