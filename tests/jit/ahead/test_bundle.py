"""Bundles of compiled kernels: they are taken in whole on machines that fit, and rejected with a reason on others."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import HealthCheck, given, settings

import rish_jit
from rish_jit import cache
from rish_jit.ahead import bundle
from rish_jit.errors import RishError, UsageError

from ..conftest import CALLER, Workshop, needs_numba, run, write

pytestmark = needs_numba
SUMS = """
import math
import numpy as np
from rish_jit import maths
from rish_jit import njit

@njit
def bend(x):
    y = np.float64(x)
    return maths.sin(y) * y + math.sin(y) * y + np.cos(y) / 3.0

@njit
def fill(x, out):
    total = np.float32(0)
    for i in range(len(x)):
        total += x[i] * x[i] + x[i]
        out[i] = bend(x[i]) * x[i] + total
    return total
"""
FILL = """
import hashlib, json
import numpy as np
import rish_jit
import sums
x = (np.random.default_rng(3).normal(size=5000) * 20).astype(np.float32)
out = np.zeros(5000)
total = sums.fill(x, out)
assert np.isfinite(out).all()
print(json.dumps([hashlib.sha256(out.tobytes()).hexdigest(), float(total).hex(), rish_jit.compilations]))
"""
TAKE = """
import pathlib
import rish_jit
taken = rish_jit.take_in(pathlib.Path({path!r}))
assert (taken.stored, taken.stale) == ({stored}, 0), taken
"""


def fill(folder: Path, cache_folder: Path, before: str = "", **environment: str) -> list[Any]:
    """Run the kernels in a new process; return a hash of the numbers, their sum, and the number of compilations."""
    return json.loads(run(before + FILL, folder, **{"RISH_CACHE_DIR": str(cache_folder), **environment}))


@pytest.mark.slow
def test_a_bundle_carries_kernels_to_another_cache(tmp_path: Path) -> None:
    """Kernels of a bundle are loaded elsewhere without a compilation, with the bits of those for this processor.

    The bundle is for the level x86-64-v2.
    """
    write(tmp_path / "sums.py", SUMS)
    made, other, path = tmp_path / "made", tmp_path / "other", tmp_path / "kernels.image"
    level = "x86-64-v2"
    first = fill(tmp_path, made, **rish_jit.environment_for(level, made))
    assert first[2] >= 2
    assert rish_jit.write_bundle(path, made, level) == 1
    assert [*tmp_path.glob("*.unfinished")] == [*tmp_path.glob(".*.unfinished")] == []
    machines = {entry.key.machine for entry in cache.entries_in(made)}
    shutil.rmtree(made)
    taken = fill(tmp_path, other, TAKE.format(path=str(path), stored=1))
    assert taken == [*first[:2], 0]
    assert fill(tmp_path, tmp_path / "here") == first
    here = {entry.key.machine for entry in cache.entries_in(tmp_path / "here")}
    assert here.isdisjoint(machines) or rish_jit.default_level() == level


# In one process


@pytest.fixture
def path(workshop: Workshop, tmp_path: Path) -> Path:
    """Write a bundle of two kernels, one of them for two types, and empty the cache."""
    module = workshop.start(CALLER)
    assert [module.work(1, 0.5), module.add(1), module.add(2.5)] == [3.5, 2, 3.5]
    made = tmp_path / "kernels.image"
    assert rish_jit.write_bundle(made, tmp_path / "cache", rish_jit.default_level()) == 3
    for each in workshop.entries():
        each.unlink()
    return made


def rewrite(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Write a bundle with another first line, and a checksum that is right."""
    data = path.read_bytes()
    start = data.index(b"\n") + 1 + 16
    head, _, code = data[start:].partition(b"\n")
    content = change(head) + b"\n" + code
    path.write_bytes(data[: start - 16] + cache.checksum(content) + content)


def describe(path: Path, **about: Any) -> None:
    """Change the description of a bundle."""
    rewrite(path, lambda head: json.dumps({**json.loads(head), **about}).encode())


def rejected(path: Path) -> str:
    """Take in a bundle that does not fit; return the message, which names the file."""
    with pytest.raises(RishError) as caught:
        rish_jit.take_in(path)
    assert str(caught.value).startswith(f"{path}: ")
    return str(caught.value)


def test_entries_are_stored_and_loaded(path: Path, workshop: Workshop) -> None:
    """All entries of a bundle are stored, and then loaded instead of compiled."""
    module = workshop.start(CALLER)
    assert rish_jit.take_in(path) == bundle.TakenIn(stored=3, stale=0)
    assert [module.work(1, 0.5), module.add(1), module.add(2.5)] == [3.5, 2, 3.5]
    assert workshop.compiled == []
    assert len(workshop.entries()) == 3


def test_entries_of_other_sources_are_left_out(path: Path, workshop: Workshop) -> None:
    """Entries of sources that were edited since, and of kernels that are gone, are counted and not stored."""
    module = workshop.start(CALLER.replace("add(x) + add(y)", "add(x) - add(y)"))
    assert rish_jit.take_in(path) == bundle.TakenIn(stored=2, stale=1)
    assert module.work(1, 0.5) == 0.5
    assert "parts.work" in workshop.compiled
    for each in workshop.entries():
        each.unlink()
    workshop.start("")
    assert rish_jit.take_in(path) == bundle.TakenIn(stored=0, stale=3)
    assert workshop.entries() == []


def test_a_bundle_of_other_versions_is_rejected(path: Path, workshop: Workshop) -> None:
    """A bundle for another version of Python or with another form is rejected with both versions; nothing is stored."""
    describe(path, python="cp27")
    assert "cp27" in rejected(path)
    describe(path, python="cp311", format=99)
    assert "99" in rejected(path)
    assert workshop.entries() == []


@pytest.mark.parametrize("level", ["x86-64-v9", "arm64"])
def test_a_bundle_for_another_processor_is_rejected(level: str, path: Path, workshop: Workshop) -> None:
    """A bundle for a level that this processor does not have is rejected with both levels, and nothing is stored."""
    describe(path, level=level)
    message = rejected(path)
    assert level in message
    assert rish_jit.default_level() in message
    assert workshop.entries() == []


@pytest.mark.parametrize("content", [b"", b"no bundle at all", b"rish-image 1\n"])
def test_a_file_that_is_no_bundle_is_rejected(content: bytes, tmp_path: Path) -> None:
    """Another file is rejected."""
    made = tmp_path / "kernels.image"
    made.write_bytes(content)
    assert "no bundle" in rejected(made)


@pytest.mark.parametrize("text", [b"{}", b"{", b'{"level": "x86-64-v2"}', b"\xff", b"[]", b"5", b"null"])
def test_a_description_of_another_form_is_rejected(text: bytes, path: Path, workshop: Workshop) -> None:
    """A bundle whose description is no JSON, half of one, or JSON of another form is rejected; nothing is stored."""
    rewrite(path, lambda _: text)
    assert "no bundle" in rejected(path)
    assert workshop.entries() == []


def test_a_bundle_that_is_cut_short_is_rejected(path: Path, workshop: Workshop) -> None:
    """A bundle of which only the first part is there is rejected, and nothing is stored."""
    data = path.read_bytes()
    for length in (1, 100, len(data) // 2, len(data) - 30, len(data) - 1):
        path.write_bytes(data[:length])
        assert "no bundle" in rejected(path)
    assert workshop.entries() == []


@settings(
    deadline=None, max_examples=100, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.floats(0, 1), st.integers(1, 255))
def test_any_damage_to_a_bundle_is_noticed(path: Path, place: float, other: int) -> None:
    """A bundle with one wrong byte at any place is rejected."""
    whole = path.with_suffix(".whole")
    if not whole.exists():
        whole.write_bytes(path.read_bytes())
    data = bytearray(whole.read_bytes())
    data[min(int(place * len(data)), len(data) - 1)] ^= other
    path.write_bytes(data)
    rejected(path)


def test_unknown_levels_cannot_be_compiled_for(tmp_path: Path) -> None:
    """Compiling for a level that does not exist, or for another family of processors, raises UsageError."""
    with pytest.raises(UsageError, match="x86-64-v3"):
        rish_jit.environment_for("x86-64-v9", tmp_path)
    with pytest.raises(UsageError, match="must be compiled on such a machine"):
        rish_jit.environment_for("arm64", tmp_path)


def test_a_bundle_is_written_whole_or_not_at_all(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk fails while a bundle is written, the old file is still there, and no part of the new one."""
    before, files = path.read_bytes(), {*tmp_path.iterdir()}

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    for place, step in ((Path, "write_bytes"), (os, "replace")):
        with monkeypatch.context() as broken:
            broken.setattr(place, step, refuse)
            with pytest.raises(OSError, match="No space"):
                rish_jit.write_bundle(path, tmp_path / "cache", rish_jit.default_level())
        assert path.read_bytes() == before
        assert {*tmp_path.iterdir()} == files
