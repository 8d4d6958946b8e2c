"""The cache of compiled kernels: never stale, never half written, shared by processes, and never in a caller's way."""

from __future__ import annotations

import errno
import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import textwrap
import time
from concurrent.futures import ThreadPoolExecutor
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
    """Run code in a new process that can import what lies in `folder`; gives what it printed."""
    inherited = {name: value for name, value in os.environ.items() if name not in UNSET}
    inherited["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode hides an edit of equal length within the same second
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
    """Write a module, making its folder."""
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
    """A package whose kernel reaches a helper and a constant of its other modules, and a helper of another package."""
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
    """Result, compiled kernels, and cache folder of the package's kernels in a new process. before: runs first."""
    return tuple(json.loads(run(before + CALL, folder, **environment)))


@needs_numba
@pytest.mark.slow
def test_a_second_process_compiles_nothing(package: Path) -> None:
    """Compiled kernels that call kernels of other modules come back from the package's own cache."""
    where = str(package / "pack" / "__pycache__" / "rish")
    assert call(package) == (20, ALL, where)
    assert call(package) == (20, [], where)


@needs_numba
@pytest.mark.slow
@pytest.mark.parametrize(
    ("file", "old", "new", "result", "compiled"),
    [
        ("pack/helper.py", "+ 1", "+ 2", 30, ["add", "total"]),
        ("pack/limits.py", "= 0", "= 5", 25, ["total"]),
        ("other/__init__.py", "* 10", "* 100", 200, ["scale", "total"]),
        ("pack/inner/kernel.py", "x - 1", "x - 1 + 0", 20, ["alone"]),
        ("pack/inner/kernel.py", "Everything together.", "The sum.", 20, []),
        ("pack/helper.py", "# a comment", "# another one", 20, []),
    ],
)
def test_an_edit_compiles_what_reaches_it(
    file: str, old: str, new: str, result: int, compiled: list[str], package: Path
) -> None:
    """Exactly the kernels that reach an edit are compiled again, and going back to the earlier source compiles none."""
    call(package)
    source = (package / file).read_text()
    assert old in source
    (package / file).write_text(source.replace(old, new))
    assert call(package)[:2] == (result, compiled)
    assert call(package)[:2] == (result, [])
    (package / file).write_text(source)
    assert call(package)[:2] == (20, [])


@needs_numba
@pytest.mark.slow
def test_a_reload_in_a_running_process_is_noticed(package: Path) -> None:
    """After an edit and a reload of the modules, the new code runs, not what the cache held of the old."""
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
    """Entries depend on contents, not on the times of files or on where they lie."""
    there = package / "there"
    for name in ("pack", "other"):
        shutil.copytree(package / name, there / name, copy_function=shutil.copyfile)
    mine = str(package / "mine")
    assert call(package, RISH_CACHE_DIR=mine)[1] == ALL
    assert call(there, RISH_CACHE_DIR=mine)[:2] == (20, [])


@needs_numba
@pytest.mark.slow
def test_machine_code_of_other_machines_and_versions_is_not_loaded(package: Path) -> None:
    """Another processor, another numba or another llvmlite compile for themselves, and leave the rest in its place."""
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


@needs_numba
@pytest.mark.slow
def test_processes_may_fill_one_cache(package: Path) -> None:
    """Six at once, while the cache is empty: each has the right result, and the next one compiles nothing."""
    with ThreadPoolExecutor(6) as together:
        found = list(together.map(lambda _: call(package)[0], range(6)))
    assert found == [20] * 6
    assert call(package)[:2] == (20, [])


NOWHERE = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "LOCALAPPDATA": "/dev/null"}


@needs_numba
def test_where_nothing_can_be_written_kernels_still_run(package: Path) -> None:
    """With no writable place at all there is no cache, and no crash."""
    (package / "pack" / "__pycache__").write_text("in the way")
    (package / "other" / "__pycache__").write_text("in the way")
    assert call(package, **NOWHERE) == (20, ALL, None)


def test_the_places_for_the_cache(package: Path) -> None:
    """The folder that the user names is taken, else the package's own, else the user's cache."""
    where = "from pack.helper import add; from rish_ecs import jit; print(jit.cache_folder(add))"
    assert Path(run(where, package)) == package / "pack" / "__pycache__" / "rish"
    assert Path(run(where, package, RISH_CACHE_DIR=str(package / "mine"))) == package / "mine" / "pack"
    if sys.platform == "linux":
        (package / "pack" / "__pycache__").rename(package / "gone")
        (package / "pack" / "__pycache__").write_text("in the way")
        users = run(where, package, XDG_CACHE_HOME=str(package / "cache"))
        assert Path(users) == package / "cache" / "rish" / "kernels" / "pack"


def test_code_without_a_file_has_no_cache() -> None:
    """What was typed at a prompt or made by exec compiles each time."""
    assert cache.folder_for("<stdin>") is None


# One process, in which executing a module again stands for a new start


class Shop:
    """A folder for modules with kernels, and their cache."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.cache = folder / "shop", folder / "cache" / "shop"
        self.folder.mkdir()
        self.compiled: list[str] = []
        self.used: list[cache.Entry] = []

    def start(self, source: str, name: str = "wares") -> ModuleType:
        """Execute a module that holds `source`, and count from here on what is compiled, loaded and stored."""
        path = self.folder / f"{name}.py"
        write(path, "from rish_ecs.jit import njit\n" + textwrap.dedent(source))
        module = ModuleType(name)
        exec(compile(path.read_text(), path, "exec"), module.__dict__)
        self.compiled.clear()
        self.used.clear()
        return module

    def entries(self) -> list[Path]:
        """The files in the cache, the oldest first."""
        return sorted(self.cache.iterdir(), key=lambda path: path.stat().st_mtime) if self.cache.exists() else []


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A shop whose cache is in a folder of its own."""
    if not jit.available():
        pytest.skip("needs numba")
    monkeypatch.setenv("RISH_CACHE_DIR", str(tmp_path / "cache"))
    made = Shop(tmp_path)
    stops = [jit.on_compile(lambda name, n: made.compiled.append(name)), cache.on_use(made.used.append)]
    yield made
    for stop in stops:
        stop()


ADD = "@njit\ndef add(x):\n    return x + {}\n"


def test_four_versions_of_a_kernel_are_kept(shop: Shop) -> None:
    """The latest four of a kernel for the same types stay; those for other types and of other kernels are apart."""
    other = "@njit\ndef other(x):\n    return x\n"
    assert shop.start(other).other(1) == 1
    assert shop.start(ADD.format(0)).add(1.5) == 1.5
    for i in range(8):
        assert shop.start(ADD.format(i)).add(1) == 1 + i
        for age, path in enumerate(reversed(shop.entries())):
            os.utime(path, (10_000 - age, 10_000 - age))
    assert len(shop.entries()) == 6
    for i in (7, 6, 5, 4):
        assert shop.start(ADD.format(i)).add(1) == 1 + i
        assert shop.compiled == []
    assert shop.start(ADD.format(3)).add(1) == 4
    assert shop.compiled == ["wares.add"]
    assert (shop.start(other).other(1), shop.start(ADD.format(0)).add(1.5), shop.compiled) == (1, 1.5, [])


CALLER = ADD.format(1) + "@njit\ndef work(x, y):\n    return add(x) + add(y)\n"


def test_each_use_of_an_entry_is_reported(shop: Shop) -> None:
    """A listener hears of each entry that is stored or loaded, with the kernels and types that it calls."""
    assert shop.start(CALLER).work(1, 0.5) == 3.5
    found = {(entry.key.kernel, entry.key.types): entry for entry in shop.used}
    assert set(found) == {("wares.add", "(i8,)"), ("wares.add", "(f8,)"), ("wares.work", "(i8, f8)")}
    stored = found["wares.work", "(i8, f8)"]
    assert set(stored.calls) == {("wares.add", "(i8,)"), ("wares.add", "(f8,)")}
    assert found["wares.add", "(i8,)"].calls == ()
    assert shop.start(CALLER).work(1, 0.5) == 3.5
    assert shop.used == [stored]
    stop = cache.on_use(lambda entry: pytest.fail("it was told to stop"))
    stop()
    assert shop.start(CALLER).add(1) == 2
    assert [entry.key.kernel for entry in shop.used] == ["wares.add"]


@pytest.mark.parametrize("arguments", [("four", 5), (np.datetime64(4, "s"), 5), (jit.njit(abs), 5), (4,)], ids=repr)
def test_a_kernel_for_types_without_a_text_still_runs(arguments: tuple[Any, ...], shop: Shop) -> None:
    """An argument whose type can't be written down costs the entry in the cache, and nothing else."""
    for _ in range(2):
        assert shop.start("@njit\ndef choose(x, y=5):\n    return y\n").choose(*arguments) == 5
        assert shop.compiled == ["wares.choose"]
    assert shop.entries() == []


@pytest.mark.xfail(strict=True, raises=OSError, reason="the name of the file becomes too long")
def test_names_may_be_long_and_of_any_language(shop: Shop) -> None:
    """A kernel with a name that no file can have is stored and loaded like others."""
    source = ADD.format(1).replace("add", "名" * 90)
    for _ in range(2):
        assert shop.start(source).__dict__["名" * 90](1) == 2
    assert shop.compiled == []


@pytest.mark.xfail(strict=True, reason="the stamp is that of the first call, and the machine code is not")
def test_a_constant_that_changes_later_does_no_lasting_harm(shop: Shop) -> None:
    """If a running process changes a constant, what it compiles then is not what the next process loads."""
    source = "K = 1\n" + ADD.format("K")
    module = shop.start(source)
    assert module.add(1) == 2
    module.K = 5
    assert module.add(0.5) in (1.5, 5.5)
    assert shop.start(source).add(0.5) == 1.5


# Damage


def test_any_damage_to_a_file_is_noticed(shop: Shop) -> None:
    """A file that lacks an end, of whatever length, or that has one wrong byte anywhere, is no entry."""
    assert shop.start(ADD.format(1)).add(1) == 2
    (path,) = shop.entries()
    data = path.read_bytes()
    assert cache.read_entry(path) == shop.used[0]
    for at in range(len(data)):
        for damaged in (data[:at], data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]):
            path.write_bytes(damaged)
            with pytest.raises(ValueError, match="checksum"):
                cache.read_entry(path)


@pytest.mark.parametrize("place", [0, 0.001, 0.003, 0.01, 0.1, 0.5, 0.9, 1])
@pytest.mark.parametrize("cut", [True, False])
def test_a_damaged_file_is_compiled_again(place: float, cut: bool, shop: Shop) -> None:
    """Files that are cut short or have one wrong byte are not loaded, and the next start compiles nothing."""
    assert shop.start(CALLER).work(1, 2) == 5
    for path in shop.entries():
        data = path.read_bytes()
        at = min(int(place * len(data)), len(data) - 1)
        path.write_bytes(data[:at] + (b"" if cut else bytes([data[at] ^ 1]) + data[at + 1 :]))
    assert shop.start(CALLER).work(1, 2) == 5
    assert shop.compiled == ["wares.work", "wares.add"]
    assert shop.start(CALLER).work(1, 2) == 5
    assert shop.compiled == []


@pytest.mark.parametrize("other", ["of another kernel", "of other types", "of another source"])
def test_a_file_under_a_wrong_name_is_compiled_again(other: str, shop: Shop) -> None:
    """A whole file that lies where another one belongs is not loaded, and the next start compiles nothing."""
    assert shop.start("@njit\ndef subtract(x):\n    return x - 1\n").subtract(1) == 0
    wrong = {"of another kernel": shop.used[0]}
    assert shop.start(ADD.format(7)).add(1) == 8
    wrong["of another source"] = shop.used[0]
    assert shop.start(ADD.format(1)).add(1) == 2
    right = shop.used[0]
    assert shop.start(ADD.format(1)).add(1.5) == 2.5
    wrong["of other types"] = shop.used[0]
    (shop.cache / wrong[other].key.file).replace(shop.cache / right.key.file)
    for compiled in (["wares.add"], []):
        assert shop.start(ADD.format(1)).add(1) == 2
        assert shop.compiled == compiled


# Disks that fail


class FullDisk:
    """A file that takes a thousand bytes and no more."""

    open = staticmethod(os.fdopen)

    def __init__(self, handle: int, mode: str) -> None:
        self.file = FullDisk.open(handle, mode)

    def __enter__(self) -> FullDisk:
        return self

    def __exit__(self, *_error: object) -> None:
        self.file.close()

    def write(self, data: bytes) -> int:
        """Write the beginning, and raise the error of the system."""
        self.file.write(data[:1000])
        raise OSError(errno.ENOSPC, "No space left on device")


def refuse(*_arguments: object, **_options: object) -> None:
    """Do what a disk does that can only be read."""
    raise OSError(errno.EROFS, "Read-only file system")


@pytest.mark.parametrize(
    ("step", "instead"), [("os.fdopen", FullDisk), ("tempfile.mkstemp", refuse), ("pathlib.Path.replace", refuse)]
)
def test_a_disk_that_fails_is_reported_once(
    step: str, instead: Any, shop: Shop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Entries are still loaded; a new one is lost without a trace, with one warning, and kernels give their results."""
    assert shop.start(CALLER).add(1) == 2
    before = shop.entries()
    with monkeypatch.context() as broken, caplog.at_level(logging.INFO, "rish.jit"):
        broken.setattr(step, instead)
        assert shop.start(CALLER).work(1, 0.5) == 3.5
        assert sorted(shop.compiled) == ["wares.add", "wares.work"]
    assert shop.entries() == before
    (warning,) = [record for record in caplog.records if record.levelno >= logging.WARNING]
    assert str(shop.cache) in warning.getMessage()
    assert shop.start(CALLER).work(1, 0.5) == 3.5
    assert len(shop.entries()) == 3


def stored(folder: Path) -> set[Path]:
    """The files in the caches of the package and of the other one."""
    return {path for path in folder.rglob("__pycache__/rish/*") if path.is_file()}


@needs_numba
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="the system has no such limit")
def test_a_limit_on_the_size_of_files_does_no_harm(package: Path) -> None:
    """Where the system itself refuses to write more, nothing is stored, and kernels give their results."""
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
    """What it leaves is not loaded, and is deleted after an hour, when another process stores something."""
    for _ in range(2):
        run(DIE + CALL, package, ends=-signal.SIGKILL)
    old, new = stored(package)
    hours = time.time() - 3660, time.time() - 3540
    os.utime(old, (hours[0], hours[0]))
    os.utime(new, (hours[1], hours[1]))
    assert call(package)[:2] == (20, ALL)
    assert (old.exists(), new.exists(), len(stored(package))) == (False, True, 5)
    assert call(package)[:2] == (20, [])
