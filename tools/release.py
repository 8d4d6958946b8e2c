"""Build everything that is published of Rish into a folder, and check it; the upload is left to a maintainer.

`uv run --group wheels python tools/release.py FOLDER` writes a source distribution and a wheel of each package, and
wheels with compiled kernels for the Python that runs this (`wheels.py`). It checks that all packages have one version
and accept the same versions of each other, and their metadata with twine. Then it installs all from this folder alone
into a fresh environment, and plays a game there. Of that environment it writes `rish-VERSION.cdx.json`, a list of all
components (CycloneDX), and `rish-VERSION-licenses.txt`, the licenses of all libraries with their texts.

The same sources and versions of tools make the same bytes: `--twice` builds everything again, with kernels that are
compiled into another cache, and compares. Packages and levels of processors are worked on at the same time. For another
Python, run it with that Python and the same folder.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from packaging.requirements import Requirement
from staging import ROOT, settings_of
from trial import Trial, play_command, run
from wheel_file import Wheel
from wheels import INTERPRETER, LEVELS, add_compiled, build, compile_kernels, members

import rish_jit

GAME = ROOT / "games" / "breakout"
"""The game that is played with the installed packages."""


def disagreements(folders: Sequence[Path]) -> Iterator[str]:
    """Yield a line for each package whose version, Python or requirements of other packages differ from the root's."""
    projects = {settings_of(folder)["project"]["name"]: settings_of(folder)["project"] for folder in folders}
    whole = settings_of(ROOT)["project"]
    wanted = next(str(each.specifier) for each in _requirements(whole) if each.name in projects)
    for name, project in projects.items():
        for key in ("version", "requires-python"):
            if project[key] != whole[key]:
                yield f"{name}: {key} is {project[key]}, and {whole[key]} in the root"
        for each in _requirements(project):
            if each.name in projects and each.name != name and str(each.specifier) != wanted:
                yield f"{name}: requires {each}, others {wanted}"


def _requirements(project: dict[str, dict[str, list[str]]]) -> Iterator[Requirement]:
    for texts in (project.get("dependencies", []), *project.get("optional-dependencies", {}).values()):
        yield from map(Requirement, texts)


def build_all(folders: Sequence[Path], out: Path, levels: Sequence[str], cache: Path, repository: str | None) -> None:
    """Write the distributions of packages into a folder. levels: of processors, for which kernels are compiled."""

    def build_one(folder: Path) -> None:
        with tempfile.TemporaryDirectory() as scratch:
            fresh = Path(scratch)
            build(folder, fresh, ("sdist", "wheel"), repository)
            wheel = Wheel(next(fresh.glob("*.whl")))
            wheel.write(fresh)  # in the form of compiled wheels, so that its bytes do not depend on `levels`
            if levels:
                add_compiled(wheel, levels, Path(tempfile.mkdtemp(dir=scratch)), cache)
            wheel.write(fresh)  # under another name, if something compiled was added
            for path in [*fresh.glob("*.tar.gz"), *fresh.glob("*.whl")]:
                shutil.copy(path, out)
                print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB", flush=True)

    with ThreadPoolExecutor(rish_jit.cores()) as pool:
        list(pool.map(build_one, folders))


def differences(first: Path, second: Path) -> list[str]:
    """Return the names of the files of the second folder that the first one lacks, or has with other bytes."""
    names = sorted(path.name for path in second.iterdir())
    same = (first / name for name in names)
    return [path.name for path in same if not path.exists() or path.read_bytes() != (second / path.name).read_bytes()]


def main(arguments: list[str]) -> int:
    """Build and check everything; return 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("out", type=Path, metavar="FOLDER", help="where the distributions are written")
    parser.add_argument("--repository", metavar="URL", help="where links of the READMEs lead (default: [project.urls])")
    parser.add_argument("--for", dest="levels", nargs="*", default=LEVELS, metavar="LEVEL", help="as in wheels.py")
    parser.add_argument("--cache", type=Path, metavar="FOLDER", help="compiled kernels are looked up and stored there")
    parser.add_argument(
        "--twice", action="store_true", help="build all again, from the beginning, and compare the bytes"
    )
    options = parser.parse_args(arguments)
    folders = members()
    wrong = list(disagreements(folders))
    if wrong:
        print("\n".join(wrong))
        return 1
    options.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        cache = options.cache or Path(scratch) / "cache"
        compile_kernels(options.levels, cache)
        build_all(folders, options.out, options.levels, cache, options.repository)
        if options.twice:
            again = Path(scratch) / "again"
            again.mkdir()
            another = Path(scratch) / "another cache"
            compile_kernels(options.levels, another)
            build_all(folders, again, options.levels, another, options.repository)
            wrong = differences(options.out, again)
            if wrong:
                print(f"not the same bytes the second time: {', '.join(wrong)}")
                return 1
        return _check(options.out, Path(scratch))


def _check(out: Path, scratch: Path) -> int:
    """Check the metadata, play a game with the packages, and write the lists of components and licenses."""
    version = settings_of(ROOT)["project"]["version"]
    packages = sorted(path for pattern in ("*.whl", "*.tar.gz") for path in out.glob(pattern))
    run(sys.executable, "-m", "twine", "check", "--strict", *map(str, packages))
    trial = Trial(scratch / "environment", out)
    trial.install(extras=not any(INTERPRETER in path.name for path in packages))  # plain Python would play for minutes
    there, here = trial.play(GAME, scratch), run(*play_command(sys.executable, GAME)).strip()
    if there != here:
        print(f"{GAME.name} has the {there} with these packages, and the {here} in this clone")
        return 1
    trial.install(extras=True)
    trial.write_components(out / f"rish-{version}.cdx.json")
    trial.write_licenses(out / f"rish-{version}-licenses.txt")
    print(f"{len(packages)} files are ready. {GAME.name} has the {there} with them.")
    print(f"Nothing was uploaded. To publish: twine upload {out}/*.whl {out}/*.tar.gz (see CONTRIBUTING.md)")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
