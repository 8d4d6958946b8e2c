"""Kernels that are compiled before they are called: while a game loads or in a thread, never within a frame.

Code with a numpy fallback for its kernels checks a `Ready` first::

    READY = Ready(_warm_up)  # calls each kernel once, with a row or two

    if READY.serve(len(rows), MANY):
        kernel(...)
    else:
        the same in numpy

`READY.now()` is called in `rish_warm_up`, for scenes that are large or may become large. If a small game grows
unexpectedly, its kernels are compiled in a thread, and numpy is used meanwhile, so that no frame waits for a compiler.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable

from .kernel import available

_log = logging.getLogger("rish.jit")
MANY = 256
"""The number of entities at which a scene gets its kernels before it begins."""


class Ready:
    """The state of some kernels: whether they can be called without waiting for a compilation.

    warm_up: calls each kernel once, with arguments of the types that are used later.
    """

    def __init__(self, warm_up: Callable[[], object]) -> None:
        self._warm_up = warm_up
        self._done = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self) -> bool:
        """Whether the kernels are ready; the first call starts a thread that prepares them."""
        if self._done:
            return True
        if self._thread is None and available():
            self._thread = threading.Thread(target=self._prepare, name="rish-kernels", daemon=True)
            self._thread.start()
        return False

    @property
    def ready(self) -> bool:
        """Whether the kernels are ready; does not start to prepare them."""
        return self._done

    def serve(self, rows: int, many: int) -> bool:
        """Return whether the kernels are ready; from `many` rows on, start to prepare them if they are not."""
        return self._done or (rows >= many and self())

    def now(self) -> bool:
        """Prepare the kernels and wait for it; return whether they are ready."""
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
                    return  # the program and numba are being shut down
                _log.exception("kernels could not be prepared, so numpy does their work")
                return
            self._done = True


def worth_preparing(entities: int) -> bool:
    """Whether a scene's kernels should be prepared before it begins: it is large, or numba is already imported."""
    return entities >= MANY or "numba" in sys.modules
