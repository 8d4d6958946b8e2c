"""Damaged files and failing disks: kernels run all the same, and no part of a file is ever used."""

from __future__ import annotations

import errno
import logging
import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given

from rish_jit import cache

from .conftest import ALL, CALL, CALLER, Workshop, call, needs_numba, run, stored

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
keys = st.builds(cache.Key, texts, texts, texts, texts)
entries = st.builds(cache.Entry, keys, st.lists(st.tuples(texts, texts), max_size=3).map(tuple), st.binary(max_size=40))


@given(entries)
def test_an_entry_comes_back_from_its_bytes(entry: cache.Entry) -> None:
    """Every entry can be written as bytes and read again."""
    assert cache.unpack_entry(cache.pack_entry(entry)) == entry


@given(entries, st.data())
def test_any_damage_is_noticed(entry: cache.Entry, data: st.DataObject) -> None:
    """Bytes that are cut short, or in which any byte is wrong, raise ValueError."""
    whole = cache.pack_entry(entry)
    at = data.draw(st.integers(0, len(whole) - 1))
    other = data.draw(st.integers(1, 255))
    for damaged in (whole[:at], whole[:at] + bytes([whole[at] ^ other]) + whole[at + 1 :], whole + bytes([other])):
        with pytest.raises(ValueError, match="checksum"):
            cache.unpack_entry(damaged)


@pytest.mark.slow
@pytest.mark.parametrize("place", [0, 0.01, 0.5, 1])
@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_file_is_compiled_again(place: float, cut: bool, workshop: Workshop) -> None:
    """Files that are cut short or have one wrong byte are not loaded but compiled again, once."""
    assert workshop.start(CALLER).work(1, 2) == 5
    for path in workshop.entries():
        data = path.read_bytes()
        at = min(int(place * len(data)), len(data) - 1)
        path.write_bytes(data[:at] + (b"" if cut else bytes([data[at] ^ 1]) + data[at + 1 :]))
    assert workshop.start(CALLER).work(1, 2) == 5
    assert workshop.compiled == ["parts.work", "parts.add"]
    assert workshop.start(CALLER).work(1, 2) == 5
    assert workshop.compiled == []


KEY = cache.Key("parts.add", "(i8,)", "stamp", "machine")


@pytest.fixture
def two_folders(tmp_path: Path) -> list[Path]:
    """Create two folders with the same entry."""
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
        cache.write_entry(folder, cache.Entry(KEY, (), b"code"))
    return folders


def test_a_damaged_file_is_deleted(two_folders: list[Path]) -> None:
    """A damaged file is deleted when it is read, and the entry is taken from the next folder."""
    first, second = (folder / KEY.file for folder in two_folders)
    first.write_bytes(first.read_bytes()[:-1])
    assert cache.find_entry(two_folders, KEY) == cache.read_entry(second)
    assert (first.exists(), second.exists()) == (False, True)
    second.write_bytes(b"")
    assert cache.find_entry(two_folders, KEY) is None
    assert not second.exists()


def test_a_file_that_cannot_be_read_is_left_alone(two_folders: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that the system does not let this process read is passed over and not deleted."""
    first = two_folders[0] / KEY.file
    read = Path.read_bytes

    def refused(path: Path) -> bytes:
        if path == first:
            raise PermissionError(errno.EACCES, "Permission denied")
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", refused)
    assert cache.find_entry(two_folders, KEY) == cache.Entry(KEY, (), b"code")
    assert cache.find_entry(two_folders[:1], KEY) is None
    assert first.exists()


# Disks that fail

whole_write = Path.write_bytes


def write_a_part(path: Path, data: bytes) -> int:
    """Write what a disk with space for 1000 bytes takes, and raise the error of the system."""
    whole_write(path, data[:1000])
    raise OSError(errno.ENOSPC, "No space left on device")


def refuse(*_arguments: object, **_options: object) -> None:
    """Raise the error of a disk that can only be read."""
    raise OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("step", "instead"), [("write_bytes", write_a_part), ("write_bytes", refuse), ("replace", refuse)]
)
def test_a_disk_that_fails_is_reported_once(
    step: str,
    instead: Callable[..., Any],
    workshop: Workshop,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """If the disk fails, kernels run, entries are loaded, nothing is left of new ones, and one warning is logged."""
    source = CALLER + "@njit\ndef other(x):\n    return x - 1\n"
    assert workshop.start(source).other(1) == 0
    before = workshop.entries()
    with monkeypatch.context() as broken, caplog.at_level(logging.INFO, "rish.jit"):
        module = workshop.start(source)
        broken.setattr(os if step == "replace" else Path, step, instead)
        assert (module.other(1), module.work(1, 0.5)) == (0, 3.5)
        assert sorted(workshop.compiled) == ["parts.add", "parts.add", "parts.work"]
    assert workshop.entries() == before
    (warning,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert str(workshop.cache) in warning.getMessage()
    assert workshop.start(source).work(1, 0.5) == 3.5
    assert len(workshop.entries()) == 4


@needs_numba
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limit")
def test_a_limit_on_the_size_of_files_does_no_harm(package: Path) -> None:
    """If the system limits the size of files, kernels run, and no part of a file is left."""
    assert call(package, "import resource\nresource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))\n")[:2] == (20, ALL)
    assert stored(package) == set()
    assert call(package)[:2] == (20, ALL)
    assert len(stored(package)) == 4


DIE = """
import os, pathlib, signal
pathlib.Path.replace = os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
"""


@needs_numba
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="processes are killed in another way")
def test_a_process_that_is_killed_before_the_end_leaves_no_entry(package: Path) -> None:
    """The unfinished file of a killed process is not loaded; after an hour it is deleted when an entry is stored."""
    for _ in range(2):
        run(DIE + CALL, package, ends=-signal.SIGKILL)
    old, new = stored(package)
    for path, minutes in ((old, 61), (new, 50)):
        os.utime(path, (time.time() - 60 * minutes,) * 2)
    assert call(package)[:2] == (20, ALL)
    assert (old.exists(), new.exists(), len(stored(package))) == (False, True, 5)
    assert call(package)[:2] == (20, [])
