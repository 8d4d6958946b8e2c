"""The processes of the engines: one each, controlled by lines of JSON, asleep except in their turn.

`Worker` is the harness's end of the connection; this file, run as a module, is the process's end.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._clocks import CLOCKS, cpu_of_children

if TYPE_CHECKING:
    from ._task import Task

ROOT = Path(__file__).resolve().parents[1]
_MAX_CALLS = 100_000
_LONG, _VERY_LONG = 0.2, 1.0
"""The run time, in seconds, from which one run is a round, and from which one run is enough for the warm-up."""


class Worker:
    """A process of one engine. `ask` sends an order and waits for its reply, a dict; see `_Server`."""

    def __init__(self, module: str, engine: str) -> None:
        self.engine = engine
        self._errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self._process = subprocess.Popen(
            [sys.executable, "-m", "benchmarks._worker", module, engine],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._errors,
            text=True,
            encoding="utf-8",
        )

    @property
    def alive(self) -> bool:
        """Return True if the process still runs."""
        return self._process.poll() is None

    def ask(self, **order: Any) -> dict[str, Any]:
        """Send an order; return the reply, or `{"error": why}` if the process died during it."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(order) + "\n")
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except OSError:
            line = ""
        return json.loads(line) if line else {"error": self._last_words()}

    def _last_words(self) -> str:
        code = self._process.wait()
        self._errors.seek(0)
        said = self._errors.read().decode(errors="replace").strip().splitlines()
        last = f": {hide_paths(said[-1])}" if said else ""
        return f"the process of {self.engine} ended with code {code}{last}"

    def close(self) -> None:
        """End the process."""
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            try:
                pipe.close()
            except OSError:
                pass
        try:
            self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()


def hide_paths(text: str) -> str:
    """Return a message without this machine's folders, for published results."""
    for folder, stand_in in ((ROOT, "."), (Path(tempfile.gettempdir()), "TMP"), (Path.home(), "~")):
        if len(str(folder)) > 1:
            text = text.replace(str(folder), stand_in)
    return text


def measure(task: Task, calls: int) -> float:
    """Return the seconds that one part of a run takes, on average over `calls` runs."""
    clock, run, before, parts = CLOCKS[task.clock], task.run, task.before, calls * task.parts
    if before is None:
        start = clock()
        for _ in range(calls):
            run()
        return (clock() - start) / parts
    total = 0.0
    for _ in range(calls):
        before()
        start = clock()
        run()
        total += clock() - start
    return total / parts


def calibrate(task: Task, seconds: float) -> int:
    """Return the number of runs that fill a round of `seconds`, preparations included; warm the task up as well."""
    if task.once:
        return 1
    for enough in (_VERY_LONG, _LONG):
        start = time.perf_counter()
        measure(task, 1)
        if time.perf_counter() - start > enough:
            return 1
    calls = 1
    while True:
        start = time.perf_counter()
        measure(task, calls)
        took = time.perf_counter() - start
        if took >= seconds / 2 or calls >= _MAX_CALLS:
            return max(1, min(_MAX_CALLS, round(calls * seconds / max(took, 1e-7))))
        calls *= 4


class _Server:
    """Executes the orders `prepare`, `round` and `finish`."""

    def __init__(self, module: str, engine: str) -> None:
        self._engine = engine
        self._package = module.rpartition(".")[0]
        self._cases = {case.name: case for case in importlib.import_module(module).CASES}
        self._task: Task | None = None

    def obey(self, order: dict[str, Any]) -> dict[str, Any]:
        """Execute an order and return its reply; an exception becomes the reply."""
        try:
            if order["do"] == "prepare":
                return self._prepare(order["case"], order["seconds"])
            if order["do"] == "round":
                return self._round(order["calls"])
            return self._finish()
        except ModuleNotFoundError as error:
            return {"absent": f"{error.name} is not installed"}
        except (Exception, SystemExit) as error:
            return {"error": hide_paths(f"{type(error).__name__}: {error}")}

    def _prepare(self, case: str, seconds: float) -> dict[str, Any]:
        self._finish()
        module, _, name = self._cases[case].engines[self._engine].partition(":")
        make = getattr(importlib.import_module(f"{self._package}.{module}".lstrip(".")), name)
        self._task = task = make()
        return {"calls": calibrate(task, seconds), "clock": task.clock}

    def _round(self, calls: int) -> dict[str, Any]:
        """Return the seconds of a run by the task's clock, and the processor time of the processes that it started."""
        assert self._task is not None
        before = cpu_of_children()
        seconds = measure(self._task, calls)
        return {"seconds": seconds, "cpu": (cpu_of_children() - before) / calls}

    def _finish(self) -> dict[str, Any]:
        task, self._task = self._task, None
        if task is not None and task.after is not None:
            task.after()
        del task
        gc.collect()
        return {}


def _serve(module: str, engine: str) -> None:
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = _Server(module, engine)
    for line in sys.stdin:
        replies.write(json.dumps(server.obey(json.loads(line))) + "\n")
        replies.flush()


if __name__ == "__main__":
    _serve(sys.argv[1], sys.argv[2])
