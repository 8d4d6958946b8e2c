"""The garbage collector in a program that is a game.

To put a game together takes a hundred thousand objects that stay to its end, and Python looks through them again and
again for rings of garbage: a tenth of the time to the first picture. So the command line puts that off until the game
is built. What is there then is never looked through any more (`gc.freeze`), neither in play, where it would cost
frames, nor in the end, when all of it goes anyway. What is made later is collected as ever.

A program that only calls Rish keeps its collector as it is: nothing here does anything unless `put_off` was called.
"""

from __future__ import annotations

import gc
import sys

_own = False


def put_off() -> None:
    """Collect nothing until `settle`; for the start of a program of our own."""
    global _own
    _own = True
    gc.disable()


def settle() -> None:
    """Freeze the objects that exist now, and enable the garbage collector again."""
    if _own:
        jit = sys.modules.get("rish_ecs.jit")
        if jit is not None and jit.compilations:
            gc.collect()  # a compiler leaves much behind
        gc.freeze()
        gc.enable()
