"""Kernels that are called before they are compiled: worker processes compile them while the game goes on, or waits."""

from __future__ import annotations

import functools
import logging
import threading
from collections.abc import Callable, Sequence

from .lists import Listed
from .workers import IN_BACKGROUND, PATIENCE, Load, Workers, cores

_log = logging.getLogger("rish.jit")
_LINGER = 2.0
"""Seconds that a process waits for more kernels, because a system that calls one often calls another."""
_waiting: list[Callable[[str, int, int], object]] = []


def on_wait(callback: Callable[[str, int, int], object]) -> Callable[[], None]:
    """Call `callback(kernel, done, total)` while a called kernel compiles in another process; return what ends it.

    It is called every few hundredths of a second by the main thread, if that called the kernel and waits for it. done,
    total: of the kernels that are compiled together with it.
    """
    _waiting.append(callback)
    return functools.partial(_waiting.remove, callback)


class CalledKernels:
    """The worker processes for called kernels, one fewer than there are cores, started for the first kernel."""

    def __init__(self, loads: Sequence[Load] = ()) -> None:
        self._loads = [*IN_BACKGROUND, *loads]
        self._lock = threading.Lock()
        self._workers: Workers | None = None

    def begin(self, called: Listed, together: Sequence[Listed], meanwhile: Callable[[], object]) -> CalledKernel:
        """Begin to compile a kernel before all that wait, and what is used together with it; return at once.

        meanwhile: called every few hundredths of a second while the main thread waits for the kernel.
        """
        what = "with what is used with it" if len(together) > 1 else "`rish record-kernels GAME` lists it"
        _log.info("%s%s compiles in the middle of the game; %s", called.kernel, called.types, what)
        with self._lock:
            if self._workers is None:
                self._workers = Workers((), loads=self._loads, count=max(1, cores() - 1), linger=_LINGER)
            return CalledKernel(self._workers, self._workers.add(together or [called], called), called, meanwhile)

    def close(self) -> None:
        """End the processes."""
        with self._lock:
            if self._workers is not None:
                self._workers.close()
                self._workers = None


class CalledKernel:
    """A called kernel that compiles. numbers: its task, the first, and those of what is compiled together with it."""

    def __init__(
        self, workers: Workers, numbers: Sequence[int], called: Listed, meanwhile: Callable[[], object]
    ) -> None:
        self._workers, self._numbers, self._kernel, self._meanwhile = workers, numbers, called.kernel, meanwhile

    @property
    def done(self) -> bool:
        """Whether it is stored, or can't be compiled there."""
        return not self._workers.open_tasks(self._numbers[:1])

    def wait(self) -> None:
        """Wait until it is done."""
        awake = threading.current_thread() is threading.main_thread()
        while not self.done:
            if awake:
                self._meanwhile()
                total = len(self._numbers)
                for tell in tuple(_waiting):
                    tell(self._kernel, total - self._workers.open_tasks(self._numbers), total)
            self._workers.wait(PATIENCE)
