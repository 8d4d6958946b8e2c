"""Calls of a kernel that another process compiles: small ones run as plain Python until the machine code is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import rish_jit
from rish_jit import cache
from rish_jit.native import meanwhile
from rish_jit.native.meanwhile import MOST_VALUES, Meanwhile, PlainFailedError, run_plain
from rish_jit.native.specializations import compiled_calls, only_stored, plain_calls

from ..conftest import Workshop


class Elsewhere:
    """A compilation that is done when a test says so, or when it is waited for."""

    def __init__(self) -> None:
        self.done = False
        self.waited = 0

    def wait(self) -> None:
        """Be done."""
        self.done = True
        self.waited += 1


class Kernel:
    """A kernel of which only the plain form exists."""

    def __init__(self, plain: Callable[..., Any]) -> None:
        self.plain = plain


def pending(plain: Callable[..., Any]) -> Meanwhile:
    """Return the calls of a function while it compiles."""
    return Meanwhile(Kernel(plain), Elsewhere())  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("values", "small"),
    [
        ((np.zeros((MOST_VALUES // 2, 2)), 1.5e9, True, None), True),
        ((np.zeros(MOST_VALUES), np.zeros(1)), False),
        (((np.zeros(MOST_VALUES), (np.zeros(1),)),), False),
        ((MOST_VALUES,), True),
        ((-MOST_VALUES, np.int32(1)), False),
    ],
)
def test_calls_with_few_values_run_as_plain_python(values: tuple[Any, ...], small: bool) -> None:
    """The items of arrays and whole numbers count, which may be lengths of loops, those in tuples as well."""
    assert pending(lambda *_: None).serves(values) == small


def test_when_the_machine_code_is_there_no_call_is_plain() -> None:
    """After the compilation is done, calls are given to the machine code."""
    calls = pending(lambda: None)
    assert calls.serves(())
    calls.compilation.wait()
    assert not calls.serves(())


@pytest.mark.parametrize(("seconds", "served"), [(0.003, 10), (0.1, 1), (0.0009, 99)])
def test_calls_that_were_slow_wait(seconds: float, served: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a call of more than 4 ms of processor time, or half a second of all calls together, calls wait."""
    times = iter(np.arange(0, 1000) * seconds)
    monkeypatch.setattr(meanwhile.time, "thread_time", lambda: next(times))
    calls = pending(lambda: 7)
    results = [calls.call(()) for _ in range(min(served, 50)) if calls.serves(())]
    assert results == [7] * min(served, 50)
    assert calls.serves(()) == (seconds < 0.004)
    monkeypatch.setattr(meanwhile, "_ENOUGH", seconds * 50)
    calls.call(())
    assert calls.serves(()) == (seconds < 0.004 and served + 1 <= 50)


def test_a_plain_form_that_raises_leaves_the_arguments_as_they_were() -> None:
    """Arrays get their former items back, overlapping ones too, and the next calls wait."""

    def half(whole: Any, part: Any, fixed: Any, _rest: Any) -> None:
        whole[:] = 1
        part[:] = 2
        assert fixed[0] == 5
        raise ZeroDivisionError

    whole, fixed, inner = np.arange(6.0), np.full(3, 5), np.arange(3)
    fixed.flags.writeable = False
    calls = pending(half)
    with pytest.raises(PlainFailedError):
        calls.call((whole, whole[::2], fixed, (inner,)))
    assert whole.tolist() == [0, 1, 2, 3, 4, 5]
    assert not calls.serves(())


def test_plain_calls_take_and_return_what_machine_code_does() -> None:
    """Numbers of Python get the types of machine code, and numbers of numpy are returned as those of Python."""
    taken: list[type] = []

    def plain(*values: Any) -> Any:
        taken.extend(map(type, values))
        return np.float32(0.1), (np.int64(2), True), values[-1][0] + np.float32(0.1)

    kernel: Any = Kernel(plain)
    result = run_plain(kernel, (1, 0.5, True, np.float32(2), (0.1,)))
    assert taken == [np.int64, np.float64, bool, np.float32, tuple]
    assert result == (float(np.float32(0.1)), (2, True), 0.1 + float(np.float32(0.1)))
    assert [type(each) for each in (result[0], result[1][0], result[2])] == [float, int, float]


INNER = """
import numpy as np

@njit
def third(x):
    return x / np.float32(3)

@njit
def drift(x, velocity, dt):
    if dt < 0:
        raise ValueError("time goes on")
    for i in range(len(x)):
        x[i] += third(velocity[i]) * dt
    return third(x[0]) * third(x[1])
"""


@pytest.mark.slow
def test_plain_and_compiled_calls_have_the_same_bits(workshop: Workshop) -> None:
    """A call before the kernel is compiled, one that waits and one after it give the same numbers and errors.

    The kernels that a plain call calls run as plain Python too, though their machine code is there: that returns a
    float32 as a float, which would be multiplied with more digits.
    """
    module = workshop.start(INNER)
    module.third(np.float32(1))  # compiled and loaded

    def run() -> tuple[Any, ...]:
        x = np.array([0.1, 0.7, 1.3], np.float32)
        result = module.drift(x, np.array([0.3, 0.6, 0.9], np.float32), 1 / 60)
        return result, type(result), x.tobytes()

    compilations: list[Elsewhere] = []
    stop = cache.on_missing(lambda *_: compilations.append(Elsewhere()) or compilations[-1])
    try:
        plain = run()
        assert not module.drift.compiled
        assert run() == plain
        with only_stored(), pytest.raises(Exception, match="drift"):
            run()
        assert [each.waited for each in compilations] == [0]
        with compiled_calls():
            assert run() == plain
        assert module.drift.loaded_types == ["(f4[::1], f4[::1], f8)"]
        assert run() == plain
        assert [each.waited for each in compilations] == [1]
    finally:
        stop()
    assert dict(plain_calls()) == {}
    module = workshop.start(INNER.replace("goes on", "goes"))
    stop = cache.on_missing(lambda *_: Elsewhere())
    x = np.ones(3, np.float32)
    try:
        with pytest.raises(ValueError, match="time goes") as plain_error:
            module.drift(x, x, -1.0)
    finally:
        stop()
    assert module.drift.compiled
    assert plain_error.traceback[-1].path.name == "parts.py"  # pyright: ignore[reportAttributeAccessIssue]
    assert rish_jit.available()
