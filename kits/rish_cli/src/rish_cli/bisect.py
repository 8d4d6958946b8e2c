"""Finds the plugin that breaks a game, for `rish run --bisect`: plays the game again with fewer and fewer plugins.

A plugin that is left out is still loaded, so that the manifest stays valid, but nothing of it runs (`--without`). Each
trial is a process of its own, so a plugin that ends or hangs the process is found as well.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence

from rish_core import Plugins
from rish_core.plugin import CORE, smallest
from rish_ecs import UsageError, say
from rish_system import run_text

FRAMES = 300
"""The number of frames of a trial by default."""
TIME_LIMIT = 120.0
"""Seconds after which a trial is stopped and counts as broken."""


def bisect(plugins: Plugins, options: Sequence[str], *, ask: bool = False) -> int:
    """Find the smallest set of plugins with which a game breaks, and print it; return the exit code.

    plugins: those of the game. options: of `rish run` for the trials. ask: ask the person after each trial whether the
    game was broken; if False, an exit code other than 0 says so. Raises UsageError if the game is not broken.
    """
    names = [name for name in plugins.names if name != CORE]
    last_output: list[str] = []
    count = 0

    def broken(running: Sequence[str]) -> bool:
        nonlocal count
        count += 1
        without = [name for name in names if name not in running]
        say(f"rish: trial {count}: {', '.join(running) or 'no plugins'}", error=True)
        is_broken, text = _trial(options, without, ask)
        last_output[:] = [text] if is_broken else last_output
        return is_broken

    if not broken(names):
        raise UsageError("the game is not broken with all its plugins", hint="Give more --frames, or use --bisect ask")
    if broken(()):
        say("The game breaks without its plugins as well: the cause is in the kernel or in the manifest")
    else:
        culprits = smallest(names, broken)
        needed = {plugin for name in culprits for group in plugins.required[name] for plugin in group}
        tops = [name for name in culprits if name not in needed]
        required = [name for name in culprits if name not in tops]
        which = "which it requires" if len(tops) == 1 else "which they require"
        suffix = f" (with {' and '.join(required)}, {which})" if required else ""
        together = " together" if len(tops) > 1 else ""
        say(f"The game breaks with {' and '.join(tops)}{together}{suffix}; it took {count} trials")
    if last_output and last_output[0]:
        say(last_output[0])
    return 2


def _trial(options: Sequence[str], without: Sequence[str], ask: bool) -> tuple[bool, str]:
    """Run the game without some plugins; return whether it is broken, and the end of its error output."""
    command = [sys.executable, "-m", "rish_core", "run", *options, "--without", ",".join(without)]
    if ask:
        subprocess.run(command, check=False)
        return _answer(input), ""
    try:
        process = run_text(command, timeout=TIME_LIMIT)
    except subprocess.TimeoutExpired:
        return True, f"It did not end within {TIME_LIMIT:.0f} seconds"
    return process.returncode != 0, process.stderr.strip()[-2000:]


def _answer(read: Callable[[str], str]) -> bool:
    while True:
        answer = read("Was it broken? [y/n] ").strip().lower()
        if answer[:1] in ("y", "n"):
            return answer[0] == "y"
