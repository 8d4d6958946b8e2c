"""Control of Python's garbage collector for the programs of the `rish` command.

Building a game creates about a hundred thousand objects that live until the end of the program. Python scans them for
cycles repeatedly, which takes a tenth of the time to the first frame. So the command line disables the collector until
the game is built. The objects that exist then are frozen (`gc.freeze`): they are scanned neither during the game, where
that would cost frames, nor at exit. Objects that are created later are collected as usual.

In a program that uses Rish as a library the collector is unchanged: `settle` does nothing unless `put_off` was called.
"""

from __future__ import annotations

import gc
import sys

_controls_collector = False


def put_off() -> None:
    """Disable the garbage collector until `settle`; called when the `rish` command starts."""
    global _controls_collector
    _controls_collector = True
    gc.disable()


def settle() -> None:
    """Freeze the objects that exist now, and enable the garbage collector again, if `put_off` was called."""
    if _controls_collector:
        jit = sys.modules.get("rish_jit")
        if jit is not None and jit.compilations:
            gc.collect()  # a compiler leaves many unreachable objects
        gc.freeze()
        gc.enable()


def thaw() -> None:
    """Unfreeze all objects, so that those of a closed game are collected; `settle` freezes the remaining ones again."""
    if _controls_collector:
        gc.unfreeze()
