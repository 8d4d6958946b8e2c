"""Kernels where numba is not installed: stored ones run as machine code, others as plain Python, which is counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import rish_jit
from rish_jit.machine import host
from without_numba import hide_numba

from ..conftest import run, write

pytestmark = pytest.mark.skipif(
    not (rish_jit.can_compile() and host.usable()), reason="needs numba, on a system that can load machine code"
)
SOURCE = """
import numpy as np
from rish_jit import njit

@njit
def scale(x, factor):
    if factor < 0:
        raise ValueError("a negative factor")
    for i in range(len(x)):
        x[i] *= factor
    return x.sum()

@njit
def evens(n):
    out = np.zeros(n, np.int64)
    for i in range(n):
        out[i] = 2 * i
    return out
"""
CALL = """
import json, logging, sys, traceback
logging.basicConfig(stream=sys.stderr)
import numpy as np
import rish_jit, rows
x = np.arange(3, dtype="f4")
results = [float(rows.scale(x, 2.0)), x.tolist(), rows.evens(3).tolist()]
try:
    rows.scale(x, -1.0)
except ValueError as error:
    results += [str(error), traceback.extract_tb(error.__traceback__)[-1].lineno]
if OTHERS:
    results.append(float(rows.scale(np.arange(3), 2)))
results.append([[name, types, n] for (name, types), n in rish_jit.plain_calls().items()])
results.append(sorted({"numba", "llvmlite"} & {*sys.modules}))
print(json.dumps(results))
"""


def call(folder: Path, installed: bool = False, others: bool = False) -> list[Any]:
    """Call the kernels in a new process, with numba or with its extension modules alone, as the wheel has them."""
    code = ("" if installed else hide_numba(folder)) + f"OTHERS = {others}\n" + CALL
    return json.loads(run(code, folder, imports=True, RISH_CACHE_DIR=str(folder / "cache")))


@pytest.mark.slow
def test_stored_kernels_need_no_numba(tmp_path: Path) -> None:
    """Kernels of the cache give the same numbers, new arrays and errors with their line, and nothing runs as Python."""
    write(tmp_path / "rows.py", SOURCE)
    expected = call(tmp_path, installed=True)
    assert expected[:5] == [6.0, [0.0, 2.0, 4.0], [0, 2, 4], "a negative factor", 8]
    assert expected[-1] == ["llvmlite", "numba"]
    assert call(tmp_path, installed=True) == [*expected[:-1], []]
    assert call(tmp_path) == [*expected[:-1], []]
    assert expected[-2] == []


@pytest.mark.slow
def test_other_kernels_run_as_plain_python(tmp_path: Path) -> None:
    """A kernel that is not stored, and a stored one with other types, run as plain Python and are counted with them."""
    write(tmp_path / "rows.py", SOURCE)
    call(tmp_path, installed=True)
    *_, result, plain, imported = call(tmp_path, others=True)
    assert result == 6
    assert plain == [["rows.scale", "(i8[::1], i8)", 1]]
    assert imported == []
    (tmp_path / "empty").mkdir()
    write(tmp_path / "empty" / "rows.py", SOURCE)
    *_, plain, imported = call(tmp_path / "empty")
    assert plain == [["rows.scale", "(f4[::1], f8)", 2], ["rows.evens", "(i8,)", 1]]
    assert imported == []
