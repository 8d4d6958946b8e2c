"""A copy of Python with a few modules of its library, which starts from any folder."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from zipfile import ZipFile

import pytest

from rish_bundle import interpreter
from rish_bundle.interpreter import FOLDER, PROGRAM, copy_interpreter
from rish_bundle.libraries import needed_libraries, oldest_c_library
from rish_export import write_files

LIBRARY = Path(sysconfig.get_path("stdlib"))
FEW = (
    "abc.py", "codecs.py", "encodings/__init__.py", "encodings/aliases.py", "encodings/latin_1.py",
    "encodings/utf_8.py", "io.py", "runpy.py",
)  # fmt: skip
"""What Python needs to start without the module `site`."""
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only the copy for Linux was tried")


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a standard library with few modules, one of tests, and one with the folder of this Python in it."""
    folder = tmp_path / "library"
    for name in FEW:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(LIBRARY / name, folder / name)
    (folder / "lib-dynload").mkdir()
    for module in ("_ctypes", "zlib"):
        for path in (LIBRARY / "lib-dynload").glob(f"{module}.*.so"):  # others are inside of the program
            shutil.copyfile(path, folder / "lib-dynload" / path.name)
    for name in ("idlelib/__init__.py", "encodings/tests/test_all.py"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("")
    (folder / "_sysconfigdata_x.py").write_text(f"prefix = {sys.base_prefix!r}\n")
    monkeypatch.setattr(interpreter, "_standard_library", lambda: folder)
    return folder


@pytest.mark.slow
def test_a_copy_runs_from_another_folder_and_reads_nothing_of_the_user(library: Path, tmp_path: Path) -> None:
    """Its modules come from its own folder alone, whatever the variables of Python say, also in processes it starts."""
    made = copy_interpreter(tmp_path / "scratch", tmp_path)
    write_files(made.files, tmp_path / "made")
    moved = (tmp_path / "made").rename(tmp_path / "夜 stick")
    (moved / FOLDER / PROGRAM).chmod(0o755)
    text = "import sys, _ctypes; print(sys.path, sys.prefix, sys.executable, sys.flags.isolated, sep='|')"
    variables = {"PYTHONPATH": str(tmp_path), "PYTHONHOME": str(tmp_path), "HOME": str(tmp_path)}
    done = subprocess.run([moved / FOLDER / PROGRAM, "-c", text], env=variables, capture_output=True, text=True)
    assert done.stderr == ""
    path, prefix, program, isolated = done.stdout.strip().split("|")
    version = f"{sys.version_info.major}{sys.version_info.minor}"
    assert path == str([f"{moved / FOLDER}/{name}" for name in (f"python{version}.zip", "modules", "packages")])
    assert Path(prefix).is_relative_to(moved)
    assert program == str(moved / FOLDER / PROGRAM)
    assert isolated == "1"
    files = {file.name: file.content for file in made.files}
    assert all(path.is_relative_to(moved) for path in needed_libraries([moved / FOLDER / PROGRAM]).values())
    with ZipFile(str(files[f"{FOLDER}/python{version}.zip"])) as archive:
        assert set(archive.namelist()) == {*(f"{name}c" for name in FEW), "_sysconfigdata_x.pyc"}
        modules = b"".join(map(archive.read, archive.namelist()))
        assert sys.base_prefix == "/usr" or sys.base_prefix.encode() not in modules


def test_the_c_library_belongs_to_the_system() -> None:
    """Libraries that Python was linked with are found, without those that the loader brings."""
    modules = sorted((LIBRARY / "lib-dynload").glob("_ctypes.*.so"))
    found = needed_libraries([Path(sys.executable).resolve(), *modules])
    assert not [name for name in found if name.startswith(("libc.", "libm.", "ld-"))]
    assert all(path.is_file() for path in found.values())


def test_the_oldest_c_library_is_the_newest_that_a_file_names(tmp_path: Path) -> None:
    """Versions are compared as numbers."""
    (tmp_path / "a").write_bytes(b"\0GLIBC_2.9\0GLIBC_2.17\0")
    (tmp_path / "b").write_bytes(b"GLIBC_2.2.5")
    assert oldest_c_library([tmp_path / "a", tmp_path / "b"]) == "2.17"
