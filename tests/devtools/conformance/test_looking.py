"""What the kit notices besides Worlds: hidden packages, what modules keep, what is different in a process."""

from __future__ import annotations

import importlib.util
import random
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_devtools.conformance.closure import OnlyDependencies, canonical, closure_of
from rish_devtools.conformance.module_state import kept_sizes
from rish_devtools.conformance.process_state import (
    changed_python,
    changed_variables,
    generators,
    left_behind,
    look_around,
)


def test_only_dependencies_can_be_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that the plugin does not depend on is not found, as if it were not installed; the others are."""
    assert {"rish-ecs", "numpy", "pluggy"} <= closure_of("rish-basics")
    assert "numba" not in closure_of("rish-basics")
    assert "numba" not in closure_of("rish-physics")
    assert "numba" in closure_of("rish-physics", "jit")
    assert canonical("Rish_Basics") == "rish-basics"
    hidden = OnlyDependencies("rish-basics")
    monkeypatch.delitem(sys.modules, "rish_lighting", raising=False)
    hidden.begin()
    try:
        assert importlib.util.find_spec("rish_lighting") is None
        assert importlib.util.find_spec("rish_basics") is not None
        assert importlib.util.find_spec("sqlite3") is not None
    finally:
        hidden.end()
    assert importlib.util.find_spec("rish_lighting") is not None
    assert "rish-lighting" in hidden.reason("rish_lighting")


def test_what_modules_keep_is_counted_by_path() -> None:
    """Containers in variables, defaults, closures, attributes and caches of a package are found, with their sizes."""
    module: Any = type(sys)("planted_module")
    made = {"__name__": "planted_module"}
    exec(
        "from functools import lru_cache\n"
        "known = [1, 2]\n"
        "def work(seen=[1, 2, 3]): return seen\n"
        "def outer():\n    held = [1]\n    return lambda: held\n"
        "inner = outer()\n"
        "class Counter:\n    numbers = {1: 2}\n"
        "@lru_cache\ndef cached(n): return n\n"
        "cached(1); cached(2)\n",
        made,
    )
    vars(module).update(made)
    subject: Any = SimpleNamespace(top="planted_module", loaded={"planted_module": module})
    sizes = kept_sizes(subject)
    assert sizes["planted_module.known"] == 2
    assert sizes["a default of planted_module.work"] == 3
    assert sizes["held of planted_module.inner"] == 1
    assert sizes["planted_module.Counter.numbers"] == 1
    assert sizes["planted_module.cached"] == 2


@pytest.mark.slow
def test_changes_of_the_process_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Replaced functions, variables, threads, files and the use of global generators are found by comparison."""
    before, drawn = look_around(tmp_path), generators()
    assert changed_python(before, look_around(tmp_path)) == []
    monkeypatch.setattr(np, "clip", lambda *given: given)
    monkeypatch.setenv("PLANTED", "1")
    over = threading.Event()
    thread = threading.Thread(target=over.wait, name="planted")
    thread.start()
    try:
        with (tmp_path / "left.txt").open("w"):
            after = look_around(tmp_path)
    finally:
        over.set()
        thread.join()
    assert changed_python(before, after) == ["numpy.clip"]
    assert changed_variables(before, after) == {"PLANTED"}
    found = " ".join(left_behind(before, after))
    assert "the thread planted" in found
    assert "left.txt" in found
    state = random.getstate()
    random.random()
    assert generators()["random"] != drawn["random"]
    random.setstate(state)
