"""Installed distributions: which of them a program needs, and their files, also those of editable installations."""

from __future__ import annotations

import csv
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.metadata import Distribution, PackageNotFoundError, distribution, distributions
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from packaging.requirements import InvalidRequirement, Requirement

from rish_core import RishError
from rish_jit.errors.metadata import plain_name

_METADATA = re.compile(r"\.(dist-info|egg-info|data)$")
_NO_PACKAGES = {"tests", "test", "docs", "doc", "examples", "benchmarks"}
"""Folders beside the packages of an editable installation that are none of its packages."""


class Wanted(NamedTuple):
    """A distribution by name, with the extras that are wanted of it."""

    name: str
    extras: frozenset[str] = frozenset()


def needed(roots: Iterable[Wanted], without: Mapping[str, Iterable[str]]) -> dict[str, Distribution]:
    """Return the distributions that some need, themselves included, by plain name and sorted.

    without: the requirements of a distribution that are left out, by its plain name. Raises RishError for one that is
    not installed.
    """
    waiting, seen, result = list(roots), set[Wanted](), dict[str, Distribution]()
    while waiting:
        wanted = waiting.pop()
        wanted = Wanted(plain_name(wanted.name), wanted.extras)
        if wanted in seen:
            continue
        seen.add(wanted)
        result[wanted.name] = package = _installed(wanted.name)
        left_out = set(without.get(wanted.name, ()))
        waiting += [each for each in requirements_of(package, wanted.extras) if plain_name(each.name) not in left_out]
    return dict(sorted(result.items()))


def requirements_of(package: Distribution, extras: Iterable[str]) -> Iterator[Wanted]:
    """Yield what a distribution requires on this machine, with some of its extras."""
    for text in package.requires or ():
        try:
            requirement = Requirement(text)
        except InvalidRequirement:
            continue
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield Wanted(requirement.name, frozenset(requirement.extras))


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise RishError(f"the package {name} is needed and is not installed") from None


def files_of(package: Distribution) -> Iterator[tuple[str, Path]]:
    """Yield the files of a distribution's modules: the path in `site-packages`, and the file; without its metadata."""
    for name in _listed(package):
        path, source = PurePosixPath(name), Path(str(package.locate_file(name)))
        if _is_path_file(path):
            for folder in _editable_folders(source):
                yield from _editable_files(package, folder)
        elif source.is_file():
            yield name, source


def owners() -> Mapping[str, str]:
    """Return the distribution of each installed top-level module, by its name."""
    return _owners(tuple(sys.path))


@cache
def _owners(path: tuple[str, ...]) -> Mapping[str, str]:
    return {name: package.name for package in distributions(path=[*path]) for name in modules_of(package)}


def modules_of(package: Distribution) -> set[str]:
    """Return the names of the top-level modules of a distribution."""
    names: set[str] = set()
    for name in _listed(package):
        if _is_path_file(PurePosixPath(name)):
            for folder in _editable_folders(Path(str(package.locate_file(name)))):
                names.update(entry.stem for entry in folder.iterdir() if _is_package(package, entry))
        elif name.endswith(".py") or ".so" in name or ".pyd" in name:
            names.add(name.partition("/")[0].partition(".")[0])
    return names


def _listed(package: Distribution) -> Iterator[str]:
    """Yield the files below `site-packages` that RECORD lists, without metadata and bytecode."""
    for name, *_ in csv.reader((package.read_text("RECORD") or "").splitlines()):
        top = name.partition("/")[0]
        if not (top in ("", "..") or top.startswith("__editable__") or "__pycache__" in name or _METADATA.search(top)):
            yield name


def _is_path_file(path: PurePosixPath) -> bool:
    """Return whether a file adds folders to the search path, as an editable installation does."""
    return path.suffix == ".pth" and len(path.parts) == 1


def _editable_folders(pth: Path) -> list[Path]:
    """Return the folders that a .pth file names."""
    lines = pth.read_text(encoding="utf-8").splitlines()
    return [
        Path(line) for line in lines if line.strip() and not line.startswith(("import ", "#")) and os.path.isdir(line)
    ]


def _editable_files(package: Distribution, folder: Path) -> Iterator[tuple[str, Path]]:
    """Yield the files of an editable installation: those of the packages and modules in a folder."""
    for entry in sorted(folder.iterdir()):
        if _is_package(package, entry):
            paths = [entry] if entry.is_file() else sorted(entry.rglob("*"))
            for path in paths:
                name = path.relative_to(folder).as_posix()
                if "__pycache__" not in name and path.is_file():
                    yield name, path


def _is_package(package: Distribution, path: Path) -> bool:
    """Return whether a file or folder is a module of an editable installation, and no tests or documentation."""
    named = {point.value.partition(":")[0].partition(".")[0] for point in package.entry_points}
    named |= {package.name.replace("-", "_").lower()}
    if path.is_file():
        return path.suffix == ".py" and path.stem in named
    return (path / "__init__.py").is_file() and (path.name in named or path.name not in _NO_PACKAGES)
