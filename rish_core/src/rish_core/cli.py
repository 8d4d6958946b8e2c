"""The command line `rish COMMAND`; commands come from the kernel and from installed packages.

`rish --help` must be fast and must not import plugins, so this module imports very little. The kernel's commands are
listed here with one line of help each. Commands of other packages are found by the entry-point group `rish.commands`;
their help is read from the source of their modules. A module is imported when its command is called. Exit codes: 0
success, 1 a fault of Rish, 2 a mistake of the user or a plugin, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rish_jit.errors.terminal import flush, prepare_streams, say, say_traceback

from .commands.collector import put_off, settle

if TYPE_CHECKING:
    from .plugin.discovery import Candidate

COMMANDS = {
    "run": "play a game, or run it without a window",
    "check": "read games and report every mistake at once",
    "plugins": "list what is installed, and explain how the plugins of a game fit together",
    "lock": "write the exact versions of a game's plugins",
}
"""The kernel's commands. Each module `rish_core.commands.<name>` has `add_arguments(parser)` and `run(arguments)`."""

PACKAGED = {
    "conformance": "rish-devtools",
    "doctor": "rish-devtools",
    "edit": "rish-editor",
    "migrate": "rish-history",
    "new": "rish-devtools",
    "record": "rish-history",
    "record-kernels": "rish-devtools",
    "replay": "rish-history",
    "schema": "rish-devtools",
    "warmup": "rish-devtools",
}
"""Commands of this project's other packages, for the help and the message where they are not installed."""

FINE, OURS, YOURS, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. arguments: without the program's name, None for `sys.argv`."""
    if arguments is None:
        put_off()
        prepare_streams()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return guarded(lambda: _dispatch(given))
    finally:
        settle()  # otherwise the collector scans all objects twice when the process ends


def _dispatch(given: Sequence[str]) -> int:
    name = given[0] if given else ""
    if name in ("", "-h", "--help", "help"):
        say(overview())
        return FINE
    if name in ("-V", "--version"):
        say(f"rish {version()}")
        return FINE
    try:
        return _call(name, given[1:])
    except (OSError, KeyboardInterrupt, SystemExit):
        raise
    except BaseException as error:
        from rish_ecs import RishError, describe_error, place_of_error

        from .errors import PluginError

        candidate = _foreign().get(name)
        if candidate is None or name in COMMANDS or isinstance(error, RishError):
            raise
        what = f"command '{name}' of {candidate.distribution} failed: {describe_error(error)}"
        raise PluginError(what, where=place_of_error(error)) from error


def _call(name: str, given: Sequence[str]) -> int:
    command = find_command(name)
    if command is None:
        return _unknown(name)
    text = COMMANDS.get(name) or (command.__doc__ or "").strip().partition("\n")[0]
    parser = _Parser(prog=f"rish {name}", description=text)
    command.add_arguments(parser)
    if not getattr(command, "SETTLES", False):  # such a command calls settle() itself, after its game is built
        settle()
    return command.run(parser.parse_args(given))


class _Parser(argparse.ArgumentParser):
    """Reads the arguments of a command; prints as commands do."""

    def _print_message(self, message: str, file: Any = None) -> None:
        say(message, error=file is sys.stderr, end="")


def overview() -> str:
    """Return the text of `rish --help`."""
    lines = ["usage: rish COMMAND [OPTIONS]", "", "commands:"]
    lines += [f"  {name:14} {text}" for name, text in COMMANDS.items()]
    others = {name: f"(not installed: it comes with {package})" for name, package in PACKAGED.items()}
    for candidate in _foreign().values():
        others[candidate.name] = candidate.summary() or f"from {candidate.distribution}"
    lines += [f"  {name:14} {text}" for name, text in sorted(others.items())]
    lines += ["", "`rish COMMAND --help` lists its options. Begin with: rish run games/hello"]
    return "\n".join(lines)


def version() -> str:
    """Return the version of the kernel's package."""
    from importlib_metadata import version as version_of

    return version_of("rish-core")


def find_command(name: str) -> Any:
    """Import and return the module of a command, or None if the command is unknown."""
    if name in COMMANDS:
        return importlib.import_module(f"rish_core.commands.{name}")
    from rish_ecs import describe_error, place_of_error

    from .errors import PluginError
    from .plugin.discovery import installed_commands
    from .plugin.solving.packages import clash_of

    candidate = _foreign().get(name)
    if candidate is None:
        return None
    if clash := clash_of([one for one in installed_commands() if one.name == name], PACKAGED.get(name)):
        raise PluginError(f"command '{name}' can't be called: {clash}")
    try:
        return candidate.load()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        package = f"{candidate.distribution} {candidate.version}"
        what = f"command '{name}' of {package} can't be imported: {describe_error(error)}"
        raise PluginError(what, where=place_of_error(error)) from error


def guarded(work: Callable[[], int]) -> int:
    """Run a command; return its exit code. User errors are printed as a sentence (2), faults with a traceback (1)."""
    from rish_ecs import RishError, message_of, text_of

    try:
        try:
            return work()
        finally:
            flush()
    except RishError as error:
        say(f"rish: {message_of(error)}", error=True)
        return YOURS
    except KeyboardInterrupt:
        say("rish: interrupted", error=True)
        return INTERRUPTED
    except BaseException as error:
        if isinstance(error, OSError) and isinstance(error.strerror, str):
            what = text_of(error.filename) if error.filename is not None else "writing"
            say(f"rish: {what}: {error.strerror}", error=True)
            return YOURS
        return _unexpected(error)


def _unexpected(error: BaseException) -> int:
    """Print an error that nothing expected, of the code of a game or plugin or of Rish; return the exit code."""
    from rish_ecs import describe_error
    from rish_jit.errors.packages import culprit

    from .plugin.discovery import installed_plugins
    from .plugin.game import PREFIX

    leaves = isinstance(error, SystemExit)  # options and commands may do that, a game may not
    others = {} if leaves else {one.value.partition(".")[0]: one.distribution for one in installed_plugins()}
    found = culprit(error, lambda package: "the game" if package.startswith(PREFIX) else others.get(package))
    if found is not None:
        say(f"rish: {found[1]}: the code of {found[0]} failed: {describe_error(error)}", error=True)
        return YOURS
    if leaves:
        raise error
    say_traceback(error)
    say("rish: this is a bug in Rish; please report it with the lines above", error=True)
    return OURS


def _foreign() -> dict[str, Candidate]:
    from .plugin.discovery import installed_commands

    return {candidate.name: candidate for candidate in reversed(installed_commands())}  # of two, the first counts


def _unknown(name: str) -> int:
    from rish_ecs import did_you_mean, how_to_get

    if name in PACKAGED:
        how = how_to_get(PACKAGED[name])
        say(f"rish: the command {name!r} comes with {PACKAGED[name]}, which is not installed. {how}", error=True)
        return YOURS
    known = [*COMMANDS, *_foreign()]
    say(f"rish: there is no command {name!r}{did_you_mean(name, known)}. Commands: {', '.join(known)}", error=True)
    return YOURS


if __name__ == "__main__":
    sys.exit(main())
