"""The command line `rish COMMAND`; commands come from the kernel and from installed packages.

`rish --help` must be fast and must not import plugins, so this module imports very little. The kernel's commands are
listed here with one line of help each. Commands of other packages are found by the entry-point group `rish.commands`;
their help is read from the source of their modules. A module is imported when its command is called. Exit codes: 0
success, 1 a fault of Rish, 2 a mistake of the user or a plugin, 130 interrupted by Ctrl-C.
"""

from __future__ import annotations

import argparse
import importlib
import io
import os
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .commands.collector import put_off, settle

if TYPE_CHECKING:
    from .plugin.discovery import Candidate

COMMANDS = {
    "run": "play a game, or run it without a window",
    "check": "read games and report every mistake at once",
    "plugins": "list what is installed, and explain how the plugins of a game fit together",
    "lock": "write the exact versions of a game's plugins",
    "warmup": "compile a game's kernels ahead of time",
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
}
"""Commands of this project's other packages, for the help and the message where they are not installed."""

FINE, OURS, YOURS, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code. arguments: without the program's name, None for `sys.argv`."""
    if arguments is None:
        put_off()
        _print_any_path()
    given = list(sys.argv[1:] if arguments is None else arguments)
    try:
        return guarded(lambda: _dispatch(given))
    finally:
        settle()  # otherwise the collector scans all objects twice when the process ends


def _print_any_path() -> None:
    """Make the output print file names as their bytes; with the C locale Python can't decode them."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and stream.encoding.lower() in ("ascii", "us-ascii", "utf-8"):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape")


def _dispatch(given: Sequence[str]) -> int:
    name = given[0] if given else ""
    if name in ("", "-h", "--help", "help"):
        print(overview(), flush=True)
        return FINE
    if name in ("-V", "--version"):
        print(f"rish {version()}", flush=True)
        return FINE
    try:
        return _call(name, given[1:])
    except OSError:
        raise
    except Exception as error:
        from rish_ecs import RishError, place_of_error

        from .errors import PluginError

        candidate = _foreign().get(name)
        if candidate is None or name in COMMANDS or isinstance(error, RishError):
            raise
        what = f"command '{name}' of {candidate.distribution} failed: {type(error).__name__}: {error}"
        raise PluginError(what, where=place_of_error(error)) from error


def _call(name: str, given: Sequence[str]) -> int:
    command = find_command(name)
    if command is None:
        return _unknown(name)
    text = COMMANDS.get(name) or (command.__doc__ or "").strip().partition("\n")[0]
    parser = argparse.ArgumentParser(prog=f"rish {name}", description=text)
    command.add_arguments(parser)
    if not getattr(command, "SETTLES", False):  # such a command calls settle() itself, after its game is built
        settle()
    return command.run(parser.parse_args(given))


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
    from rish_ecs import place_of_error

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
    except (Exception, SystemExit) as error:
        package = f"{candidate.distribution} {candidate.version}"
        what = f"command '{name}' of {package} can't be imported: {type(error).__name__}: {error}"
        raise PluginError(what, where=place_of_error(error)) from error


def guarded(work: Callable[[], int]) -> int:
    """Run a command; return its exit code. User errors are printed as a sentence (2), faults with a traceback (1)."""
    from rish_ecs import RishError

    try:
        return work()
    except RishError as error:
        print(f"rish: {error}", file=sys.stderr)
        return YOURS
    except KeyboardInterrupt:
        print("rish: interrupted", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # the reader closed the pipe
        return FINE
    except OSError as error:
        if error.strerror is None:
            return _our_fault()
        print(f"rish: {error.filename or 'writing'}: {error.strerror}", file=sys.stderr)
        return YOURS
    except Exception:
        return _our_fault()


def _our_fault() -> int:
    """Print the traceback of the current exception as a fault of Rish; return exit code 1."""
    import traceback

    traceback.print_exc()
    print("rish: this is a bug in Rish; please report it with the lines above", file=sys.stderr)
    return OURS


def _foreign() -> dict[str, Candidate]:
    from .plugin.discovery import installed_commands

    return {candidate.name: candidate for candidate in reversed(installed_commands())}  # of two, the first counts


def _unknown(name: str) -> int:
    from rish_ecs import did_you_mean, how_to_get

    if name in PACKAGED:
        how = how_to_get(PACKAGED[name])
        print(f"rish: the command {name!r} comes with {PACKAGED[name]}, which is not installed. {how}", file=sys.stderr)
        return YOURS
    known = [*COMMANDS, *_foreign()]
    print(
        f"rish: there is no command {name!r}{did_you_mean(name, known)}. Commands: {', '.join(known)}", file=sys.stderr
    )
    return YOURS


if __name__ == "__main__":
    sys.exit(main())
