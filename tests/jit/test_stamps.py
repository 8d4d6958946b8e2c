"""Stamps of kernels: they change with everything that machine code depends on, and with nothing else."""

from __future__ import annotations

import enum
import json
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings

from long_runs import long
from rish_jit import stamps

Stamp = Callable[..., str]
HEAD = "import enum\nfrom collections import namedtuple\nimport numpy as np\nfrom rish_jit import njit\n"


@pytest.fixture
def stamp(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Stamp:
    """Return a function that defines modules and returns the stamp of the kernel `main` in the last one."""

    def stamp(place: str = "here", **sources: str) -> str:
        for name, source in sources.items():
            path = tmp_path / place / f"{name}.py"
            path.parent.mkdir(exist_ok=True)
            text = HEAD + textwrap.dedent(source)
            path.write_text(text)
            module = ModuleType(name)
            module.__file__ = str(path)
            monkeypatch.setitem(sys.modules, name, module)
            exec(compile(text, path, "exec"), module.__dict__)
        stamps.forget()
        main = sys.modules[name].main
        return stamps.stamp_of(main.py_func, main.targetoptions)

    return stamp


USES = "from aid import *\n@njit\ndef main(x):\n    return {}\n"
NAMES = USES.format("x + K")
MEMBER = "import aid\n@njit\ndef main(x):\n    return x + aid.{}\n"
CALLS = USES.format("f(x)")
MADE = """
def make(n):
    @njit
    def inner(x):
        return x + n
    return inner
"""
PAIR = USES.format("f(g(x))")
OTHERWISE = {
    "bytecode": ("", "@njit\ndef main(x):\n    return x + x", "@njit\ndef main(x):\n    return x * x"),
    "a number in the code": ("", "@njit\ndef main(x):\n    return x + 2", "@njit\ndef main(x):\n    return x + 3"),
    "the type of one": ("", "@njit\ndef main(x):\n    return x + 2", "@njit\ndef main(x):\n    return x + 2.0"),
    "a default": ("", "@njit\ndef main(x, n=2):\n    return x + n", "@njit\ndef main(x, n=3):\n    return x + n"),
    "an integer": ("K = 2", "K = 3", NAMES),
    "a float": ("K = 0.5", "K = 0.25", NAMES),
    "the sign of zero": ("K = 0.0", "K = -0.0", NAMES),
    "a truth": ("K = True", "K = 1", NAMES),
    "a tuple": ("K = (1, (2, 3))", "K = (1, (2, 4))", NAMES),
    "an array": ("K = np.array([1, 2])", "K = np.array([1, 3])", NAMES),
    "the shape of an array": ("K = np.zeros((2, 3))", "K = np.zeros((3, 2))", NAMES),
    "the type of an array": ("K = np.zeros(2, 'f4')", "K = np.zeros(2, 'i4')", NAMES),
    "a number of numpy": ("K = np.float32(2)", "K = np.float64(2)", NAMES),
    "a type of numpy": ("K = np.float32", "K = np.float64", USES.format("K(x)")),
    "a member of an enumeration": (
        "class E(enum.IntEnum):\n    A = 1\n    B = 2\nK = E.A",
        "class E(enum.IntEnum):\n    A = 1\n    B = 2\nK = E.B",
        NAMES,
    ),
    "a value of an enumeration": (
        "class E(enum.IntEnum):\n    A = 1",
        "class E(enum.IntEnum):\n    A = 2",
        USES.format("x + E.A"),
    ),
    "a constant read through its module": ("K = 2", "K = 3", MEMBER.format("K")),
    "an array read through its module": ("K = np.array([1])", "K = np.array([2])", MEMBER.format("K[0]")),
    "a helper read through its module": ("def f(x):\n    return 2", "def f(x):\n    return 3", MEMBER.format("f(x)")),
    "a helper two levels down": (
        "def g(x):\n    return x + 2\ndef f(x):\n    return g(x)",
        "def g(x):\n    return x + 3\ndef f(x):\n    return g(x)",
        CALLS,
    ),
    "a constant two levels down": (
        "K = 2\n@njit\ndef f(x):\n    return x + K",
        "K = 3\n@njit\ndef f(x):\n    return x + K",
        CALLS,
    ),
    "a default of a helper": ("def f(x, n=2):\n    return n", "def f(x, n=3):\n    return n", CALLS),
    "an option of a helper": (
        "@njit\ndef f(x):\n    return x",
        "@njit(inline='always')\ndef f(x):\n    return x",
        CALLS,
    ),
    "a closure cell": (MADE + "f = make(2)", MADE + "f = make(3)", CALLS),
    "a helper in a closure cell": (
        "def f(x):\n    return x + 2",
        "def f(x):\n    return x + 3",
        MADE.replace("x + n", "n(x)") + "import aid\nmain = make(aid.f)",
    ),
    "a constant of an inner function": ("K = 2", "K = 3", USES.format("[y + K for y in x]")),
    "two functions of one factory, exchanged": (
        MADE + "f, g = make(2), make(3)",
        MADE + "f, g = make(3), make(2)",
        USES.format("f(10 * g(x))"),
    ),
    "two lambdas, exchanged": (
        "f = njit(lambda x: x + 1)\ng = njit(lambda x: x * 2)",
        "f = njit(lambda x: x * 2)\ng = njit(lambda x: x + 1)",
        PAIR,
    ),
    "a helper with its module's name": (
        "def aid(x):\n    return x + 2",
        "def aid(x):\n    return x + 3",
        MEMBER.format("aid(x)"),
    ),
    "an option of the kernel": (
        "",
        "@njit\ndef main(x):\n    return x",
        "@njit(parallel=True)\ndef main(x):\n    return x",
    ),
    "a kernel in a tuple": (
        "@njit\ndef f(x):\n    return x + 2\nK = (f,)",
        "@njit\ndef f(x):\n    return x + 3\nK = (f,)",
        USES.format("K[0](x)"),
    ),
    "the fields of a named tuple": (
        "K = namedtuple('T', 'a b')(2, 3)",
        "K = namedtuple('T', 'b a')(2, 3)",
        USES.format("K.a"),
    ),
    "the fields of records": (
        "K = np.ones(1, [('a', 'i4'), ('b', 'i4')])",
        "K = np.ones(1, [('b', 'i4'), ('a', 'i4')])",
        USES.format("K[0].a"),
    ),
    "a type of numba": (
        "import numba\nK = numba.int32",
        "import numba\nK = numba.int8",
        USES.format("K(x)"),
    ),
    "a constant that is also the docstring": (
        "",
        "@njit\ndef main(x):\n    'a'\n    return len('a')",
        "@njit\ndef main(x):\n    'ab'\n    return len('ab')",
    ),
}
"""Two sources of the module `aid` and one of the kernel; if the first is empty, two sources of the kernel."""


@pytest.mark.parametrize("case", OTHERWISE)
def test_a_difference_that_makes_other_machine_code_gives_another_stamp(case: str, stamp: Stamp) -> None:
    """The stamp of a kernel changes with its code and with everything that the code uses, and it changes back."""
    one, two, main = OTHERWISE[case]
    if one:
        first, second = stamp(aid=one, main=main), stamp(aid=two, main=main)
        again = stamp(aid=one, main=main)
    else:
        first, second, again = stamp(main=two), stamp(main=main), stamp(main=two)
    assert first != second
    assert first == again


def test_another_registered_form_gives_another_stamp(stamp: Stamp) -> None:
    """If a plain function compiles as another one, the stamp depends on the other one and not on the plain one."""
    aid = """
    from rish_jit import stamps
    def f(x):
        return x + {}
    def form(x):
        return x + {}
    stamps.compiles_as(f, form)
    """
    found = [stamp(aid=aid.format(*numbers), main=CALLS) for numbers in ((1, 2), (1, 3), (4, 2))]
    assert found[0] != found[1]
    assert found[0] == found[2]


def test_kernels_of_one_factory_have_stamps_of_their_own(stamp: Stamp) -> None:
    """Kernels with the same code have different stamps if their closure cells hold different values."""
    stamp(main=MADE + "main = make(1)\nother, same = make(2), make(1)")
    found = [stamps.stamp_of(sys.modules["main"].__dict__[name].py_func) for name in ("main", "other", "same")]
    assert found[0] != found[1]
    assert found[0] == found[2]


def test_kernels_with_exchanged_helpers_have_stamps_of_their_own(stamp: Stamp) -> None:
    """Kernels with the same code have different stamps if they call the same helpers in another order."""
    pair = MADE.replace("(n)", "(f, g)").replace("x + n", "f(10 * g(x))").replace("make", "pair")
    stamp(main=MADE + pair + "one, two = make(1), make(2)\nmain, other = pair(one, two), pair(two, one)")
    module = sys.modules["main"]
    assert stamps.stamp_of(module.main.py_func) != stamps.stamp_of(module.other.py_func)


PLAIN = """
K, UNUSED = 3, 4

@njit
def helper(x, n=2):
    '''Add a number.'''
    return x + n + K

@njit
def main(x):
    '''Call the helper.'''
    return helper(x) * 2
"""
MOVED = """
# A comment.
from math import pi

@njit
def main(x):
    '''Call the helper, in other words.
    '''

    # Another comment.
    return (
        helper(x)  # and one more
        * 2
    )


class Unrelated:
    '''Not used.'''


@njit
def helper(x, n=2):
    '''Add.'''
    return x + n + K


UNUSED, K, MORE = 5, 3, 6
"""


def test_comments_docstrings_lines_and_order_do_not_count(stamp: Stamp) -> None:
    """Comments, docstrings, line numbers and the order of definitions do not change a stamp."""
    assert stamp(main=MOVED) == stamp(main=PLAIN)
    assert stamp(main=MOVED.replace("helper(x)", "helper(x + 1)")) != stamp(main=PLAIN)


def test_the_place_on_the_disk_does_not_count(stamp: Stamp) -> None:
    """The folder of a module does not change the stamps of its kernels."""
    assert stamp("here", main=PLAIN) == stamp("there", main=PLAIN)


def test_functions_that_name_each_other_have_stamps(stamp: Stamp) -> None:
    """Functions that call themselves or each other have a stamp, which depends on all of them."""
    source = """
    @njit
    def even(n):
        return True if n == 0 else odd(n - 1)
    @njit
    def odd(n):
        return False if n == 0 else even(n - 1)
    @njit
    def main(n):
        return main(n - 1) if n > 9 else even(n)
    """
    assert stamp(main=source) == stamp(main=source)
    assert stamp(main=source) != stamp(main=source.replace("even(n - 1)", "even(n - 3)"))


CODE = compile("lambda: K", "<here>", "eval").co_consts[0]
NUMBERS = st.integers() | st.floats(allow_nan=False) | st.booleans() | st.complex_numbers(allow_nan=False)
VALUES = st.recursive(
    NUMBERS | st.none() | st.text(max_size=5) | st.binary(max_size=5),
    lambda inner: st.lists(inner, max_size=4).map(tuple) | st.frozensets(inner, max_size=4),
    max_leaves=8,
)


def stamp_with(value: Any) -> str:
    """Return the stamp of a function that uses a constant."""
    assert isinstance(CODE, CodeType)
    return stamps.stamp_of(FunctionType(CODE, {"K": value, "__name__": "here"}))


@pytest.mark.slow
@settings(deadline=None, max_examples=long(200, 40))
@given(VALUES, VALUES)
def test_constants_share_a_stamp_exactly_if_they_are_the_same(one: Any, two: Any) -> None:
    """Numbers, strings, bytes, tuples and sets have the same stamp exactly if their types and values are equal."""

    def exact(value: Any) -> Any:
        if isinstance(value, tuple):
            return tuple(exact(each) for each in value)
        return frozenset(exact(each) for each in value) if isinstance(value, frozenset) else (type(value), repr(value))

    assert stamp_with(one) == stamp_with(one)
    assert (stamp_with(one) == stamp_with(two)) == (exact(one) == exact(two))


class Color(enum.Enum):
    """An enumeration without numbers."""

    RED = "r"
    GREEN = "g"


def test_equal_arrays_and_members_share_a_stamp() -> None:
    """Arrays with the same numbers have the same stamp, and so have equal members of an enumeration."""
    numbers = np.arange(12.0).reshape(3, 4)
    assert stamp_with(numbers) == stamp_with(numbers.copy()) == stamp_with(np.repeat(numbers, 2, axis=0)[::2])
    assert stamp_with(numbers) != stamp_with(numbers + 1)
    assert stamp_with(Color.RED) == stamp_with(Color("r")) != stamp_with(Color.GREEN)


EVERY = """
import importlib, json, pkgutil, sys
import rish_ecs, rish_physics
import rish_jit
from rish_jit.stamps import stamp_of

for package in (rish_ecs, rish_physics):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)

@rish_jit.njit
def sets(x):
    return x in {"red", "green", "blue", "white"} or x in K
K = frozenset(["one", "two", "three", "four"])
print(json.dumps({kernel.name: stamp_of(kernel.py_func) for kernel in rish_jit.kernels()}))
"""


@pytest.mark.slow
def test_processes_agree_about_all_kernels() -> None:
    """Processes with different hash seeds compute the same stamps for all kernels of rish_ecs and rish_physics."""
    found: list[dict[str, str]] = []
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", EVERY],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, done.stderr
        found.append(json.loads(done.stdout))
    assert len(found[0]) > 20
    assert found[0] == found[1]
    assert len({*found[0].values()}) == len(found[0])
