"""Kernels that are compiled before they are called: while a game loads or in another process, never within a frame.

Code with a numpy fallback for its kernels checks a `Ready` first::

    READY = Ready(_warm_up)  # calls each kernel once, with a row or two

    if READY.serve(len(rows), MANY):
        kernel(...)
    else:
        the same in numpy

`READY.now` is returned by `rish_warm_up`, for scenes that are large or may become large. If a small game grows
unexpectedly, a worker process compiles its kernels into the cache. The game uses numpy meanwhile, and then loads them.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections.abc import Callable, Iterable

from ..compiler.kernel import available, can_compile, switched_off
from ..machine.host import usable
from ..native.specializations import NotStoredError, compiled_calls, only_stored
from .features import missing
from .lists import Listed
from .workers import call_in_worker

_log = logging.getLogger("rish.jit")
MANY = 256
"""The number of entities at which a scene gets its kernels before it begins."""


class Ready:
    """The state of some kernels: whether they can be called without waiting for a compilation.

    warm_up: calls each kernel once, with arguments of the types that are used later. It should be a function of a
    module, so that a worker process can call it; any other function is called by this process. listed: returns these
    kernels; if all are stored in the cache, no worker process is started.
    """

    def __init__(self, warm_up: Callable[[], object], listed: Callable[[], Iterable[Listed]] | None = None) -> None:
        self._warm_up, self._listed = warm_up, listed
        self._done = self._failed = self._compiled = self._tried = False
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

    def __call__(self) -> bool:
        """Return whether the kernels are ready; the first call loads them, or starts a process that compiles them."""
        if self._done or self._failed or self._load_stored():
            return self._done
        if self._compiled:
            return self.now()
        if self._thread is None and can_compile():
            self._thread = threading.Thread(target=self._compile, name="rish-kernels", daemon=True)
            self._thread.start()
        return False

    @property
    def ready(self) -> bool:
        """Whether the kernels are ready; does not start to prepare them."""
        return self._done

    def serve(self, rows: int, many: int) -> bool:
        """Return whether the kernels are ready; from `many` rows on, start to prepare them if they are not."""
        return self._done or self._load_stored() or (rows >= many and self())

    def now(self) -> bool:
        """Prepare the kernels and wait for it; return whether they are ready."""
        with self._lock:
            if not self._done and not self._failed and available():
                try:
                    with compiled_calls() if can_compile() else only_stored():
                        self._warm_up()
                    self._done = True
                except NotStoredError:
                    self._failed = True
                except Exception:
                    self._failed = True
                    _log.exception("kernels could not be prepared, so numpy does their work")
        return self._done

    def _load_stored(self) -> bool:
        """At the first call, load the kernels if machine code of all of them is stored; return whether it did."""
        if self._tried:
            return False
        self._tried = True
        if not usable() or switched_off() is not None:
            return False
        with self._lock:
            try:
                with only_stored():
                    self._warm_up()
                self._done = True
            except NotStoredError:
                return False
            except Exception:
                self._failed = True
                _log.exception("kernels could not be prepared, so numpy does their work")
        return self._done

    def _compile(self) -> None:
        """Compile the kernels into the cache in another process."""
        name: str = getattr(self._warm_up, "__qualname__", "")
        if name.isidentifier() and can_compile() and (self._listed is None or missing(self._listed())):
            call_in_worker((self._warm_up.__module__, name, None))
        self._compiled = True


def worth_preparing(entities: int) -> bool:
    """Return whether a scene's kernels should be prepared before it begins.

    Machine code costs nothing: it is loaded in a fraction of a millisecond, and calls of kernels are faster than numpy
    for few rows as well. numba is imported for a large scene only, or if it is imported already.
    """
    return entities >= MANY or (usable() and switched_off() is None) or "numba" in sys.modules
