"""A stand-in for worker processes that only writes down what it is asked, and kernels that call one another."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from types import ModuleType, SimpleNamespace

from rish_jit import Listed
from rish_jit.compiler.kernel import INNER

MODULE = "planned_kernels"


def name_of(listed: str) -> str:
    """Return the name of a listed kernel without its module and its form."""
    return listed.removesuffix(INNER).rpartition(".")[2]


@dataclass
class Records:
    """What happened: the begin and the end of each kernel. deadly: how often the compiler of a kernel dies."""

    deadly: dict[str, int] = field(default_factory=dict[str, int])
    events: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    pause: Callable[[], float] = lambda: 0.0

    def begun(self) -> Counter[str]:
        """Return how often each kernel was begun."""
        return Counter(name for what, name in self.events if what == "begin")


class Recorder:
    """Stands for a worker process: it answers tasks after a short while, and writes them down."""

    def __init__(self, records: Records) -> None:
        self._records, self._task = records, ""
        self.stdin = SimpleNamespace(write=self._write, flush=lambda: None)
        self.stdout = SimpleNamespace(readline=self._answer)
        self._dead = False

    def _write(self, text: str) -> None:
        if self._dead:
            raise BrokenPipeError("the process is dead")
        self._task += text

    def _answer(self) -> str:
        name = name_of(json.loads(self._task).get("kernel", "load"))
        self._task = ""
        self._records.events.append(("begin", name))
        time.sleep(self._records.pause())
        if self._records.deadly.get(name, 0) > 0:
            self._records.deadly[name] -= 1
            self._records.events.append(("death", name))
            self._dead = True
            return ""
        self._records.events.append(("end", name))
        return '{"error": null}\n'

    def kill(self) -> None:
        """End the process."""
        self._dead = True

    def communicate(self) -> None:
        """Wait for its end."""


def define(calls: list[set[int]]) -> list[Listed]:
    """Define kernels that call others with lower numbers; return the list of them."""
    lines = ["from rish_jit import njit"]
    for number, called in enumerate(calls):
        body = " + ".join([*(f"k{each}(x)" for each in sorted(called)), "x"])
        lines += ["@njit", f"def k{number}(x):", f"    return {body}"]
    module = sys.modules[MODULE] = ModuleType(MODULE)
    module.__spec__ = ModuleSpec(MODULE, None)
    exec("\n".join(lines), module.__dict__)
    return [Listed(f"{MODULE}.k{number}{INNER}", "(i8,)") for number in range(len(calls))]
