"""A pool of processes on this machine. A process that dies is replaced, and its job is begun again."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any, Self

from rish_system import signal_ignored

from .work import TRIES, Died, Make, Worker, result_of


@dataclass(eq=False)
class _Process:
    """A worker. pipe: this end of its pipe. job: the number of the job that it does; None: it is idle."""

    process: Any
    pipe: Any
    job: int | None = None


class LocalPool:
    """Does jobs in processes of this machine, see `Pool`. workers: how many; None: one for each processor.

    Ctrl-C interrupts this process only. The others end when it closes the pool, and after their job when it is gone.
    """

    name = "local"

    def __init__(self, make: Make, workers: int | None = None) -> None:
        self.workers = workers or processors()
        self._make = make
        self._context = multiprocessing.get_context("spawn")  # a fork would share the locks of threads
        self._processes: list[_Process] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def process_ids(self) -> list[int]:
        """The numbers of the running processes."""
        return [each.process.pid for each in self._processes]

    def results(self, jobs: list[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number and the result of each job, see `Pool`."""
        waiting, tries, left = deque(range(len(jobs))), [0] * len(jobs), len(jobs)
        while len(self._processes) < min(self.workers, left):
            self._processes.append(self._start())
        while left:
            for number, result in self._exchange(jobs, waiting, tries):
                left -= 1
                yield number, result

    def _exchange(self, jobs: list[Any], waiting: deque[int], tries: list[int]) -> Iterator[tuple[int, Any]]:
        """Give jobs to idle workers, wait for an answer, and yield what is done."""
        for worker in [each for each in self._processes if each.job is None]:
            if waiting:
                worker.job = waiting.popleft()
                tries[worker.job] += 1
                try:
                    worker.pipe.send(jobs[worker.job])
                except OSError:  # it has died; reading its pipe says so as well
                    pass
        for pipe in wait([each.pipe for each in self._processes if each.job is not None]):
            worker = next(each for each in self._processes if each.pipe is pipe)
            number, worker.job = worker.job, None
            assert number is not None
            try:
                answer = worker.pipe.recv()
            except (EOFError, OSError):
                self._replace(worker)
                if tries[number] < TRIES:
                    waiting.appendleft(number)
                else:
                    yield number, Died(TRIES)
            else:
                yield number, result_of(answer)

    def _start(self) -> _Process:
        here, there = self._context.Pipe()
        process = self._context.Process(target=_serve, args=(there, self._make), daemon=True)
        with signal_ignored("SIGINT"):  # also by the new process
            process.start()
        there.close()
        return _Process(process, here)

    def _replace(self, worker: _Process) -> None:
        self._end(worker)
        self._processes[self._processes.index(worker)] = self._start()

    def _end(self, worker: _Process) -> None:
        worker.process.kill()  # what it does is lost, and no state of it is kept
        worker.process.join()
        worker.pipe.close()

    def close(self) -> None:
        """End the processes; what they do is lost."""
        for worker in self._processes:
            self._end(worker)
        self._processes.clear()


def processors() -> int:
    """Return the number of processors that this process may use."""
    affinity: Any = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _serve(pipe: Connection, make: Make) -> None:
    """Do jobs until the other end of the pipe is gone."""
    worker = Worker(make)
    while True:
        try:
            job = pipe.recv()
        except (EOFError, OSError):
            return
        answer = worker.answer(job)
        try:
            pipe.send(answer)
        except OSError:
            return
