"""A pool of Ray actors, on this machine or on the cluster that `RAY_ADDRESS` names."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterator
from importlib import import_module
from typing import Any, Self

from .work import TRIES, Died, Make, Worker, result_of


class RayPool:
    """Does jobs in actors of Ray, see `Pool`. workers: how many; None: one for each processor of the cluster.

    Ray begins a job again whose actor died, on another machine if that is gone. A Ray that this program has started
    already is used, and left running; otherwise it is started, or joined if the variable RAY_ADDRESS names a cluster.
    Each machine needs the same packages, and the game under the same path.
    """

    name = "Ray"

    def __init__(self, make: Make, workers: int | None = None) -> None:
        # `uv run` would otherwise be repeated in each worker, with a copy of the current folder
        os.environ.setdefault("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
        self._ray: Any = import_module("ray")
        ray = self._ray
        self._own = not ray.is_initialized()
        if self._own:
            size = {} if os.environ.get("RAY_ADDRESS") else {"num_cpus": workers}
            ray.init(include_dashboard=False, log_to_driver=False, logging_level="error", **size)
        self.workers = workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
        actor: Any = ray.remote(num_cpus=1, max_restarts=-1, max_task_retries=TRIES - 1)(Worker)
        self._actors = [actor.remote(make) for _ in range(self.workers)]
        self._idle = deque(self._actors)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def results(self, jobs: list[Any]) -> Iterator[tuple[int, Any]]:
        """Yield the number and the result of each job, see `Pool`."""
        waiting = deque(enumerate(jobs))
        running: dict[Any, tuple[int, Any]] = {}
        while waiting or running:
            while waiting and self._idle:
                number, job = waiting.popleft()
                actor = self._idle.popleft()
                running[actor.answer.remote(job)] = number, actor
            done, _ = self._ray.wait(list(running))
            number, actor = running.pop(done[0])
            self._idle.append(actor)
            try:
                answer = self._ray.get(done[0])
            except self._ray.exceptions.RayActorError:
                yield number, Died(TRIES)
            else:
                yield number, result_of(answer)

    def close(self) -> None:
        """End the actors, and Ray if the pool has started it."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors.clear()
        self._idle.clear()
        if self._own:
            self._ray.shutdown()
