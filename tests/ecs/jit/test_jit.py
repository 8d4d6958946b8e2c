"""Kernels: compiled lazily, callable from one another, cached where possible, and recompiled after edits."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rish_ecs import jit, maths
from rish_ecs.jit import LazyKernel, cache, kernel, njit

needs_numba = pytest.mark.skipif(not jit.available(), reason="needs numba")


@njit
def twice(x):
    """Return twice the value; called by other kernels."""
    return 2.0 * x


@njit(inline="always")
def bump(a, i):
    """Add 1 to an item; inlined into its callers."""
    a[i] += 1.0


@njit
def work(a):
    """Calls kernels of both kinds, and the deterministic maths."""
    for i in range(len(a)):
        a[i] = twice(a[i]) + maths.cos(0.0)
        bump(a, i)


def run(code: str, folder: Path, **environment: str) -> str:
    """Run code in a new process that can import from `folder`; return its output."""
    inherited = {k: v for k, v in os.environ.items() if k not in ("RISH_CACHE_DIR", "NUMBA_CACHE_DIR", "RISH_NO_JIT")}
    inherited["PYTHONDONTWRITEBYTECODE"] = "1"  # bytecode would hide an edit of the same length within the same second
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", textwrap.dedent(code)],
        env={**inherited, "PYTHONPATH": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def write(path: Path, text: str) -> None:
    """Write a module and create its folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(textwrap.dedent(text))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """Create a package whose kernel calls a helper in another of its modules and one in another package."""
    write(tmp_path / "pack" / "__init__.py", "")
    write(tmp_path / "pack" / "inner" / "__init__.py", "")
    write(
        tmp_path / "pack" / "inner" / "kernel.py",
        """
        from rish_ecs.jit import njit
        from pack.helper import add
        import other

        @njit
        def total(x):
            return other.scale(add(x))
        """,
    )
    helper = """
        from rish_ecs.jit import njit

        @njit
        def {name}(x):
            return x {step}
        """
    write(tmp_path / "pack" / "helper.py", helper.format(name="add", step="+ 1"))
    write(tmp_path / "other" / "__init__.py", helper.format(name="scale", step="* 10"))
    return tmp_path


CALL = """
from pack.inner.kernel import total
from rish_ecs import jit
print(total(1), jit.compilations, jit.cache_folder(total))
"""


def call(folder: Path, **environment: str) -> tuple[int, int, str]:
    """Return result, number of compilations, and cache folder of the package's kernel, from a new process."""
    result, count, where = run(CALL, folder, **environment).split(maxsplit=2)
    return int(result), int(count), where


def test_importing_and_decorating_import_no_numba(tmp_path: Path) -> None:
    """Importing and decorating kernels does not import numba, and neither does asking if numba is available."""
    code = """
    import sys
    from rish_ecs import jit
    import rish_ecs.random
    @jit.njit
    def f(x):
        return x
    jit.available(), jit.kernels(), jit.cache_folder(), f.compiled, f.name
    assert not {"numba", "llvmlite"} & set(sys.modules)
    """
    run(code, tmp_path)


def test_a_kernel_tells_about_itself() -> None:
    """A kernel keeps the plain function, its name and its documentation."""
    assert isinstance(work, LazyKernel)
    assert work.name.endswith("test_jit.work")
    assert work.__doc__ == "Calls kernels of both kinds, and the deterministic maths."
    assert repr(work) == f"<kernel {work.name}>"
    assert work.py_func.__name__ == "work"
    assert work in jit.kernels()


def test_kernels_call_kernels() -> None:
    """Kernels can call globals, inlined helpers, closures and maths functions, with the same results as Python."""
    compiled, plain = np.arange(4.0), np.arange(4.0)
    work(compiled)
    work.py_func(plain)
    assert compiled.tolist() == plain.tolist() == [2.0, 4.0, 6.0, 8.0]
    inner = twice

    @njit
    def outer(x):
        return inner(x) + 1.0

    assert outer(3.0) == 7.0
    assert work.compiled == jit.available()


def test_a_redefined_kernel_replaces_its_predecessor() -> None:
    """A kernel that is defined again replaces its predecessor in the list of kernels."""
    before = len(jit.kernels())
    for _ in range(2):

        @njit
        def again(x):
            return x

    assert len(jit.kernels()) == before + 1
    assert jit.kernels()[-1] is again


@needs_numba
def test_compilations_are_counted_and_announced() -> None:
    """Each new combination of types is reported once with its number; a known one is not."""
    heard: list[tuple[str, int]] = []
    stop = jit.on_compile(lambda name, n: heard.append((name, n)))
    source = "from rish_ecs.jit import njit\n@njit\ndef fresh(x):\n    return x + 1\n"
    scope: dict[str, LazyKernel[..., int]] = {"__name__": "nowhere"}  # pyright: ignore[reportAssignmentType]
    exec(compile(source, "<no file>", "exec"), scope)
    fresh, before = scope["fresh"], jit.compilations
    assert (fresh(1), fresh(2), fresh(1.5)) == (2, 3, 2.5)
    assert heard == [("nowhere.fresh", before + 1), ("nowhere.fresh", before + 2)]
    assert jit.compilations == before + 2
    stop()
    fresh(np.float32(1))
    assert len(heard) == 2


@needs_numba
def test_division_by_zero_follows_numpy() -> None:
    """Division by zero gives infinity in kernels and in their plain form."""

    @njit
    def divide(a, b):
        return a[0] / b[0]

    one, zero = np.ones(1), np.zeros(1)
    assert divide(one, zero) == np.inf
    assert kernel._plain(divide.py_func)(one, zero) == np.inf


@needs_numba
def test_a_first_call_from_many_threads() -> None:
    """Threads that call a new kernel at the same time share one dispatcher."""

    @njit
    def shared(x):
        return x + 1

    results: list[int] = []
    threads = [threading.Thread(target=lambda i=i: results.append(shared(i))) for i in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(results) == list(range(1, 9))


@needs_numba
@pytest.mark.slow
def test_a_call_goes_straight_to_numba() -> None:
    """After the first call, the kernel's call goes directly to numba's callable."""
    bump(np.zeros(1), 0)
    assert bump.__call__ is bump.dispatcher


# The cache


@needs_numba
@pytest.mark.slow
def test_a_second_process_compiles_nothing(package: Path) -> None:
    """In a second process kernels that call kernels of other modules are loaded from the package's cache."""
    result, count, where = call(package)
    assert (result, count) == (20, 3)
    assert Path(where).parent == package / "pack" / "__pycache__"
    assert call(package) == (20, 0, where)


@needs_numba
@pytest.mark.slow
def test_an_edited_helper_is_noticed(package: Path) -> None:
    """An edit in another module of the package, or in a package whose kernels are called, causes a compilation."""
    _, _, first = call(package)
    write(package / "pack" / "helper.py", (package / "pack" / "helper.py").read_text().replace("+ 1", "+ 2"))
    result, count, second = call(package)
    assert (result, count > 0, second != first) == (30, True, True)
    write(
        package / "other" / "__init__.py",
        (package / "other" / "__init__.py").read_text().replace("10", "100"),
    )
    result, count, third = call(package)
    assert (result, count > 0, third) == (300, True, second)
    assert call(package)[:2] == (300, 0)


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
def test_where_nothing_can_be_written_kernels_still_run(package: Path) -> None:
    """If no place is writable, there is no cache, and kernels still run."""
    (package / "pack" / "__pycache__").write_text("in the way")
    (package / "other" / "__pycache__").write_text("in the way")
    nowhere = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "LOCALAPPDATA": "/dev/null"}
    assert call(package, **nowhere) == (20, 3, "None")


def test_the_places_for_the_cache(package: Path) -> None:
    """The cache is in the folder named by the user, otherwise in the package, otherwise in the user's cache."""
    where = "from pack.helper import add; from rish_ecs import jit; print(jit.cache_folder(add))"
    assert Path(run(where, package)).parent == package / "pack" / "__pycache__"
    assert Path(run(where, package, RISH_CACHE_DIR=str(package / "mine"))).parent == package / "mine"
    if sys.platform == "linux":
        (package / "pack" / "__pycache__").rename(package / "gone")
        (package / "pack" / "__pycache__").write_text("in the way")
        users = run(where, package, XDG_CACHE_HOME=str(package / "cache"))
        assert Path(users).parent == package / "cache" / "rish" / "kernels"


@needs_numba
@pytest.mark.slow
def test_a_damaged_cache_heals(package: Path) -> None:
    """Damaged cache files are replaced by a compilation."""
    _, _, where = call(package)
    for file in Path(where).iterdir():
        file.write_bytes(b"garbage")
    assert call(package)[:2] == (20, 2)
    assert call(package)[:2] == (20, 0)


@needs_numba
@pytest.mark.slow
def test_two_processes_may_fill_one_cache(package: Path) -> None:
    """Six processes can fill an empty cache at the same time: all results are right, and the cache is usable."""
    with ThreadPoolExecutor(6) as together:
        found = list(together.map(lambda _: call(package)[0], range(6)))
    assert found == [20] * 6
    assert call(package)[:2] == (20, 0)


def test_folders_of_earlier_sources_are_thinned_out(tmp_path: Path) -> None:
    """Of the cache folders of earlier sources only the latest three are kept, besides the current one."""
    write(tmp_path / "p" / "__init__.py", "")
    source = tmp_path / "p" / "k.py"
    for i in range(8):
        source.write_text(f"x = {i}\n" + "#" * i)
        cache.forget()
        folder = cache.folder_for(str(source))
        assert folder is not None
        os.utime(folder, (i, i))
    folders = sorted(path.name for path in (tmp_path / "p" / "__pycache__").iterdir())
    assert len(folders) == 4
    assert folder.name in folders


def test_a_fresh_checkout_stays_warm(tmp_path: Path) -> None:
    """The name of the cache folder depends on the contents of the sources, not on their times or location."""
    names = []
    for place in ("here", "there"):
        write(tmp_path / place / "p" / "__init__.py", "")
        write(tmp_path / place / "p" / "k.py", "x = 1")
        os.utime(tmp_path / place / "p" / "k.py", (len(place), len(place)))
        folder = cache.folder_for(str(tmp_path / place / "p" / "k.py"))
        assert folder is not None
        names.append(folder.name)
    assert names[0] == names[1]


def test_code_without_a_file_has_no_cache() -> None:
    """Code without a file has no cache."""
    assert cache.folder_for("<stdin>") is None


# Without numba

PLAIN = """
import sys
import numpy as np
from rish_ecs import jit, maths
from rish_ecs.random import random_uniform

@jit.njit
def half(x):
    return x / 2

@jit.njit(inline="always")
def fill(out):
    for i in range(len(out)):
        out[i] = maths.sin(half(out[i])) + random_uniform(5, i) + 1 / (out[i] - out[i])

out = np.arange(3.0)
fill(out)
assert out.tolist() == [np.inf] * 3
assert not jit.available() and not fill.compiled and fill.dispatcher is None and jit.compilations == 0
print("llvmlite" in sys.modules)
"""


@pytest.mark.parametrize("switch", ["RISH_NO_JIT", "NUMBA_DISABLE_JIT"])
def test_either_switch_runs_everything_in_plain_python(switch: str, tmp_path: Path) -> None:
    """With either switch numba is not imported, kernels run as plain Python, and `available` returns False."""
    assert run(PLAIN, tmp_path, **{switch: "1"}) == "False"


def test_a_machine_without_numba_runs_everything_in_plain_python(tmp_path: Path) -> None:
    """Kernels run as plain Python if numba is missing or broken."""
    assert run("import sys\nsys.modules['numba'] = None\n" + PLAIN, tmp_path) == "False"
    write(tmp_path / "numba" / "__init__.py", "raise ImportError('numpy is too new')")
    assert run("import logging\nlogging.disable()\n" + PLAIN, tmp_path) == "False"
