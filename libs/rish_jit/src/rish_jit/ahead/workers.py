"""Kernels compiled in worker processes, one a core, into the cache that this process then loads from.

numba holds one lock while it compiles, so threads of one process gain nothing and stop the game. Processes do not share
that lock. Each worker takes the next kernel whose callees are compiled, the largest first; so no kernel is compiled
twice, and no large one is left for the end. A worker that dies is replaced and its kernel given to another one, once:
a kernel that kills its compiler twice is left to the game, which compiles it when it is called.
"""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from ..cache import INNER
from ..stamps import reached
from .lists import Listed

_log = logging.getLogger("rish.jit")
MAX_WORKERS = 8
_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from rish_jit.ahead.worker import main; main()"
PATIENCE = 0.03
"""Seconds between two looks at the window while processes compile."""
_TRIES = 2
_FAILURES = 5
"""Processes that end one after the other without finishing a task, after which no more are started."""
_DEATHS = OSError, ValueError, KeyError, TypeError
"""What is raised if a process has died, or its answer is none."""

Load = tuple[str, str, str | int | None]
"""A call in a worker: module, function, and its argument or None. It makes modules importable, or calls kernels."""
LOWEST_PRIORITY: list[Load] = [("os", "nice", 19)] if hasattr(os, "nice") else []
"""Calls that give a worker the lowest priority, as far as the system has priorities: for what may be needed later."""
IN_BACKGROUND: list[Load] = [("os", "nice", 5)] if hasattr(os, "nice") else []
"""The same for what is waited for while the game goes on: after the game, but also beside a busy machine."""


@dataclass
class _Task:
    """A kernel to compile. needs: the numbers of tasks that come before it. size: instructions, for the order.

    urgent: it comes before all others that are ready.
    """

    listed: Listed
    needs: set[int]
    size: int
    tries: int = 0
    urgent: bool = False


@dataclass
class _Plan:
    """Which tasks are ready, running and done; guarded by `changed`.

    numbers: of the tasks that compile a kernel, by its name. linger: seconds to wait for more tasks.
    """

    tasks: list[_Task] = field(default_factory=list[_Task])
    numbers: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    waiting: set[int] = field(default_factory=set[int])
    running: dict[int, str] = field(default_factory=dict[int, str])
    done: int = 0
    ended: bool = False
    linger: float = 0.0
    changed: threading.Condition = field(default_factory=threading.Condition)

    def add(self, entries: Iterable[Listed], urgent: Listed | None) -> list[int]:
        """Add tasks, except for what is in work; return their numbers, that of the urgent one first.

        A task depends on the earlier tasks that compile the kernels it calls.
        """
        numbers: list[int] = []
        for listed in entries:
            number = self._number_of(listed)
            if number is not None:
                is_urgent = urgent is not None and (listed.kernel, listed.types) == (urgent.kernel, urgent.types)
                numbers.insert(0 if is_urgent else len(numbers), number)
                if is_urgent:
                    self._hurry(number)
        return numbers

    def _number_of(self, listed: Listed) -> int | None:
        """The number of the open task that compiles an entry, or of a new one; None if its kernel does not exist."""
        for number in self.numbers.get(listed.kernel, ()):
            if self.tasks[number].listed.types == listed.types and (number in self.waiting or number in self.running):
                return number
        kernel = listed.find()
        if kernel is None:
            return None
        functions = reached(kernel.py_func)
        names = {f"{each.__module__}.{each.__qualname__}{INNER}" for each in functions if each is not kernel.py_func}
        needs = {number for name in names for number in self.numbers.get(name, ())}
        number, size = len(self.tasks), sum(len(each.__code__.co_code) for each in functions)
        self.tasks.append(_Task(listed, needs, size))
        self.numbers.setdefault(listed.kernel, []).append(number)
        self.waiting.add(number)
        return number

    def _hurry(self, number: int) -> None:
        """Make a task urgent, and those that it needs."""
        self.tasks[number].urgent = True
        for needed in self.tasks[number].needs:
            self._hurry(needed)

    def take(self) -> int | None:
        """The number of the largest task that is ready; waits for one; None if nothing is left.

        While tasks run, it waits too: one comes back if its worker dies.
        """
        with self.changed:
            while not self.ended:
                open_tasks = self.waiting | self.running.keys()
                ready = [number for number in self.waiting if self.tasks[number].needs.isdisjoint(open_tasks)]
                if ready:
                    number = max(ready, key=lambda each: (self.tasks[each].urgent, self.tasks[each].size))
                    self.waiting.remove(number)
                    self.running[number] = self.tasks[number].listed.kernel
                    self.changed.notify_all()
                    return number
                if open_tasks:
                    self.changed.wait()
                elif not self.changed.wait_for(lambda: self.waiting or self.ended, self.linger):
                    break
            return None

    def finish(self, number: int, again: bool = False) -> None:
        """A task is done, or has to be done again because its worker died; after `_TRIES` it counts as done."""
        with self.changed:
            self.running.pop(number, None)
            self.tasks[number].tries += again
            if again and self.tasks[number].tries < _TRIES:
                self.waiting.add(number)
            else:
                self.done += 1
            self.changed.notify_all()

    def give_back(self, number: int) -> None:
        """A task was not begun."""
        with self.changed:
            self.running.pop(number, None)
            self.waiting.add(number)
            self.changed.notify_all()

    def end(self) -> None:
        """Hand out no more tasks."""
        with self.changed:
            self.ended = True
            self.changed.notify_all()


class Workers:
    """Worker processes that compile a list of kernels; a context manager.

    entries: in an order in which callees come first. loads: calls that make the modules importable. count: how many
    processes, by default one a core, at most `MAX_WORKERS`. linger: seconds that a process without work waits for more.
    """

    def __init__(
        self, entries: Sequence[Listed], *, loads: Sequence[Load] = (), count: int | None = None, linger: float = 0.0
    ) -> None:
        self._plan = _Plan(linger=linger)
        self._loads = loads
        self._processes: set[subprocess.Popen[str]] = set()
        self._count, self._active = min(count or cores(), MAX_WORKERS), 0
        self._threads: list[threading.Thread] = []
        self.add(entries)

    def add(self, entries: Sequence[Listed], urgent: Listed | None = None) -> list[int]:
        """Add kernels, and start processes for them; return the numbers of their tasks, that of `urgent` first.

        What is in work already is not added again. urgent: one of them; it and its callees come before all others.
        """
        with self._plan.changed:
            numbers = self._plan.add(entries, urgent)
            self._employ()
            self._plan.changed.notify_all()
        return numbers

    def open_tasks(self, numbers: Iterable[int]) -> int:
        """Return how many of these tasks are not done; 0 if no process is left that could do them."""
        with self._plan.changed:
            return sum(number in self._plan.waiting or number in self._plan.running for number in numbers) * (
                self._active > 0
            )

    @property
    def total(self) -> int:
        """The number of kernels."""
        return len(self._plan.tasks)

    @property
    def done(self) -> int:
        """The number of kernels that are compiled, or that can't be."""
        return self._plan.done

    @property
    def running(self) -> list[str]:
        """The names of the kernels that are being compiled."""
        with self._plan.changed:
            return list(self._plan.running.values())

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until something changes, at most for some seconds; gives whether all is done."""
        with self._plan.changed:
            if not self._finished():
                self._plan.changed.wait(seconds)
            return self._finished()

    def close(self) -> None:
        """End the processes."""
        self._plan.end()
        with self._plan.changed:
            processes = tuple(self._processes)
        for process in processes:
            process.kill()
        for thread in self._threads:
            thread.join()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _finished(self) -> bool:
        return self._plan.done == self.total or not self._active

    def _employ(self) -> None:
        """Start a thread for each kernel that waits, up to the number of processes."""
        waiting = 0 if self._plan.ended else len(self._plan.waiting)
        for _ in range(min(self._count, waiting) - self._active):
            name = f"rish-kernels-{len(self._threads)}"
            self._threads.append(threading.Thread(target=self._drive, name=name, daemon=True))
            self._active += 1
            self._threads[-1].start()

    def _drive(self) -> None:
        """Give tasks to one process after the other, until nothing is left or processes die again and again."""
        failures = 0
        try:
            while failures < _FAILURES and (number := self._plan.take()) is not None:
                failures = 0 if self._serve(number) else failures + 1
        except OSError as error:
            failures = _FAILURES
            _log.info("no worker process can be started, so kernels compile in the game: %s", error)
        finally:
            with self._plan.changed:
                self._active -= 1
                if failures < _FAILURES:
                    self._employ()  # for what was added since the last look
                self._plan.changed.notify_all()

    def _serve(self, number: int | None) -> bool:
        """Start a process and give it a task and those that follow; return whether it finished any.

        Raises OSError if no process can be started; then the task is given back.
        """
        assert number is not None
        try:
            process = self._start()
        except OSError:
            self._plan.give_back(number)
            raise
        served = 0
        try:
            _load(process, self._loads)
            while number is not None:
                _compile(process, self._plan.tasks[number].listed)
                self._plan.finish(number)
                served += 1
                number = self._plan.take()
        except _DEATHS:
            if number is not None and not self._plan.ended:
                _log.info("a worker process ended while it compiled %s", self._plan.tasks[number].listed.kernel)
                self._plan.finish(number, again=True)
        finally:
            self._processes.discard(process)
            process.kill()
            process.communicate()
        return served > 0

    def _start(self) -> subprocess.Popen[str]:
        """Start a process; kill it if all work has ended meanwhile. Raises OSError."""
        process = _start()
        with self._plan.changed:
            self._processes.add(process)
            if self._plan.ended:
                process.kill()
        return process


def compile_ahead(entries: Sequence[Listed], *, loads: Sequence[Load] = (), count: int | None = None) -> float:
    """Compile a list of kernels into the cache and wait for it; gives the seconds that it took."""
    begin = time.perf_counter()
    with Workers(entries, loads=loads, count=count) as workers:
        while not workers.wait():
            pass
    return time.perf_counter() - begin


def call_in_worker(load: Load) -> None:
    """Call a function in another process, which compiles the kernels that it calls; a failure is logged."""
    try:
        with _start() as process:
            error = _ask(process, {"load": load})["error"]
            process.kill()
    except (OSError, ValueError) as failure:
        error = str(failure)
    if error:
        _log.info("%s.%s could not be called in another process: %s", *load[:2], error)


def cores() -> int:
    """The number of processors that this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _load(process: subprocess.Popen[str], loads: Sequence[Load]) -> None:
    for load in loads:
        _report(".".join(load[:2]), _ask(process, {"load": load}))


def _compile(process: subprocess.Popen[str], listed: Listed) -> None:
    _report(listed.kernel, _ask(process, {"kernel": listed.kernel, "types": listed.types}))


def _report(what: str, answer: dict[str, Any]) -> None:
    """Log the error of an answer."""
    if answer["error"]:
        _log.info("%s failed in a worker process: %s", what, answer["error"])


def _start() -> subprocess.Popen[str]:
    """Start a worker process that imports from the same places as this process. Raises OSError."""
    return subprocess.Popen(
        [sys.executable, "-c", _PROGRAM, json.dumps(sys.path)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8",
    )  # fmt: skip


def _ask(process: subprocess.Popen[str], task: dict[str, Any]) -> dict[str, Any]:
    """Send a task and wait for the answer. Raises OSError or ValueError if the process has died."""
    assert process.stdin is not None
    assert process.stdout is not None
    print(json.dumps(task), file=process.stdin, flush=True)
    answer: dict[str, Any] = json.loads(process.stdout.readline())
    return answer
