"""What the tests of kernels share: new processes, a package of kernels, and a workshop for modules with kernels."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

import rish_jit
from fresh_python import run_python
from rish_jit import cache
from rish_jit.ahead.workers import Workers

needs_numba = pytest.mark.skipif(not rish_jit.available(), reason="needs numba")
AT_START = (
    "RISH_NO_JIT",
    "NUMBA_DISABLE_JIT",
    "NUMBA_CPU_NAME",
    "NUMBA_CPU_FEATURES",
    "NUMBA_OPT",
    "NUMBA_BOUNDSCHECK",
    "RISH_CPU_LEVEL",
)
"""Variables that a process reads when numba is imported."""
UNSET = ("RISH_CACHE_DIR", "NUMBA_CACHE_DIR", *AT_START)
PREPARED = "import sys, warnings\nwarnings.simplefilter('error')\nsys.dont_write_bytecode = True\n"
"""Bytecode would hide an edit of the same length within the same second."""


def run(code: str, folder: Path, ends: int = 0, imports: bool = False, **environment: str) -> str:
    """Run code in a new process that can import from `folder`; return its output.

    ends: the expected exit status. imports: whether the code is about the import of numba; otherwise it runs in a fork
    of a process that has imported it, unless the environment has variables that are read then.
    """
    variables = {name: value for name, value in os.environ.items() if name not in UNSET}
    variables |= {"PYTHONPATH": str(folder), **environment}
    code = PREPARED + textwrap.dedent(code)
    if imports or {*environment} & {*AT_START}:
        done = subprocess.run(
            [sys.executable, "-c", code], env=variables, capture_output=True, text=True, check=False, timeout=600
        )
    else:
        done = run_python("-c", code, cwd=Path.cwd(), env=variables)
    assert done.returncode == ends, done.stderr
    return done.stdout.strip()


def write(path: Path, text: str) -> None:
    """Write a module and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))


def finish(crew: Workers, seconds: float = 60) -> bool:
    """Wait until all is done, for a limited time; return whether it is."""
    end = time.monotonic() + seconds
    while not (finished := crew.wait(0.05)) and time.monotonic() < end:
        pass
    return finished


# A package whose kernels are called by new processes

KERNEL = """
from rish_jit import njit
from pack.helper import add
from pack.limits import LIMIT
import other

@njit
def total(x):
    '''Everything together.'''
    return other.scale(add(x)) + LIMIT

@njit
def alone(x):
    return x - 1
"""
HELPER = """
from rish_jit import njit

@njit
def {name}(x):
    return x {step}  # a comment
"""
CALL = """
import json
import rish_jit
names = []
rish_jit.on_compile(lambda name, n: names.append(name.rpartition(".")[2]))
from pack.inner.kernel import alone, total
assert alone(1) == 0
print(json.dumps([total(1), sorted(names), rish_jit.cache_folder(total)]))
"""
ALL = ["add", "alone", "scale", "total"]
"""The kernels of the package."""


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Create a package whose kernel uses a helper and a constant of other modules, and a helper of another package."""
    for name in ("pack/__init__.py", "pack/inner/__init__.py"):
        write(tmp_path / name, "")
    write(tmp_path / "pack" / "inner" / "kernel.py", KERNEL)
    write(tmp_path / "pack" / "limits.py", "LIMIT = 0\n")
    write(tmp_path / "pack" / "helper.py", HELPER.format(name="add", step="+ 1"))
    write(tmp_path / "other" / "__init__.py", HELPER.format(name="scale", step="* 10"))
    return tmp_path


def call(folder: Path, before: str = "", **environment: str) -> tuple[int, list[str], str]:
    """Return result, compiled kernels and cache folder, from a new process. before: code that runs first."""
    return tuple(json.loads(run(before + CALL, folder, **environment)))


def stored(folder: Path) -> set[Path]:
    """Return the files in the caches of both packages."""
    return {path for path in folder.rglob("__pycache__/rish/*") if path.is_file()}


# In one process: a module that is executed again has new kernels, as in a new process


class Workshop:
    """A folder for modules with kernels, their cache, and what happened in it. The modules can be imported."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder, self.cache = folder / "workshop", folder / "cache" / "workshop"
        self.folder.mkdir()
        self.compiled: list[str] = []
        self.used: list[cache.Entry] = []
        self._patch = patch

    def start(self, source: str, name: str = "parts") -> ModuleType:
        """Execute a module with a source, and forget what was compiled, loaded and stored before."""
        path = self.folder / f"{name}.py"
        write(path, "from rish_jit import njit\n" + textwrap.dedent(source))
        module = ModuleType(name)
        module.__file__ = str(path)
        self._patch.setitem(sys.modules, name, module)
        exec(compile(path.read_text(), path, "exec", dont_inherit=True), module.__dict__)
        self.compiled.clear()
        self.used.clear()
        return module

    def entries(self) -> list[Path]:
        """Return the files in the cache, the oldest first."""
        return sorted(self.cache.iterdir(), key=lambda path: path.stat().st_mtime) if self.cache.exists() else []


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """Create a workshop with an empty cache."""
    if not rish_jit.available():
        pytest.skip("needs numba")
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    made = Workshop(tmp_path, monkeypatch)
    monkeypatch.syspath_prepend(made.folder)
    stops = [rish_jit.on_compile(lambda name, n: made.compiled.append(name)), cache.on_use(made.used.append)]
    yield made
    for stop in stops:
        stop()


ADD = "@njit\ndef add(x):\n    return x + {}\n"
CALLER = ADD.format(1) + "@njit\ndef work(x, y):\n    return add(x) + add(y)\n"
