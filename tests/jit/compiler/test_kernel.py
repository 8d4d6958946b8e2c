"""Kernels: compiled lazily, callable from one another, and run as plain Python without numba."""

from __future__ import annotations

import threading
from pathlib import Path
from types import BuiltinFunctionType

import numpy as np
import pytest

import rish_jit
from rish_jit import LazyKernel, maths, njit
from rish_jit.compiler import kernel

from ..conftest import needs_numba, run, write


@njit
def twice(x):
    """Return twice the value; called by other kernels."""
    return 2.0 * x


@njit(inline="always")
def bump(a, i):
    """Add 1 to an item; inlined into its callers."""
    a[i] += 1.0


@njit
def work(a):
    """Calls kernels of both kinds, and the deterministic maths."""
    for i in range(len(a)):
        a[i] = twice(a[i]) + maths.cos(0.0)
        bump(a, i)


def test_importing_and_decorating_import_no_numba(tmp_path: Path) -> None:
    """Importing and decorating kernels does not import numba, and neither does asking if numba is available."""
    code = """
    import sys
    import rish_jit
    import rish_ecs.random
    @rish_jit.njit
    def f(x):
        return x
    rish_jit.available(), rish_jit.kernels(), rish_jit.cache_folder(), f.compiled, f.name
    assert not {"numba", "llvmlite"} & set(sys.modules)
    """
    run(code, tmp_path, imports=True)


def test_a_kernel_tells_about_itself() -> None:
    """A kernel keeps the plain function, its name and its documentation."""
    assert isinstance(work, LazyKernel)
    assert work.name.endswith("test_kernel.work")
    assert work.__doc__ == "Calls kernels of both kinds, and the deterministic maths."
    assert repr(work) == f"<kernel {work.name}>"
    assert work.py_func.__name__ == "work"
    assert work in rish_jit.kernels()


def test_kernels_call_kernels() -> None:
    """Kernels can call globals, inlined helpers, closures and maths functions, with the same results as Python."""
    compiled, plain = np.arange(4.0), np.arange(4.0)
    work(compiled)
    work.py_func(plain)
    assert compiled.tolist() == plain.tolist() == [2.0, 4.0, 6.0, 8.0]
    inner = twice

    @njit
    def outer(x):
        return inner(x) + 1.0

    assert outer(3.0) == 7.0
    assert work.compiled == rish_jit.available()


def test_a_redefined_kernel_replaces_its_predecessor() -> None:
    """A kernel that is defined again replaces its predecessor in the list of kernels."""
    before = len(rish_jit.kernels())
    for _ in range(2):

        @njit
        def again(x):
            return x

    assert len(rish_jit.kernels()) == before + 1
    assert rish_jit.kernels()[-1] is again


@needs_numba
def test_compilations_are_counted_and_announced() -> None:
    """Each new combination of types is reported once with its number; a known one is not."""
    heard: list[tuple[str, int]] = []
    stop = rish_jit.on_compile(lambda name, n: heard.append((name, n)))
    source = "from rish_jit import njit\n@njit\ndef fresh(x):\n    return x + 1\n"
    scope: dict[str, LazyKernel[..., int]] = {"__name__": "nowhere"}  # pyright: ignore[reportAssignmentType]
    exec(compile(source, "<no file>", "exec"), scope)
    fresh, before = scope["fresh"], rish_jit.compilations
    assert (fresh(1), fresh(2), fresh(1.5)) == (2, 3, 2.5)
    assert heard == [("nowhere.fresh", before + 1), ("nowhere.fresh", before + 2)]
    assert rish_jit.compilations == before + 2
    stop()
    fresh(np.float32(1))
    assert len(heard) == 2


@needs_numba
def test_division_by_zero_follows_numpy() -> None:
    """Division by zero gives infinity in kernels and in their plain form."""

    @njit
    def divide(a, b):
        return a[0] / b[0]

    one, zero = np.ones(1), np.zeros(1)
    assert divide(one, zero) == np.inf
    assert kernel._plain(divide.py_func)(one, zero) == np.inf


@needs_numba
def test_a_first_call_from_many_threads() -> None:
    """Threads that call a new kernel at the same time share one dispatcher."""

    @njit
    def shared(x):
        return x + 1

    results: list[int] = []
    threads = [threading.Thread(target=lambda i=i: results.append(shared(i))) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(1, 9))


@needs_numba
@pytest.mark.slow
def test_a_call_goes_straight_to_machine_code() -> None:
    """After the first call, the kernel's call goes directly to a function without Python code."""
    bump(np.zeros(1), 0)
    assert isinstance(bump.__call__, BuiltinFunctionType)


# Without numba

PLAIN = """
import sys
import numpy as np
import rish_jit
from rish_jit import maths
from rish_ecs.random import random_uniform

@rish_jit.njit
def half(x):
    return x / 2

@rish_jit.njit(inline="always")
def fill(out):
    for i in range(len(out)):
        out[i] = maths.sin(half(out[i])) + random_uniform(5, i) + 1 / (out[i] - out[i])

out = np.arange(3.0)
fill(out)
assert out.tolist() == [np.inf] * 3
assert not rish_jit.available() and not fill.compiled and fill.dispatcher is None and rish_jit.compilations == 0
print("llvmlite" in sys.modules)
"""


@pytest.mark.parametrize("switch", ["RISH_NO_JIT", "NUMBA_DISABLE_JIT"])
def test_either_switch_runs_everything_in_plain_python(switch: str, tmp_path: Path) -> None:
    """With either switch numba is not imported, kernels run as plain Python, and `available` returns False."""
    assert run(PLAIN, tmp_path, **{switch: "1"}) == "False"


def test_a_machine_without_numba_runs_everything_in_plain_python(tmp_path: Path) -> None:
    """Kernels run as plain Python if numba is missing or broken."""
    assert run("import sys\nsys.modules['numba'] = None\n" + PLAIN, tmp_path, imports=True) == "False"
    write(tmp_path / "numba" / "__init__.py", "raise ImportError('numpy is too new')")
    assert run("import logging\nlogging.disable()\n" + PLAIN, tmp_path, imports=True) == "False"


def test_a_machine_without_numba_is_told_once_how_to_get_it(tmp_path: Path) -> None:
    """The log names the command that installs numba once, however many kernels run as plain Python."""
    log = "import logging, sys\nlogging.basicConfig(stream=sys.stdout)\nsys.modules['numba'] = None\n"
    said = run(log + PLAIN + "half(3.0)\nhalf(3)\n", tmp_path, imports=True)
    assert said.count("pip install 'numba") == 1
    assert said.count("plain Python, slowly. Run: pip install") == 1
    assert "pip install" not in run(log + PLAIN, tmp_path, imports=True, RISH_NO_JIT="1")
