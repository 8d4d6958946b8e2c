"""What a process has besides a World: threads, open files, variables, patched modules. Compared before and after."""

from __future__ import annotations

import gc
import locale
import logging
import os
import random
import sys
import threading
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rish_system import handlers_of

_WATCHED = (
    "builtins", "os", "os.path", "sys", "time", "random", "math", "json", "pathlib", "logging", "threading", "socket",
    "subprocess", "datetime", "numpy", "numpy.random", "numpy.linalg", "yaml", "pluggy",
)  # fmt: skip
"""Modules whose names nobody else may replace; the packages of Rish are watched as well."""
_FDS = 256
"""The numbers below which open files are looked for where the system has no list of them."""


@dataclass(frozen=True)
class Surroundings:
    """The state of a process. files: what the open file descriptors refer to. variables: of the environment. names:
    objects by module and name.
    """

    threads: frozenset[str]
    files: frozenset[str]
    children: frozenset[str]
    temporary: frozenset[str]
    facts: dict[str, Any]
    variables: dict[str, str]
    names: dict[str, dict[str, Any]]


def look_around(temporary: Path) -> Surroundings:
    """Return the state of this process. temporary: the folder of temporary files."""
    gc.collect()
    return Surroundings(
        frozenset(f"{thread.name} ({thread.ident})" for thread in threading.enumerate()),
        frozenset(_open_files()),
        frozenset(_children()),
        frozenset(str(path) for path in temporary.rglob("*") if path.is_file()),
        _facts(),
        dict(os.environ),
        _names(),
    )


def left_behind(before: Surroundings, after: Surroundings) -> list[str]:
    """Return phrases for the threads, open files, processes and temporary files that are there now and were not."""
    return [
        *(f"the thread {thread}" for thread in sorted(after.threads - before.threads)),
        *sorted({f"the open file {file.partition(' -> ')[2] or file}" for file in after.files - before.files}),
        *(f"the process {child}" for child in sorted(after.children - before.children)),
        *(f"the temporary file {file}" for file in sorted(after.temporary - before.temporary)),
    ]


def changed_variables(before: Surroundings, after: Surroundings) -> set[str]:
    """Return the names of the variables of the environment that are different."""
    old, new = before.variables, after.variables
    return {name for name in old | new if old.get(name) != new.get(name)}


def changed_python(before: Surroundings, after: Surroundings) -> list[str]:
    """Return phrases for what is different in Python itself: settings, and names of modules that were replaced."""
    phrases = [name for name, value in before.facts.items() if after.facts[name] != value]
    for module, names in before.names.items():
        now = after.names.get(module, {})
        replaced = (name for name, value in names.items() if name in now and now[name] is not value)
        phrases += [f"{module}.{name}" for name in replaced]
    return phrases


def _open_files() -> list[str]:
    listed = Path("/proc/self/fd")
    if not listed.is_dir():
        return [f"descriptor {number}" for number in range(_FDS) if _is_open(number)]
    paths: list[str] = []
    for entry in listed.iterdir():
        try:
            paths.append(f"{entry.name} -> {os.readlink(entry)}")
        except OSError:
            continue  # the descriptor with which the folder is read
    return paths


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def _children() -> list[str]:
    processes: list[str] = []
    for tasks in Path("/proc/self/task").glob("*/children"):
        try:
            processes += tasks.read_text(encoding="ascii").split()
        except OSError:
            continue  # the thread has just ended
    return processes


def _facts() -> dict[str, Any]:
    import numpy as np

    return {
        "the working directory": Path.cwd(),
        "sys.path": tuple(sys.path),
        "sys.excepthook": sys.excepthook,
        "threading.excepthook": threading.excepthook,
        "the recursion limit": sys.getrecursionlimit(),
        "the tracing function": (sys.gettrace(), sys.getprofile()),
        "the garbage collector": (gc.isenabled(), gc.get_threshold()),
        "the handlers of signals": handlers_of("SIGINT", "SIGTERM"),
        "the locale": locale.setlocale(locale.LC_ALL),
        "the handlers of the root logger": tuple(logging.getLogger().handlers),
        "the level of the root logger": logging.getLogger().level,
        "the filters of warnings": len(warnings.filters),
        "numpy's error handling": tuple(sorted(np.geterr().items())),
    }


def generators() -> dict[str, Any]:
    """Return the states of the global generators of random numbers, by name."""
    import numpy as np

    return {"numpy.random": str(np.random.get_state(legacy=False)), "random": random.getstate()}


def _names() -> dict[str, dict[str, Any]]:
    """Return the functions and classes of the watched modules."""
    engine = [name for name in sys.modules if name.startswith(("rish_core", "rish_ecs"))]
    names: dict[str, dict[str, Any]] = {}
    for name in (*_WATCHED, *engine):
        module = sys.modules.get(name)
        if module is not None:
            items = list(vars(module).items())
            names[name] = {key: value for key, value in items if callable(value) and not key.startswith("__")}
    return names
