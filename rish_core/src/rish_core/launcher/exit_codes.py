"""The exit codes of `rish`: user errors are printed as a sentence, faults of Rish with a traceback."""

from __future__ import annotations

from collections.abc import Callable

from rish_jit.errors.terminal import flush, say, say_traceback

FINE, OURS, YOURS, INTERRUPTED = 0, 1, 2, 130
"""The exit codes for success, a fault of Rish, a mistake of the user, a game or a plugin, and Ctrl-C."""


def guarded(work: Callable[[], int]) -> int:
    """Run a command; return its exit code, or that of the error that it raises, which is printed."""
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
    """Print an unexpected error of a game, of a plugin or of Rish itself; return the exit code."""
    from rish_ecs import describe_error
    from rish_jit.errors.packages import culprit

    from ..plugin.discovery import installed_plugins
    from ..plugin.game import PREFIX

    is_exit = isinstance(error, SystemExit)  # options and commands may do that, a game may not
    plugins = [] if is_exit else installed_plugins()
    distributions = {plugin.value.partition(".")[0]: plugin.distribution for plugin in plugins}
    blamed = culprit(error, lambda package: "the game" if package.startswith(PREFIX) else distributions.get(package))
    if blamed is not None:
        say(f"rish: {blamed[1]}: the code of {blamed[0]} failed: {describe_error(error)}", error=True)
        return YOURS
    if is_exit:
        raise error
    say_traceback(error)
    say("rish: this is a bug in Rish; please report it with the lines above", error=True)
    return OURS
