"""The workers draw every band once, in any thread, and report errors."""

from __future__ import annotations

import threading
import time

import pytest

from rish_frame.backend import OPTIONS
from rish_render.backends.software.workers import Workers, cores, wished_threads

BANDS = [(y, y + 8) for y in range(0, 400, 8)]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_every_band_is_drawn_once(threads):
    """Every band is drawn exactly once, also when the workers are used again."""
    workers = Workers(threads)
    for _ in range(20):
        done: list[tuple[int, int]] = []
        workers.run(list(BANDS), lambda first, last, done=done: done.append((first, last)))
        assert sorted(done) == BANDS
    workers.close()
    workers.close()


def test_several_threads_work_at_once():
    """Two bands are drawn in parallel: each waits until the other has begun."""
    workers, both = Workers(2), threading.Barrier(2, timeout=20)
    workers.run([(0, 1), (1, 2)], lambda first, last: both.wait())
    workers.close()


def test_who_took_no_band_is_not_waited_for():
    """While all helper threads are busy elsewhere, the caller draws all bands without waiting for them."""
    workers, busy, free = Workers(2), threading.Event(), threading.Event()
    caller = threading.get_ident()

    def block(first, last):
        if threading.get_ident() == caller:
            busy.wait(20)
        else:
            busy.set()
            free.wait(20)

    other = threading.Thread(target=lambda: Workers.run(workers, [(0, 1), (1, 2)], lambda *_: free.wait(20)))
    other.start()
    time.sleep(0.1)
    done: list[int] = []
    workers.run([(0, 1), (1, 2), (2, 3)], lambda first, last: done.append(threading.get_ident()))
    assert set(done) == {caller}
    free.set()
    other.join(20)
    workers.close()


@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_reaches_the_caller(threads):
    """An error in any thread is raised in the caller, and the workers can be used again."""
    workers = Workers(threads)

    def fail(first, last):
        raise ValueError(f"band {first}")

    with pytest.raises(ValueError, match="band"):
        workers.run(list(BANDS), fail)
    workers.run(list(BANDS), lambda first, last: None)
    workers.close()


def test_the_number_of_threads_is_given_or_found(monkeypatch):
    """The number of threads is the option, otherwise RISH_THREADS, otherwise one per processor."""
    monkeypatch.delenv("RISH_THREADS", raising=False)
    assert "threads" in OPTIONS
    assert wished_threads(3) == 3
    assert wished_threads(None) == wished_threads(0) == cores() >= 1
    monkeypatch.setenv("RISH_THREADS", "5")
    assert wished_threads(None) == 5
    assert wished_threads(2) == 2
    monkeypatch.setenv("RISH_THREADS", "many")
    assert wished_threads(None) == cores()
