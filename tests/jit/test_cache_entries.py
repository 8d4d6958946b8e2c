"""Entries of the cache in one process: which are kept, which are reported, and where they are read from."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rish_jit import cache

from .conftest import ADD, CALLER, Workshop


def test_sixteen_versions_of_a_kernel_are_kept(tmp_path: Path) -> None:
    """The latest sixteen versions of a kernel for the same types are kept; other types and kernels count separately."""

    def entry(kernel: str, types: str, version: int) -> cache.Entry:
        return cache.Entry(cache.Key(kernel, types, f"stamp {version}", "machine"), (), b"code")

    others = [entry("parts.add", "(f8,)", 0), entry("parts.other", "(i8,)", 0), entry("parts.ad", "(i8,)", 0)]
    versions = [entry("parts.add", "(i8,)", version) for version in range(20)]
    for age, each in enumerate([*others, *versions]):
        cache.write_entry(tmp_path, each)
        os.utime(tmp_path / each.key.file, (10_000 + age,) * 2)
    kept = [each for each in [*others, *versions] if cache.find_entry([tmp_path], each.key) == each]
    assert kept == [*others, *versions[-16:]]
    assert len([*tmp_path.iterdir()]) == len(kept)


def test_going_back_to_an_earlier_version_loads_it(workshop: Workshop) -> None:
    """After edits the earlier versions of a kernel are still in the cache, and so are other types and kernels."""
    other = "@njit\ndef other(x):\n    return x\n"
    assert workshop.start(other).other(1) == 1
    assert workshop.start(ADD.format(0)).add(1.5) == 1.5
    for i in range(6):
        assert workshop.start(ADD.format(i)).add(1) == 1 + i
        assert workshop.compiled == ["parts.add"]
    for i in (0, 3, 5):
        assert workshop.start(ADD.format(i)).add(1) == 1 + i
        assert workshop.compiled == []
    assert (workshop.start(other).other(1), workshop.start(ADD.format(0)).add(1.5), workshop.compiled) == (1, 1.5, [])


def test_each_use_of_an_entry_is_reported(workshop: Workshop) -> None:
    """A listener gets each entry that is stored or loaded, with the kernels and types that it calls."""
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    found = {(entry.key.kernel, entry.key.types): entry for entry in workshop.used}
    adds = {("parts.add*", "(i8,)"), ("parts.add*", "(f8,)")}
    assert set(found) == {*adds, ("parts.work", "(i8, f8)")}
    stored = found["parts.work", "(i8, f8)"]
    assert set(stored.calls) == adds
    assert [found[each].calls for each in adds] == [(), ()]
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    assert workshop.used == [stored]
    stop = cache.on_use(lambda entry: pytest.fail("it was told to stop"))
    stop()
    assert workshop.start(CALLER).add(1) == 2
    assert [entry.key.kernel for entry in workshop.used] == ["parts.add"]


@pytest.mark.parametrize("arguments", [("four", 5), (np.datetime64(4, "s"), 5), (np.zeros(()), 5)], ids=repr)
def test_a_kernel_for_types_without_a_text_still_runs(arguments: tuple[Any, ...], workshop: Workshop) -> None:
    """A kernel with an argument whose type has no text runs, but it is not stored."""
    for _ in range(2):
        assert workshop.start("@njit\ndef choose(x, y=5):\n    return y\n").choose(*arguments) == 5
        assert workshop.compiled == ["parts.choose"]
    assert workshop.entries() == []


def test_names_may_be_long_and_of_any_language(workshop: Workshop) -> None:
    """A kernel whose name is too long for a file is stored and loaded like others."""
    source = ADD.format(1).replace("add", "名" * 90)
    for _ in range(2):
        assert workshop.start(source).__dict__["名" * 90](1) == 2
    assert workshop.compiled == []


def test_a_constant_that_changes_later_does_no_lasting_harm(workshop: Workshop) -> None:
    """Code that was compiled after a running process changed a constant is not loaded by the next process."""
    source = "K = 1\n" + ADD.format("K")
    module = workshop.start(source)
    assert module.add(1) == 2
    module.K = 5
    assert module.add(0.5) in (1.5, 5.5)
    assert workshop.start(source).add(0.5) == 1.5


REJOINED = "import enum\nclass Kind(enum.IntEnum):\n    ONE = {}\n" + ADD.format("Kind.ONE")


def test_each_of_two_reloads_gives_the_code_of_the_file(workshop: Workshop) -> None:
    """If a running process reloads a module twice, its kernels use the values of an enumeration of the last edit."""
    for number in (2, 3):
        assert workshop.start(REJOINED.format(number)).add(0) == number


@pytest.fixture
def shelf(workshop: Workshop, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Path, Path]:
    """Fill a cache with a kernel, then let it only be read; return it, and the place that comes after it."""
    assert workshop.start(ADD.format(1)).add(1) == 2
    fixed, free = tmp_path / "fixed", tmp_path / "free"
    shutil.copytree(tmp_path / "cache", fixed)  # a copy, because it is remembered that the first can be written
    temporary = tempfile.TemporaryFile

    def only_elsewhere(*arguments: Any, **options: Any) -> Any:
        if Path(options.get("dir", "")).is_relative_to(fixed):
            raise PermissionError(13, "Permission denied")
        return temporary(*arguments, **options)

    monkeypatch.setattr(tempfile, "TemporaryFile", only_elsewhere)
    monkeypatch.setenv("RISH_CACHE_DIR", str(fixed))
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(free))
    return fixed / "workshop", free / "workshop"


def test_a_folder_that_can_only_be_read_is_searched(workshop: Workshop, shelf: tuple[Path, Path]) -> None:
    """Entries in a folder that can't be written are loaded, and new ones go to the next place and are loaded too."""
    fixed, free = shelf
    before = {path: path.read_bytes() for path in fixed.iterdir()}
    for compiled in (["parts.add"], []):
        module = workshop.start(ADD.format(1))
        assert module.add(1) == 2
        assert workshop.compiled == []
        assert module.add(1.5) == 2.5
        assert workshop.compiled == compiled
    assert {path: path.read_bytes() for path in fixed.iterdir()} == before
    assert [path.name for path in free.iterdir()] == [workshop.used[1].key.file]


@pytest.mark.parametrize("other", ["of another kernel", "of other types", "of another source"])
def test_a_file_under_a_wrong_name_is_compiled_again(other: str, workshop: Workshop) -> None:
    """An undamaged file with the name of another one is not loaded; the right one is compiled again, once."""
    assert workshop.start("@njit\ndef subtract(x):\n    return x - 1\n").subtract(1) == 0
    wrong = {"of another kernel": workshop.used[0]}
    assert workshop.start(ADD.format(7)).add(1) == 8
    wrong["of another source"] = workshop.used[0]
    assert workshop.start(ADD.format(1)).add(1) == 2
    right = workshop.used[0]
    assert workshop.start(ADD.format(1)).add(1.5) == 2.5
    wrong["of other types"] = workshop.used[0]
    (workshop.cache / wrong[other].key.file).replace(workshop.cache / right.key.file)
    for compiled in (["parts.add"], []):
        assert workshop.start(ADD.format(1)).add(1) == 2
        assert workshop.compiled == compiled
