"""The cache of compiled kernels: never out of date, never half written, and harmless if the disk fails."""

from __future__ import annotations

import errno
import io
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rish_ecs import jit
from rish_ecs.jit import cache

needs_numba = pytest.mark.skipif(not jit.available(), reason="needs numba")
UNSET = ("RISH_CACHE_DIR", "NUMBA_CACHE_DIR", "RISH_NO_JIT", "NUMBA_CPU_NAME")


def run(code: str, folder: Path, ends: int = 0, **environment: str) -> str:
    """Run code in a new process that can import from `folder`; return its output. ends: the expected exit status."""
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    inherited["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode would hide an edit of the same length within the same second
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == ends, done.stderr
    return done.stdout.strip()


def write(path: Path, text: str) -> None:
    """Write a module and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))


KERNEL = """
from rish_ecs.jit import njit
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
from rish_ecs.jit import njit

@njit
def {name}(x):
    return x {step}  # a comment
"""


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


CALL = """
import json
from rish_ecs import jit
names = []
jit.on_compile(lambda name, n: names.append(name.rpartition(".")[2]))
from pack.inner.kernel import alone, total
assert alone(1) == 0
print(json.dumps([total(1), sorted(names), jit.cache_folder(total)]))
"""
ALL = ["add", "alone", "scale", "total"]


def call(folder: Path, before: str = "", **environment: str) -> tuple[int, list[str], str]:
    """Return result, compiled kernels and cache folder, from a new process. before: code that runs first."""
    return tuple(json.loads(run(before + CALL, folder, **environment)))


EDITS = [
    ("pack/helper.py", "+ 1", "+ 2", 30, ["add", "total"]),
    ("pack/limits.py", "= 0", "= 5", 25, ["total"]),
    ("other/__init__.py", "* 10", "* 100", 200, ["scale", "total"]),
    ("pack/inner/kernel.py", "x - 1", "x - 1 + 0", 20, ["alone"]),
    ("pack/inner/kernel.py", "Everything together.", "The sum.", 20, []),
    ("pack/helper.py", "# a comment", "# another one", 20, []),
]
"""File, old text, new text, result afterwards, and the kernels that use what is edited."""


@needs_numba
@pytest.mark.slow
def test_an_edit_compiles_what_uses_it(package: Path) -> None:
    """After an edit exactly the kernels that use it are compiled again, and after its removal none are."""
    assert call(package)[:2] == (20, ALL)
    for file, old, new, result, compiled in EDITS:
        source = (package / file).read_text()
        assert old in source
        (package / file).write_text(source.replace(old, new))
        assert call(package)[:2] == (result, compiled)
        (package / file).write_text(source)
    assert call(package)[:2] == (20, [])


@needs_numba
@pytest.mark.slow
def test_a_reload_in_a_running_process_is_noticed(package: Path) -> None:
    """After an edit and a reload in a running process the new code runs, not the cached old one."""
    code = """
    import importlib, pathlib, sys
    sys.dont_write_bytecode = True
    from pack.inner import kernel
    from pack import helper
    first = kernel.total(1)
    path = pathlib.Path(helper.__file__)
    path.write_text(path.read_text().replace("+ 1", "+ 22"))
    importlib.reload(helper), importlib.reload(kernel)
    print(first, kernel.total(1))
    """
    assert run(code, package) == "20 230"


@needs_numba
@pytest.mark.slow
def test_a_checkout_in_another_place_stays_warm(package: Path) -> None:
    """Entries depend on the contents of the sources, not on their times or location."""
    there = package / "there"
    for name in ("pack", "other"):
        shutil.copytree(package / name, there / name, copy_function=shutil.copyfile)
    mine = str(package / "mine")
    assert call(package, RISH_CACHE_DIR=mine)[1] == ALL
    assert call(there, RISH_CACHE_DIR=mine)[:2] == (20, [])


@needs_numba
@pytest.mark.slow
def test_machine_code_of_other_machines_and_versions_is_not_loaded(package: Path) -> None:
    """Entries of another processor, numba or llvmlite are not loaded, and entries for all of them are kept together."""
    elsewhere: list[dict[str, str]] = [
        {"NUMBA_CPU_NAME": "generic"},
        {"before": "import numba\nnumba.__version__ = '0.0.1'"},
        {"before": "import numba, llvmlite\nllvmlite.__version__ = '0.0.1'"},
    ]
    assert call(package)[1] == ALL
    for different in elsewhere:
        assert call(package, **different)[:2] == (20, ALL)
        assert call(package, **different)[:2] == (20, [])
    assert call(package)[:2] == (20, [])


NOWHERE = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "LOCALAPPDATA": "/dev/null"}


@needs_numba
def test_where_nothing_can_be_written_kernels_still_run(package: Path) -> None:
    """If no place is writable, there is no cache, and kernels still run."""
    (package / "pack" / "__pycache__").write_text("in the way")
    (package / "other" / "__pycache__").write_text("in the way")
    assert call(package, **NOWHERE) == (20, ALL, None)


def test_the_places_for_the_cache(package: Path) -> None:
    """The cache is in the folder named by the user, otherwise in the package, otherwise in the user's cache."""
    where = "from pack.helper import add; from rish_ecs import jit; print(jit.cache_folder(add))"
    assert Path(run(where, package)) == package / "pack" / "__pycache__" / "rish"
    assert Path(run(where, package, RISH_CACHE_DIR=str(package / "mine"))) == package / "mine" / "pack"
    if sys.platform == "linux":
        (package / "pack" / "__pycache__").rename(package / "gone")
        (package / "pack" / "__pycache__").write_text("in the way")
        users = run(where, package, XDG_CACHE_HOME=str(package / "cache"))
        assert Path(users) == package / "cache" / "rish" / "kernels" / "pack"


@needs_numba
def test_kernels_in_a_read_only_folder_are_stored_elsewhere(package: Path) -> None:
    """If the folder of a package can only be read, its kernels are stored in the user's cache."""
    for name in ("pack", "other"):
        (package / name).chmod(0o500)
    if os.access(package / "pack", os.W_OK):
        pytest.skip("this user can write everywhere")
    mine = {"HOME": str(package / "home"), "XDG_CACHE_HOME": str(package / "cache")}
    assert call(package, **mine)[:2] == (20, ALL)
    assert call(package, **mine)[:2] == (20, [])
    for name in ("pack", "other"):
        assert not (package / name / "__pycache__").exists()
        (package / name).chmod(0o700)


def test_code_without_a_file_has_no_cache() -> None:
    """Code without a file has no cache."""
    assert cache.folder_for("<stdin>") is None


# In one process: a module that is executed again has new kernels, as in a new process


class Workshop:
    """A folder for modules with kernels, their cache, and what happened in it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder / "workshop", folder / "cache" / "workshop"
        self.folder.mkdir()
        self.compiled: list[str] = []
        self.used: list[cache.Entry] = []

    def start(self, source: str) -> ModuleType:
        """Execute a module with a source, and forget what was compiled, loaded and stored before."""
        path = self.folder / "parts.py"
        write(path, "from rish_ecs.jit import njit\n" + textwrap.dedent(source))
        module = ModuleType("parts")
        exec(compile(path.read_text(), path, "exec"), module.__dict__)
        self.compiled.clear()
        self.used.clear()
        return module

    def entries(self) -> list[Path]:
        """Return the files in the cache, the oldest first."""
        return sorted(self.cache.iterdir(), key=lambda path: path.stat().st_mtime) if self.cache.exists() else []


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Create a workshop with an empty cache."""
    if not jit.available():
        pytest.skip("needs numba")
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    made = Workshop(tmp_path)
    stops = [jit.on_compile(lambda name, n: made.compiled.append(name)), cache.on_use(made.used.append)]
    yield made
    for stop in stops:
        stop()


ADD = "@njit\ndef add(x):\n    return x + {}\n"


def test_four_versions_of_a_kernel_are_kept(workshop: Workshop) -> None:
    """The latest four versions of a kernel for the same types are kept; other types and kernels count separately."""
    other = "@njit\ndef other(x):\n    return x\n"
    assert workshop.start(other).other(1) == 1
    assert workshop.start(ADD.format(0)).add(1.5) == 1.5
    for i in range(8):
        assert workshop.start(ADD.format(i)).add(1) == 1 + i
        for age, path in enumerate(reversed(workshop.entries())):
            os.utime(path, (10_000 - age, 10_000 - age))
    assert len(workshop.entries()) == 6
    for i in (7, 6, 5, 4):
        assert workshop.start(ADD.format(i)).add(1) == 1 + i
        assert workshop.compiled == []
    assert workshop.start(ADD.format(3)).add(1) == 4
    assert workshop.compiled == ["parts.add"]
    assert (workshop.start(other).other(1), workshop.start(ADD.format(0)).add(1.5), workshop.compiled) == (1, 1.5, [])


CALLER = ADD.format(1) + "@njit\ndef work(x, y):\n    return add(x) + add(y)\n"


def test_each_use_of_an_entry_is_reported(workshop: Workshop) -> None:
    """A listener gets each entry that is stored or loaded, with the kernels and types that it calls."""
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    found = {(entry.key.kernel, entry.key.types): entry for entry in workshop.used}
    assert set(found) == {("parts.add", "(i8,)"), ("parts.add", "(f8,)"), ("parts.work", "(i8, f8)")}
    stored = found["parts.work", "(i8, f8)"]
    assert set(stored.calls) == {("parts.add", "(i8,)"), ("parts.add", "(f8,)")}
    assert found["parts.add", "(i8,)"].calls == ()
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    assert workshop.used == [stored]
    stop = cache.on_use(lambda entry: pytest.fail("it was told to stop"))
    stop()
    assert workshop.start(CALLER).add(1) == 2
    assert [entry.key.kernel for entry in workshop.used] == ["parts.add"]


@pytest.mark.parametrize("arguments", [("four", 5), (np.datetime64(4, "s"), 5), (np.zeros(()), 5), (4,)], ids=repr)
def test_a_kernel_for_types_without_a_text_still_runs(arguments: tuple[Any, ...], workshop: Workshop) -> None:
    """A kernel with an argument whose type has no text runs, but it is not stored."""
    for _ in range(2):
        assert workshop.start("@njit\ndef choose(x, y=5):\n    return y\n").choose(*arguments) == 5
        assert workshop.compiled == ["parts.choose"]
    assert workshop.entries() == []


@pytest.mark.xfail(strict=True, raises=OSError, reason="the name of the file becomes too long")
def test_names_may_be_long_and_of_any_language(workshop: Workshop) -> None:
    """A kernel whose name is too long for a file is stored and loaded like others."""
    source = ADD.format(1).replace("add", "名" * 90)
    for _ in range(2):
        assert workshop.start(source).__dict__["名" * 90](1) == 2
    assert workshop.compiled == []


@pytest.mark.xfail(strict=True, reason="the stamp is that of the first call, and the machine code is not")
def test_a_constant_that_changes_later_does_no_lasting_harm(workshop: Workshop) -> None:
    """Code that was compiled after a running process changed a constant is not loaded by the next process."""
    source = "K = 1\n" + ADD.format("K")
    module = workshop.start(source)
    assert module.add(1) == 2
    module.K = 5
    assert module.add(0.5) in (1.5, 5.5)
    assert workshop.start(source).add(0.5) == 1.5


# Damage


def test_any_damage_to_a_file_is_noticed(workshop: Workshop) -> None:
    """A file that is cut short or that has one wrong byte, at any place, raises an error when it is read."""
    assert workshop.start(ADD.format(1)).add(1) == 2
    (path,) = workshop.entries()
    data = path.read_bytes()
    assert cache.read_entry(path) == workshop.used[0]
    for at in (*range(60), *range(60, len(data), 41)):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]):
            path.write_bytes(damaged)
            with pytest.raises(ValueError, match="checksum"):
                cache.read_entry(path)


@pytest.mark.parametrize("place", [0, 0.001, 0.003, 0.01, 0.1, 0.5, 0.9, 1])
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


# Disks that fail


class FullDisk(io.FileIO):
    """A file on a disk that has space for 1000 bytes."""

    def write(self, data: Any) -> int:
        """Write 1000 bytes, and raise the error of the system."""
        super().write(data[:1000])
        raise OSError(errno.ENOSPC, "No space left on device")


def refuse(*_arguments: object, **_options: object) -> None:
    """Raise the error of a disk that can only be read."""
    raise OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("step", "instead"), [("os.fdopen", FullDisk), ("tempfile.mkstemp", refuse), ("pathlib.Path.replace", refuse)]
)
def test_a_disk_that_fails_is_reported_once(
    step: str, instead: Any, workshop: Workshop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the disk fails, kernels run, entries are loaded, nothing is left of new ones, and one warning is logged."""
    assert workshop.start(CALLER).add(1) == 2
    before = workshop.entries()
    with monkeypatch.context() as broken, caplog.at_level(logging.INFO, "rish.jit"):
        broken.setattr(step, instead)
        assert workshop.start(CALLER).work(1, 0.5) == 3.5
        assert sorted(workshop.compiled) == ["parts.add", "parts.work"]
    assert workshop.entries() == before
    (warning,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert str(workshop.cache) in warning.getMessage()
    assert workshop.start(CALLER).work(1, 0.5) == 3.5
    assert len(workshop.entries()) == 3


def stored(folder: Path) -> set[Path]:
    """Return the files in the caches of both packages."""
    return {path for path in folder.rglob("__pycache__/rish/*") if path.is_file()}


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
