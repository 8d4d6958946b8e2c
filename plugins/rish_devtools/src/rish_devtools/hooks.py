"""The hook that the doctor adds. Its caller is a command, so a game does not know it: see `hookimpl(optional=True)`."""

from __future__ import annotations

from typing import Any

from rish_core import hookspec


@hookspec(provisional=True)
def rish_diagnose(manifest: Any) -> list[tuple[str, str, str]]:  # pyright: ignore[reportReturnType]
    """Return the plugin's diagnosis of this machine, for `rish doctor`.

    When: when the command runs; there is no World.
    How often: once.
    Arguments: manifest: the `Manifest` of the game that the command names, or None.
    Returns: a list of lines: the mark `ok`, `--` (absent) or `!!` (broken), the subject, and a sentence; for what is
        absent it says how to get it.
    Failures: reported with the plugin's name; the lines of the other plugins are printed.
    Example::

        @hookimpl(optional=True)
        def rish_diagnose(manifest):
            return [("--", "wind", "no wind machine is connected; plug one in")]
    """
