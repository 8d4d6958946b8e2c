"""Kernels that are ready before they are called: compiled while a game loads or in a thread, never within a frame.

Code that has a plain fallback for its kernels asks a `Ready` first::

    READY = Ready(_warm_up)  # calls each kernel once, with a row or two

    if READY.serve(len(rows), MANY):
        kernel(...)
    else:
        the same in numpy

`READY.now()` belongs into `rish_warm_up`, for scenes that are large or may become so. A small game that grows beyond
all expectation gets its kernels from a thread beside it and goes on with numpy meanwhile, so that neither its first
picture nor any later one waits for a compiler.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable

from .kernel import available

_log = logging.getLogger("rish.jit")
MANY = 256
"""Entities from which on a scene is thought to need kernels."""


class Ready:
    """Whether some kernels can be called without waiting for them.

    warm_up: calls each of them once, with arguments of the types that come later.
    """

    def __init__(self, warm_up: Callable[[], object]) -> None:
        self._warm_up = warm_up
        self._done = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self) -> bool:
        """Whether they are ready; the first question starts to prepare them."""
        if self._done:
            return True
        if self._thread is None and available():
            self._thread = threading.Thread(target=self._prepare, name="rish-kernels", daemon=True)
            self._thread.start()
        return False

    @property
    def ready(self) -> bool:
        """Whether they are ready; nothing is prepared for the question."""
        return self._done

    def serve(self, rows: int, many: int) -> bool:
        """Whether the kernels should do so many rows: all there are once they are ready, and before that it takes
        `many` for them to be prepared at all.
        """
        return self._done or (rows >= many and self())

    def now(self) -> bool:
        """Prepare them and wait for it; gives whether they can be had at all."""
        if not self._done and available():
            self._prepare()
        return self._done

    def _prepare(self) -> None:
        with self._lock:
            if self._done:
                return
            try:
                self._warm_up()
            except Exception:
                if not threading.main_thread().is_alive():
                    return  # the program ends, and numba with it
                _log.exception("kernels could not be prepared, so numpy does their work")
                return
            self._done = True


def worth_preparing(entities: int) -> bool:
    """Whether a scene should have its kernels before it begins: it is large, or numba is there anyway."""
    return entities >= MANY or "numba" in sys.modules
