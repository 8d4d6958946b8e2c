"""The pipeline that compiles kernels: it gives the same bits as numba's own, in less time."""

from __future__ import annotations

import importlib
import logging
from typing import Any

import numpy as np
import pytest

import rish_jit
from long_runs import only_long
from rish_jit.compiler import pipeline
from rish_jit.native.storage import compile_entry
from rish_jit.signatures import types_of

pytestmark = pytest.mark.skipif(not rish_jit.available(), reason="kernels run as plain Python here")


def elements(a: Any, flags: Any, at: Any, near: Any, out: Any) -> None:
    """Access elements with every kind of index, in arrays of numbers and booleans."""
    for i in range(len(at)):
        out[i] = a[at[i]] + a[-1] - a[np.uint32(near[i])] * a[2]
        flags[i] = not flags[near[i]]
        out[-1] += flags[i]
        a[np.int8(i)] = at[i]
        a[0] += 1


def operators(a: Any, b: Any, out: Any) -> None:
    """Use operators on integers and floats, among them those that check a value."""
    for i in range(len(a)):
        x = a[i]
        y = b[i]
        out[i] = x * y - x // (y + 3) + (x % 7) + (x > y) * 2 + x**2 + 2.0**y
        n = np.int64(x) & 255
        out[i] += (n << 2) ^ (n >> 1) | 3
        out[i] /= 1.5 if x <= y else -x
        n -= 4
        out[i] += ~n


def shapes(grid: Any, pair: Any, out: Any) -> None:
    """Use 2D arrays, slices, tuples and loops over elements, which numba's own code handles."""
    part = out[1:3]
    part[0] = grid[1, 0]
    grid[0, 1] = pair[1]
    for i, row in enumerate(grid):
        for each in row:
            out[i] += each * pair[0]


def expressions(grid: Any, pair: Any, out: Any) -> None:
    """Write into slices and rows, and add arrays."""
    part = out[1:3]
    part[:] = grid[1, 0]
    grid[0] = pair[1]
    out[3:] = grid[0, :1] + grid[1, :1]


def cases(name: str) -> tuple[Any, ...]:
    """Return new arguments for one of the functions above."""
    dice = np.random.default_rng(4)
    if name == "elements":
        near = dice.integers(0, 6, 6).astype(np.uint8)
        at = dice.integers(-6, 6, 6).astype(np.int32)
        return dice.normal(size=6).astype(np.float32), dice.integers(0, 2, 6) > 0, at, near, np.zeros(6)
    if name == "operators":
        return dice.normal(size=50) * 9, dice.integers(0, 9, 50), np.zeros(50)
    return dice.normal(size=(2, 3)), (2.5, 4.0), np.zeros(4)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["elements", "operators", "shapes", pytest.param("expressions", marks=only_long)])
def test_results_are_those_of_numbas_own_pipeline(name: str) -> None:
    """The results of both pipelines have the same bits in every array that is written.

    Expressions of whole arrays take 5 s to compile, so they are left to long runs.
    """
    numba: Any = importlib.import_module("numba")
    functions = {"elements": elements, "operators": operators, "shapes": shapes, "expressions": expressions}
    function = functions[name]
    ours, theirs = cases(name), cases(name)
    numba.njit(error_model="numpy", pipeline_class=pipeline.pipeline())(function)(*ours)
    numba.njit(error_model="numpy")(function)(*theirs)
    for a, b in zip(ours, theirs, strict=True):
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


def test_answers_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Function types that were resolved for one kernel are not resolved again for the next."""
    numba: Any = importlib.import_module("numba")
    asked: list[Any] = []
    context = importlib.import_module("numba.core.typing.context").BaseContext
    ask = context.resolve_function_type
    monkeypatch.setattr(context, "resolve_function_type", lambda *args: (asked.append(args), ask(*args))[1])

    def first(a: Any, b: Any) -> Any:
        return a * b + a

    def second(a: Any, b: Any) -> Any:
        return b * a + a * b

    numbers = np.float32(2), np.float32(3)
    numba.njit(pipeline_class=pipeline.pipeline())(first)(*numbers)
    asked.clear()
    assert numba.njit(pipeline_class=pipeline.pipeline())(second)(*numbers) == 12
    assert not asked


def test_an_untested_numba_compiles_by_its_own_pipeline(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """With a numba version that is not listed as tested, numba's own pipeline is used and logged."""
    numba: Any = importlib.import_module("numba")
    assert numba.__version__ in pipeline.TESTED
    pipeline.pipeline.cache_clear()
    monkeypatch.setattr(numba, "__version__", "0.68.99")
    with caplog.at_level(logging.INFO, "rish.jit"):
        assert pipeline.pipeline() is None
    assert "numba 0.68.99" in caplog.text
    pipeline.pipeline.cache_clear()


STEPS = "".join(f"    x = x * x + {step}.0 if x < {step}.5 else x / {step}.25\n" for step in range(40))
CALLS = f"""
@njit
def steps(x):
{STEPS}    return x

@njit
def first(x):
    return steps(x) + steps(x + 1.0)

@njit
def second(x):
    return steps(x - 1.0) * steps(x + 2.0)

@njit
def both(x):
    return first(x) - second(x)
"""
"""Two kernels that call a third one, which is too long to be copied into them, and one that calls both."""


def test_a_kernel_that_two_processes_compile_is_linked_once(workshop: Any) -> None:
    """The code of a kernel is the same whether one process compiled all that it calls, or two the same kernel."""
    alone = compile_entry(workshop.start(CALLS).both, "(f8,)")
    for path in workshop.entries():
        path.unlink()
    for name in ("first", "second"):
        getattr(workshop.start(CALLS), name).form("inner").compile(types_of("(f8,)"))
        for path in workshop.cache.glob("parts.steps*"):
            path.unlink()
    together = compile_entry(workshop.start(CALLS).both, "(f8,)")
    assert workshop.compiled == ["parts.both"]
    assert together == alone


def test_names_of_helpers_depend_on_their_sources() -> None:
    """A plain function that is compiled twice has one name in machine code, and functions with other values others."""
    numba: Any = importlib.import_module("numba")

    def name(step: int) -> str:
        helper = numba.njit(pipeline_class=pipeline.helper_pipeline(), no_cpython_wrapper=True)(lambda x: x + step)
        helper.compile((numba.int64,))
        return str(helper.overloads[numba.int64,].fndesc.mangled_name)

    assert name(1) == name(1) != name(2)
