"""Build the wheels of Rish with compiled kernels, for the version of Python that runs this.

`uv run --group wheels python tools/wheels.py FOLDER [SOURCE...]` writes a wheel of each package into FOLDER. SOURCE:
the folder of a package, or a list of folders such as `requirements/physics.txt`; without one, all packages of the
workspace.

A package with a list of kernels (`kernels.txt`) gets an image of them for each level of processors, and `rish-jit` the
extension modules of numba that the compiled kernels call. Who installs these wheels needs no numba. They run where
numba's own wheel runs, and carry its licenses, because the kernels contain code of numba. All other wheels, and with
`--for` alone all of them, are for every Python and system. The same sources and versions of tools make the same bytes.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from importlib.metadata import Distribution, distribution
from pathlib import Path

from staging import ROOT, settings_of, stage
from wheel_file import Wheel

import rish_jit

COMPILER = "rish_jit"
"""The package that loads images."""
RUNTIME = ("_dynfunc", "_helperlib", "core.runtime._nrt_python")
"""The extension modules of numba with the functions that compiled kernels call: they make arrays and raise errors."""
LEVELS = ("x86-64-v2", "x86-64-v3")
"""The levels of processors that get an image each."""
INTERPRETER = f"cp{sys.version_info.major}{sys.version_info.minor}"
"""The tag of the Python for which kernels are compiled."""
LICENSES = "MIT AND BSD-2-Clause AND Python-2.0"
"""Rish's, numba's, and that of the parts of numba that come from CPython."""


def members() -> list[Path]:
    """Return the folders of all packages of the workspace, the root's last."""
    patterns = settings_of(ROOT)["tool"]["uv"]["workspace"]["members"]
    return [*sorted(path.parent for pattern in patterns for path in ROOT.glob(f"{pattern}/pyproject.toml")), ROOT]


def folders_of(sources: Sequence[str]) -> list[Path]:
    """Return the folders of packages that are named, or that lists name."""
    folders: list[Path] = []
    for source in map(Path, sources):
        if source.is_dir():
            folders.append(source.resolve())
            continue
        lines = (line.removeprefix("-e ") for line in source.read_text(encoding="utf-8").splitlines())
        folders += [(ROOT / line.partition("[")[0]).resolve() for line in lines if line.startswith(".")]
    return list(dict.fromkeys(folders)) or members()


def build(folder: Path, out: Path, targets: Sequence[str] = ("wheel",), repository: str | None = None) -> None:
    """Build distributions of a package with hatchling into a folder, without compiled code.

    targets: `wheel`, `sdist`. repository: see `stage`.
    """
    with tempfile.TemporaryDirectory() as scratch:
        copy = stage(folder, Path(scratch), repository)
        chosen = [part for target in targets for part in ("-t", target)]
        command = [sys.executable, "-m", "hatchling", "build", *chosen, "-d", str(out.resolve())]
        subprocess.run(command, cwd=copy, check=True, stderr=subprocess.DEVNULL)


def compile_kernels(levels: Sequence[str], cache: Path) -> None:
    """Compile the kernels of all installed packages into a cache, all levels at the same time.

    One process for each level and its workers import the compiler once, and not once for each package.
    """
    command = [sys.executable, "-m", "rish_core", "warmup"]
    variables = [{**os.environ, **rish_jit.environment_for(level, cache)} for level in levels]
    processes = [subprocess.Popen(command, env=each) for each in variables]
    if [process for process in processes if process.wait()]:
        raise SystemExit("the kernels can't be compiled")


def compiled_files(wheel: Wheel, levels: Sequence[str], scratch: Path, cache: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files that a wheel gets beside the sources: images of its kernels, or what images call."""
    for package in (name.partition("/")[0] for name in wheel.files if name.endswith("/kernels.txt")):
        for level in levels:
            path = scratch / rish_jit.image_name(level)
            command = [sys.executable, "-m", "rish_core", "warmup", "--image", package, str(scratch), "--for", level]
            subprocess.run(command, env={**os.environ, "RISH_CACHE_DIR": str(cache)}, check=True)
            yield f"{package}/{path.name}", path.read_bytes()
    if f"{COMPILER}/__init__.py" in wheel.files:
        for path in map(rish_jit.extension_file, RUNTIME):
            yield f"{COMPILER}/numba_runtime/{path.name}", path.read_bytes()


def add_compiled(wheel: Wheel, levels: Sequence[str], scratch: Path, cache: Path) -> None:
    """Add to a wheel what is compiled of its package, if there is any: files, where they run, their licenses."""
    compiled = dict(compiled_files(wheel, levels, scratch, cache))
    if not compiled:
        return
    wheel.files |= compiled
    numba = distribution("numba")
    wheel.set_tags(line.removeprefix("Tag: ") for line in _text(numba, "WHEEL").splitlines() if line.startswith("Tag:"))
    for name in numba.metadata.get_all("License-File") or ():
        wheel.add_license(LICENSES, f"numba/{name}", _text(numba, f"licenses/{name}").encode())


def _text(package: Distribution, name: str) -> str:
    text = package.read_text(name)
    if text is None:
        raise SystemExit(f"the installed {package.name} has no file {name}; install it from its wheel")
    return text


def main(arguments: list[str]) -> int:
    """Write the wheels, and print the name and size of each. Older ones for the same Python are replaced."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="FOLDER", help="where the wheels are written")
    parser.add_argument("sources", nargs="*", metavar="SOURCE", help="folders of packages, or lists (default: all)")
    help_ = f"the processors to compile for (default: {' '.join(LEVELS)}; without a word: wheels for every system)"
    parser.add_argument("--for", dest="levels", nargs="*", default=LEVELS, metavar="LEVEL", help=help_)
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="compiled kernels are looked up and stored there")
    options = parser.parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for folder in folders_of(options.sources):
            write(folder, options, Path(scratch))
    return 0


def write(folder: Path, options: argparse.Namespace, scratch: Path) -> None:
    """Write the wheel of one package. scratch: a folder for files between two steps, and for the cache."""
    pure = Path(tempfile.mkdtemp(dir=scratch))
    build(folder, pure)
    wheel = Wheel(next(pure.glob("*.whl")))
    if options.levels:
        cache = options.cache or scratch / "cache"
        add_compiled(wheel, options.levels, Path(tempfile.mkdtemp(dir=scratch)), cache)
    for older in options.out.glob(f"{wheel.stem}-{INTERPRETER}-*.whl"):
        older.unlink()
    path = wheel.write(options.out)
    print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
