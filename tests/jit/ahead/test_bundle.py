"""Bundles of compiled kernels: they are taken in whole on machines that fit, and rejected with a reason on others."""

from __future__ import annotations

import contextlib
import json
import shutil
import zipfile
from collections.abc import Callable
from dataclasses import replace
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

    The bundle is for the level x86-64-v2 where the processor is of that family.
    """
    write(tmp_path / "sums.py", SUMS)
    made, other, path = tmp_path / "made", tmp_path / "other", tmp_path / "kernels.zip"
    level = "arm64" if rish_jit.default_level() == "arm64" else "x86-64-v2"
    first = fill(tmp_path, made, **rish_jit.environment_for(level, made))
    count = len([*made.rglob("*.kernel")])
    assert first[2] >= 2
    assert rish_jit.write_bundle(path, made, level) == count
    assert [*tmp_path.glob("*.unfinished")] == [*tmp_path.glob(".*.unfinished")] == []
    machines = {entry.key.machine for entry in cache.entries_in(made)}
    shutil.rmtree(made)
    taken = fill(tmp_path, other, TAKE.format(path=str(path), stored=count))
    assert taken == [*first[:2], 0]
    assert fill(tmp_path, tmp_path / "here") == first
    here = {entry.key.machine for entry in cache.entries_in(tmp_path / "here")}
    assert here.isdisjoint(machines) or level == "arm64"


# In one process


@pytest.fixture
def path(workshop: Workshop, tmp_path: Path) -> Path:
    """Write a bundle of two kernels, for three types, and empty the cache."""
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    made = tmp_path / "kernels.zip"
    assert rish_jit.write_bundle(made, tmp_path / "cache", rish_jit.default_level()) == 3
    for each in workshop.entries():
        each.unlink()
    return made


def rewrite(path: Path, change: Callable[[str, bytes], bytes]) -> None:
    """Write a zip file again with other contents under the same names."""
    with zipfile.ZipFile(path) as file:
        found = {name: file.read(name) for name in file.namelist()}
    with zipfile.ZipFile(path, "w") as file:
        for name, data in found.items():
            file.writestr(name, change(name, data))


def describe(path: Path, **about: Any) -> None:
    """Change the description of a bundle."""

    def change(name: str, data: bytes) -> bytes:
        return json.dumps({**json.loads(data), **about}).encode() if name == "bundle.json" else data

    rewrite(path, change)


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
    assert module.work(1, 0.5) == 3.5
    assert workshop.compiled == []
    assert len(workshop.entries()) == 3


def test_entries_of_other_sources_are_left_out(path: Path, workshop: Workshop) -> None:
    """Entries of sources that were edited since, and of kernels that are gone, are counted and not stored."""
    module = workshop.start(CALLER.replace("add(x) + add(y)", "add(x) - add(y)"))
    assert rish_jit.take_in(path) == bundle.TakenIn(stored=2, stale=1)
    assert module.work(1, 0.5) == 0.5
    assert workshop.compiled == ["parts.work"]
    for each in workshop.entries():
        each.unlink()
    workshop.start("")
    assert rish_jit.take_in(path) == bundle.TakenIn(stored=0, stale=3)
    assert workshop.entries() == []


def test_a_bundle_of_other_versions_is_rejected(path: Path, workshop: Workshop) -> None:
    """A bundle that other compilers made is rejected with both versions, and nothing is stored."""
    describe(path, versions="cpython-1 numba-0.0.1")
    message = rejected(path)
    assert "numba-0.0.1" in message
    assert cache.versions() in message
    assert workshop.entries() == []


def test_a_bundle_for_a_better_processor_is_rejected(
    path: Path, workshop: Workshop, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bundle whose level needs what this processor lacks is rejected with the name of it, and nothing is stored."""
    monkeypatch.setitem(rish_jit.LEVELS, rish_jit.default_level(), "+popcnt,+warp9,+neon")
    message = rejected(path)
    assert "lacks" in message
    assert "warp9" in message
    assert workshop.entries() == []


def test_a_bundle_of_an_unknown_level_is_rejected(path: Path, workshop: Workshop) -> None:
    """A bundle for a level that this version does not know is rejected with its name, and nothing is stored."""
    describe(path, level="x86-64-v9")
    assert "x86-64-v9" in rejected(path)
    assert workshop.entries() == []


def test_the_error_of_an_unknown_level_names_the_known_ones(path: Path) -> None:
    """The error of a bundle for an unknown level names the levels that there are."""
    describe(path, level="x86-64-v9")
    assert "x86-64-v2" in rejected(path)


@pytest.mark.parametrize("content", [b"", b"no zip at all", b"PK\x03\x04"])
def test_a_file_that_is_no_bundle_is_rejected(content: bytes, tmp_path: Path) -> None:
    """A file that is no zip file is rejected."""
    made = tmp_path / "kernels.zip"
    made.write_bytes(content)
    assert "no bundle" in rejected(made)


def test_a_zip_file_without_a_description_is_rejected(path: Path, workshop: Workshop) -> None:
    """A zip file without a description, or with half of one, is rejected, and nothing is stored."""
    whole = path.read_bytes()
    for text in (b"{}", b"{", b'{"level": "x86-64-v2"}', b"\xff"):
        path.write_bytes(whole)
        rewrite(path, lambda name, data, text=text: text if name == "bundle.json" else data)
        assert "no bundle" in rejected(path)
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("other.txt", "words")
    assert "no bundle" in rejected(path)
    assert workshop.entries() == []


@pytest.mark.parametrize("text", [b"[]", b"5", b"null"])
def test_a_description_of_another_form_is_rejected(text: bytes, path: Path) -> None:
    """A bundle whose description is JSON of another form is rejected."""
    rewrite(path, lambda name, data: text if name == "bundle.json" else data)
    assert "no bundle" in rejected(path)


def test_a_bundle_with_a_damaged_entry_is_rejected(path: Path, workshop: Workshop) -> None:
    """If one entry of a bundle is damaged, the bundle is rejected, and nothing is stored."""
    last = [*zipfile.ZipFile(path).namelist()][-1]
    rewrite(path, lambda name, data: data[:-1] if name == last else data)
    assert "checksum" in rejected(path)
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
def test_any_damage_to_a_bundle_is_noticed_or_harmless(path: Path, place: float, other: int) -> None:
    """A bundle with one wrong byte at any place is either rejected, or taken in with nothing wrong."""
    whole = path.with_suffix(".whole")
    if not whole.exists():
        whole.write_bytes(path.read_bytes())
    data = bytearray(whole.read_bytes())
    data[min(int(place * len(data)), len(data) - 1)] ^= other
    path.write_bytes(data)
    with contextlib.suppress(RishError):  # any other error fails the test
        assert rish_jit.take_in(path).stored == 3


def test_unknown_levels_cannot_be_compiled_for(tmp_path: Path) -> None:
    """Compiling for a level that does not exist, or for another family of processors, raises UsageError."""
    with pytest.raises(UsageError, match="x86-64-v3"):
        rish_jit.environment_for("x86-64-v9", tmp_path)
    with pytest.raises(UsageError, match="must be compiled on such a machine"):
        rish_jit.environment_for("x86-64-v3" if rish_jit.default_level() == "arm64" else "arm64", tmp_path)


def test_a_bundle_is_written_whole_or_not_at_all(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the disk fails while a bundle is written, the old file is still there, and no part of the new one."""
    before, files = path.read_bytes(), {*tmp_path.iterdir()}

    def refuse(*_arguments: object, **_options: object) -> None:
        raise OSError(28, "No space left on device")

    for place, step in ((zipfile.ZipFile, "writestr"), (Path, "replace")):
        with monkeypatch.context() as broken:
            broken.setattr(place, step, refuse)
            with pytest.raises(OSError, match="No space"):
                rish_jit.write_bundle(path, tmp_path / "cache", rish_jit.default_level())
        assert path.read_bytes() == before
        assert {*tmp_path.iterdir()} == files


@pytest.mark.slow
@pytest.mark.parametrize("variable", ["RISH_NO_JIT", "NUMBA_DISABLE_JIT"])
def test_without_numba_bundles_are_rejected(variable: str, tmp_path: Path) -> None:
    """Where kernels run as plain Python, a bundle is rejected with the reason."""
    code = """
    import pathlib
    import rish_jit
    try:
        rish_jit.take_in(pathlib.Path("kernels.zip"))
    except Exception as error:
        print(type(error).__name__, error)
    """
    found = run(code, tmp_path, **{variable: "1"})
    assert found.startswith("RishError kernels.zip: ")
    assert "numba" in found


def test_entries_are_stored_for_this_machine(path: Path, workshop: Workshop) -> None:
    """Entries that were compiled for another processor of the level are stored under the name of this one."""
    workshop.start(CALLER)

    def elsewhere(name: str, data: bytes) -> bytes:
        if name == "bundle.json":
            return data
        entry = cache.unpack_entry(data)
        return cache.pack_entry(replace(entry, key=replace(entry.key, machine="another one")))

    rewrite(path, elsewhere)
    assert rish_jit.take_in(path).stored == 3
    assert "another one" not in {cache.read_entry(each).key.machine for each in workshop.entries()}
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    assert workshop.compiled == []
