"""Kernels that are called before they are compiled, with processes that only write down what they are asked."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from rish_jit import Features
from rish_jit.ahead import workers
from rish_jit.ahead.called import CalledKernels

from ..conftest import ADD, Workshop
from .recorder import MODULE, Recorder, Records, define

Begin = Callable[[], object]


@pytest.fixture
def records(monkeypatch: pytest.MonkeyPatch) -> Iterator[Records]:
    """Replace worker processes by recorders; return what they write."""
    written = Records()
    monkeypatch.setattr(workers.subprocess, "Popen", lambda *_, **__: Recorder(written))
    yield written
    sys.modules.pop(MODULE, None)


def names(records: Records) -> list[str]:
    """Return the kernels in the order in which they were begun."""
    return [name for what, name in records.events if what == "begin" and name != "load"]


def test_called_kernels_share_their_processes(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many kernels are called, there are as many processes as cores less one, and they start again later."""
    monkeypatch.setattr("rish_jit.ahead.called.cores", lambda: 3)
    monkeypatch.setattr("rish_jit.ahead.called._LINGER", 0.0)
    go = threading.Semaphore(0)
    records.pause = lambda: 0.0 if go.acquire(timeout=60) else 1.0
    called = CalledKernels()
    entries = define([set()] * 6)
    compilations = [called.begin(each, [], lambda: None) for each in entries]
    assert not any(each.done for each in compilations)
    go.release(20)
    for each in compilations:
        each.wait()
    assert sorted(names(records)) == [f"k{k}" for k in range(6)]
    assert records.begun()["load"] <= 2
    again = called.begin(entries[0], [], lambda: None)
    again.wait()
    assert again.done
    assert records.begun()["k0"] == 2
    called.close()


def test_a_called_kernel_comes_before_what_is_used_with_it(records: Records, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its callees and the kernel are compiled first; what is in work is not compiled a second time."""
    monkeypatch.setattr("rish_jit.ahead.called.cores", lambda: 1)
    go = threading.Semaphore(1)  # for what the process does first, its priority
    records.pause = lambda: 0.0 if go.acquire(timeout=60) else 1.0
    called = CalledKernels()
    entries = define([set(), set(), {1}, {0, 1}, {3}])
    first = called.begin(entries[2], entries, lambda: None)
    while not records.events:
        time.sleep(0.001)
    second = called.begin(entries[4], entries, lambda: None)
    go.release(20)
    first.wait()
    second.wait()
    assert names(records)[:2] == ["k1", "k2"]
    assert names(records)[-1] == "k4"
    assert set(records.begun().values()) == {1}
    called.close()


def test_only_the_main_thread_answers_the_window(records: Records) -> None:
    """While another thread waits for a kernel, the window is not read: that belongs to the main thread."""
    records.pause = lambda: 0.05
    called, awake = CalledKernels(), list[str]()
    entries = define([set(), set()])
    compilation = called.begin(entries[0], [], lambda: awake.append("other"))
    thread = threading.Thread(target=compilation.wait)
    thread.start()
    thread.join(60)
    assert (compilation.done, awake) == (True, [])
    called.begin(entries[1], [], lambda: awake.append("main")).wait()
    assert set(awake) == {"main"}
    called.close()


@pytest.mark.skipif(sys.platform == "win32", reason="looks for processes in another way")
def test_a_game_that_ends_while_a_kernel_compiles_leaves_no_process(workshop: Workshop) -> None:
    """Closing does not wait for the kernel, and who waits for it in another thread compiles it here."""
    module = workshop.start(f"import time, os\nif os.getpid() != {os.getpid()}:\n    time.sleep(200)\n" + ADD.format(1))
    before, results = set(threading.enumerate()), list[int]()
    features = Features({})
    features.compile_elsewhere(lambda: None)
    assert module.add(1) == 2
    pool = features._called._workers
    assert pool is not None
    waiting = threading.Thread(target=lambda: results.append(module.add(10_000)))
    waiting.start()
    while not pool._processes:
        time.sleep(0.01)
    processes, begin = tuple(pool._processes), time.monotonic()
    features.close()
    waiting.join(60)
    assert time.monotonic() - begin < 60
    assert results == [10_001]
    assert all(process.poll() is not None for process in processes)
    assert set(threading.enumerate()) <= before
    assert (module.add(1), module.add.compiled, set(workshop.compiled)) == (2, True, {"parts.add"})
