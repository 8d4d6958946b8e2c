"""The cache of compiled kernels between processes: never out of date, warm after moves, and in a place of its own."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from long_runs import long
from rish_jit import cache

from .conftest import ADD, ALL, Workshop, call, needs_numba, run, write

HELPER_EDIT = ("pack/helper.py", "+ 1", "+ 2", 30, ["add", "total"])
EDITS = long(
    [
        HELPER_EDIT,
        ("pack/limits.py", "= 0", "= 5", 25, ["total"]),
        ("other/__init__.py", "* 10", "* 100", 200, ["scale", "total"]),
        ("pack/inner/kernel.py", "x - 1", "x - 1 + 0", 20, ["alone"]),
    ],
    [HELPER_EDIT],
)
"""File, old text, new text, result afterwards, and the kernels that use what is edited."""
WORDS = [
    ("pack/inner/kernel.py", "Everything together.", "The sum."),
    ("pack/helper.py", "# a comment", "# another one"),
]
"""The same for edits of a docstring and of a comment, after which nothing is compiled."""


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
    for file, old, new in WORDS:
        source = (package / file).read_text()
        assert old in source
        (package / file).write_text(source.replace(old, new))
    assert call(package)[:2] == (20, [])


@pytest.mark.slow
@needs_numba
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
def test_machine_code_of_other_machines_and_settings_is_not_loaded(workshop: Workshop) -> None:
    """Entries of another level of processors, or with settings of numba, are not loaded, and all are kept together."""
    source = ADD.format(1)
    assert workshop.start(source).add(1) == 2
    code = "import rish_jit\nimport parts\nprint(parts.add(1), rish_jit.compilations)"
    others = [{"RISH_CPU_LEVEL": "x86-64-v2"}, {"NUMBA_BOUNDSCHECK": "1"}, *long([{"NUMBA_CPU_NAME": "generic"}], [])]
    for number, variables in enumerate(others):
        environment = {**variables, "RISH_CACHE_DIR": str(workshop.cache.parent)}
        assert run(code, workshop.folder, **environment) == "2 1", variables
        assert len(workshop.entries()) == number + 2
        assert run(code, workshop.folder, **environment) == "2 0", variables
    assert workshop.start(source).add(1) == 2
    assert workshop.compiled == []


# Places

NOWHERE = {"HOME": "/dev/null", "XDG_CACHE_HOME": "/dev/null/cache", "LOCALAPPDATA": "/dev/null"}


@pytest.mark.slow
@needs_numba
def test_where_nothing_can_be_written_kernels_still_run(package: Path) -> None:
    """If no place is writable, there is no cache, and kernels still run."""
    (package / "pack" / "__pycache__").write_text("in the way")
    (package / "other" / "__pycache__").write_text("in the way")
    assert call(package, **NOWHERE) == (20, ALL, None)


def test_the_places_for_the_cache(package: Path) -> None:
    """The cache is in the folder named by the user, otherwise in the package, otherwise in the user's cache."""
    where = "from pack.helper import add; import rish_jit; print(rish_jit.cache_folder(add))"
    assert Path(run(where, package)) == package / "pack" / "__pycache__" / "rish"
    assert Path(run(where, package, RISH_CACHE_DIR=str(package / "mine"))) == package / "mine" / "pack"
    if sys.platform == "linux":
        (package / "pack" / "__pycache__").rename(package / "gone")
        (package / "pack" / "__pycache__").write_text("in the way")
        users = run(where, package, XDG_CACHE_HOME=str(package / "cache"))
        assert Path(users) == package / "cache" / "rish" / "kernels" / "pack"


@needs_numba
@pytest.mark.slow
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
    assert cache.folders_for("<stdin>") == []


PARTS = """
import numpy as np
from rish_jit import njit

@njit
def letters(n):
    return hash("key") + n

@njit
def count(n):
    found = np.zeros(n)
    found[n - 1] = n
    return found[n - 1]
"""


@pytest.mark.slow
@needs_numba
def test_code_from_the_cache_runs_where_nothing_was_compiled(tmp_path: Path) -> None:
    """A new process loads kernels that hash texts and allocate, and compiles new callers of them afterwards."""
    write(tmp_path / "parts.py", PARTS)
    loading = "import parts\nimport rish_jit\nfound = parts.count(3), parts.letters(0) == hash('key')\n"
    calling = "@rish_jit.njit\ndef calls(n):\n    return parts.count(n) + (parts.letters(n) - parts.letters(0))\n"
    code = f"{loading}loaded = rish_jit.compilations\n{calling}print(*found, loaded > 0, calls(2))"
    assert run(code, tmp_path).split() == ["3.0", "True", "True", "4.0"]
    assert run(code, tmp_path).split() == ["3.0", "True", "False", "4.0"]
