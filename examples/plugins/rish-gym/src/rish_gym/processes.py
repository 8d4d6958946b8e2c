"""Batches in processes of their own, which write observations and rewards into memory that all processes share."""

from __future__ import annotations

import math
import multiprocessing
import traceback
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from multiprocessing.shared_memory import SharedMemory
from pathlib import Path
from typing import Any

import numpy as np

from rish_core import RishError

from .batch import Batch, Infos, result_arrays
from .observations import Arrays
from .task import Task

Layout = dict[str, tuple[tuple[int, ...], Any]]
"""The shape and dtype of each array, the number of games first."""
_ALIGNED = 64
_PATIENCE = 5.0
"""Seconds that a process has to end by itself before it is terminated."""


class ProcessFailed(RishError):
    """Raised when a game in another process failed, or the process ended."""


class SharedArrays:
    """Named arrays in one block of shared memory. name: of an existing block; None: a new one, which `close` frees."""

    def __init__(self, layout: Layout, name: str | None = None) -> None:
        starts, size = {}, 0
        for key, (shape, dtype) in layout.items():
            starts[key] = size
            size += -(-math.prod(shape) * dtype.itemsize // _ALIGNED) * _ALIGNED
        self._memory = SharedMemory(name, create=name is None, size=max(size, 1))
        self._own = name is None
        self.name = self._memory.name
        self.arrays: Arrays = {
            key: np.ndarray(shape, dtype, self._memory.buf, starts[key]) for key, (shape, dtype) in layout.items()
        }

    def close(self) -> None:
        """Release the memory; the arrays can't be used any more."""
        self.arrays.clear()
        self._memory.close()
        if self._own:
            self._memory.unlink()


class Processes:
    """Batches of one game in several processes. counts: the number of games of each.

    spaces: of the parts of an observation. arrays: observations and results of all games. Raises ProcessFailed with the
    message of the process.
    """

    def __init__(self, game: Path | str, task: Task, counts: Sequence[int], *, drawn: bool, autopilot: bool) -> None:
        context = multiprocessing.get_context("spawn")  # a fork would share locks of threads, such as those of kernels
        self._pipes: list[Any] = []
        self._workers: list[Any] = []
        self._memory: SharedArrays | None = None
        ends = np.cumsum(counts).tolist()
        self._spans = [(end - count, end) for end, count in zip(ends, counts, strict=True)]
        try:
            for count in counts:
                local_end, remote_end = context.Pipe()
                arguments = (remote_end, str(game), task, count, drawn, autopilot)
                worker = context.Process(target=serve, args=arguments, daemon=True)
                worker.start()
                remote_end.close()
                self._pipes.append(local_end)
                self._workers.append(worker)
            self.spaces, self.action_space = self._answers()[0]
            layout = layout_of(self.spaces, sum(counts))
            self._memory = SharedArrays(layout)
            self.arrays = self._memory.arrays
            self._ask([("share", (layout, self._memory.name, span)) for span in self._spans])
        except BaseException:
            self.close()
            raise

    def reset(self, seeds: Sequence[int | None], mask: Sequence[bool]) -> Infos:
        """Begin episodes in the games of the mask, see `Batch.reset`."""
        return self._joined([("reset", (seeds[a:b], mask[a:b])) for a, b in self._spans])

    def step(self, actions: Sequence[Any]) -> Infos:
        """Run one step of all games, see `Batch.step`."""
        return self._joined([("step", (actions[a:b],)) for a, b in self._spans])

    def pictures(self) -> list[Any]:
        """Return a picture of each game, see `Batch.pictures`."""
        return self._joined([("pictures", ()) for _ in self._spans])

    def close(self) -> None:
        """End the processes and free the memory."""
        for pipe in self._pipes:
            try:
                pipe.send(("close", ()))
            except OSError:  # the process has ended
                pass
        for worker in self._workers:
            worker.join(_PATIENCE)
            if worker.is_alive():
                worker.terminate()
                worker.join()
        for pipe in self._pipes:
            pipe.close()
        self._pipes.clear()
        self._workers.clear()
        if self._memory is not None:
            self.arrays = {}
            self._memory.close()
            self._memory = None

    def _joined(self, requests: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        return [item for answer in self._ask(requests) for item in answer]

    def _ask(self, requests: list[tuple[str, tuple[Any, ...]]]) -> list[Any]:
        for number, (pipe, request) in enumerate(zip(self._pipes, requests, strict=True)):
            try:
                pipe.send(request)
            except OSError:
                raise ProcessFailed(f"process {number} of the games has ended") from None
        return self._answers()

    def _answers(self) -> list[Any]:
        """Return one answer of each process. All are read before an error is raised."""
        answers: list[Any] = []
        failures: list[str] = []
        for number, pipe in enumerate(self._pipes):
            try:
                succeeded, answer = pipe.recv()
            except (EOFError, OSError):
                succeeded, answer = False, "it has ended"
            if succeeded:
                answers.append(answer)
            else:
                failures.append(f"process {number} of the games: {answer}")
        if failures:
            raise ProcessFailed("\n".join(failures))
        return answers


def layout_of(parts: Mapping[str, Any], count: int) -> Layout:
    """Return the layout of the arrays for a number of games. parts: the spaces of an observation, by name."""
    return {name: ((count, *space.shape), space.dtype) for name, space in parts.items()} | result_arrays(count)


def serve(pipe: Connection, game: str, task: Task, count: int, drawn: bool, autopilot: bool) -> None:
    """Run a batch in this process, and answer requests until `close` or the other end is gone."""
    batch: Batch | None = None
    memory: SharedArrays | None = None
    out: Arrays = {}
    try:
        batch = Batch(game, task, count, drawn=drawn, autopilot=autopilot)
        pipe.send((True, (batch.seat.observer.spaces, batch.seat.controls.space)))
        while True:
            verb, arguments = pipe.recv()
            if verb == "close":
                break
            if verb == "share":
                layout, name, (first, end) = arguments
                memory = SharedArrays(layout, name)
                out = {key: array[first:end] for key, array in memory.arrays.items()}
                answer: Any = None
            elif verb == "pictures":
                answer = batch.pictures()
            else:
                answer = getattr(batch, verb)(*arguments, out)
            pipe.send((True, answer))
    except (EOFError, KeyboardInterrupt):
        pass
    except Exception as error:
        pipe.send((False, str(error) if isinstance(error, RishError) else traceback.format_exc()))
    finally:
        out.clear()
        if memory is not None:
            memory.close()
        if batch is not None:
            batch.close()
