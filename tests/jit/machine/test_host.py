"""Machine code is loaded only where objects have the layout that it reads, and numba is one that was tested."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import rish_jit
from rish_jit.machine import host, layout

from ..conftest import ADD, PREPARED, UNSET, Workshop, run, write

pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)


@pytest.fixture
def ask_again() -> Iterator[None]:
    """Let `usable` look at this machine again, and once more after the test."""
    host.usable.cache_clear()
    yield
    host.usable.cache_clear()


@pytest.mark.usefixtures("ask_again")
@pytest.mark.parametrize(
    ("name", "value", "what"),
    [
        ("ARRAY_DATA", layout.ARRAY_SHAPE, "arrays"),
        ("ARRAY_NDIM", layout.ARRAY_FLAGS, "arrays"),
        ("ARRAY_DTYPE", layout.ARRAY_DATA, "arrays"),
        ("ARRAY_FLAGS", layout.ARRAY_NDIM, "arrays"),
        ("DTYPE_NUMBER", layout.DTYPE_ORDER, "dtypes"),
        ("DTYPE_ORDER", layout.DTYPE_NUMBER, "dtypes"),
    ],
)
def test_with_another_numpy_numba_runs_the_kernels(
    name: str, value: int, what: str, workshop: Workshop, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    """If objects have another layout than entries read, no machine code is used, and one warning names what differs."""
    kernel = workshop.start(ADD.format(1)).add
    monkeypatch.setattr(layout, name, value)
    with caplog.at_level(logging.WARNING, "rish.jit"):
        assert kernel.specializations is None
        assert kernel.dispatcher is not None
    assert len(caplog.messages) == 1
    assert f"the layout of {what} of this numpy or Python differs" in caplog.text


UNTESTED = "from rish_jit.machine import host\nhost.NUMBA_VERSIONS = frozenset()\n"
CALL = """
import json
import rish_jit, parts
by_numba = parts.add.specializations is None
print(json.dumps([parts.add(1), by_numba, rish_jit.compilations, dict(rish_jit.plain_calls())]))
"""


@pytest.mark.slow
def test_with_an_untested_numba_its_dispatchers_run_the_kernels(tmp_path: Path) -> None:
    """With another version of numba kernels are compiled, stored and loaded by numba itself."""
    write(tmp_path / "parts.py", "from rish_jit import njit\n" + ADD.format(1))
    cache = {"RISH_CACHE_DIR": str(tmp_path / "cache")}
    assert json.loads(run(UNTESTED + CALL, tmp_path, **cache)) == [2, True, 1, {}]
    assert json.loads(run(UNTESTED + CALL, tmp_path, **cache)) == [2, True, 0, {}]


CRASH = """
import faulthandler
import numpy as np
from rish_jit import array_at, njit

@njit
def peek(address):
    return array_at(address, 1, np.float64)[0]

def look():
    return peek(8)

faulthandler.enable()
ones = np.ones(1)
print(peek(ones.ctypes.data), flush=True)
look()
"""


@pytest.mark.slow
@pytest.mark.parametrize("start", ["", UNTESTED], ids=["machine code", "numba"])
def test_a_crash_in_a_kernel_names_the_line_that_called_it(start: str, tmp_path: Path) -> None:
    """`faulthandler` shows the Python functions, with the line that calls the kernel, as with numba's dispatchers."""
    write(tmp_path / "crash.py", CRASH)
    variables = {name: value for name, value in os.environ.items() if name not in UNSET}
    variables |= {"PYTHONPATH": str(tmp_path), "RISH_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, "-c", f"{PREPARED}{start}import crash"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (-11, "1.0\n")
    line = CRASH.splitlines().index("    return peek(8)") + 1
    assert f'File "{tmp_path / "crash.py"}", line {line} in look' in done.stderr
