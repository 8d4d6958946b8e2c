"""The files of a program beside Python itself: packages with their bytecode and metadata, and the game."""

from __future__ import annotations

import hashlib
import importlib.util
import marshal
import os
import shutil
from collections.abc import Collection, Iterable, Iterator, Mapping
from importlib.metadata import Distribution
from importlib.util import cache_from_source
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from rish_core import RishError
from rish_ecs import is_ours
from rish_system import rename

from .distributions import files_of
from .plan import Plan
from .unused import is_unused, rules_for

GAMES = "games"
"""The folder in a program that holds the game's folder."""
_METADATA = ("METADATA", "entry_points.txt")
_UNCHECKED = (1).to_bytes(4, "little")
"""The flags of bytecode that is valid whatever the source is (PEP 552): dates may change when files are unpacked."""


class File(NamedTuple):
    """A file of a program. name: its path. content: the bytes, or the file that has them. part: for the report."""

    name: str
    content: bytes | Path
    part: str

    def read(self) -> bytes:
        """Return the content. Raises OSError."""
        return self.content.read_bytes() if isinstance(self.content, Path) else self.content


def contents(plan: Plan) -> Iterator[File]:
    """Yield the files of packages and the game, without bytecode and compiled kernels."""
    yield from package_files(plan.distributions, plan.imported, plan.languages)
    yield from (File(f"{GAMES}/{plan.folder.name}/{each}", plan.folder / each, "the game") for each in plan.files)


def package_files(
    packages: Mapping[str, Distribution], imported: Collection[str], languages: Collection[str]
) -> Iterator[File]:
    """Yield the files of distributions as in `site-packages`, with the metadata that finds plugins.

    packages: by plain name. imported: the modules that code of games and of other people imports, which are copied
    whole. languages: the tags of those whose data are copied.
    """
    rules = rules_for(imported)
    for name, package in packages.items():
        yield from _metadata(name, package)
        for path, source in files_of(package):
            if is_ours(name) or not is_unused(path, rules.get(name), languages):
                yield File(path, source, name)


def _metadata(name: str, package: Distribution) -> Iterator[File]:
    """Yield what finds plugins: the name, version, requirements and entry points of a distribution."""
    folder = f"{name.replace('-', '_')}-{package.version}.dist-info"
    for file in _METADATA:
        text = package.read_text(file)
        if text:
            yield File(f"{folder}/{file}", text.encode(), name)


def with_bytecode(files: Iterable[File], cache: Path, libraries: Collection[str] = ()) -> Iterator[File]:
    """Yield files, and after each Python file its bytecode. cache: the folder in which bytecode is kept.

    libraries: the parts whose Python files are replaced by bytecode. Packages with kernels need their sources, because
    these decide which compiled kernels fit. Raises RishError for a file that can't be compiled.
    """
    for file in files:
        is_python = file.name.endswith(".py")
        if not is_python or file.part not in libraries:
            yield file
        if is_python:
            path = PurePosixPath(file.name)
            beside = file.name + "c" if file.part in libraries else str(path.parent / cache_from_source(path.name))
            yield File(beside, bytecode(file.read(), file.name, cache), file.part)


def libraries_of(packages: Mapping[str, Distribution]) -> set[str]:
    """Return the names of the distributions that neither belong to Rish nor add anything to it."""
    adding = {name for name, each in packages.items() if any(p.group.startswith("rish.") for p in each.entry_points)}
    return {name for name in packages if name not in adding and not is_ours(name)}


def write_files(files: Iterable[File], folder: Path) -> dict[str, str]:
    """Write files into a folder; return the part that each belongs to, by name. Raises OSError."""
    parts: dict[str, str] = {}
    for file in files:
        path = folder / file.name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(file.content, Path):
            try:
                shutil.copyfile(file.content, path)
            except OSError as error:
                if error.filename2 is None:
                    raise
                raise OSError(error.errno, error.strerror, str(path)) from error  # the disk of the copy is full
        else:
            path.write_bytes(file.content)
        parts[file.name] = file.part
    return parts


def bytecode(source: bytes, name: str, cache: Path) -> bytes:
    """Return the bytecode of a source as the content of a .pyc file that is valid whatever the date of the source is.

    name: in tracebacks. cache: the folder in which bytecode is kept. Raises RishError for a source that can't be
    compiled.
    """
    head = importlib.util.MAGIC_NUMBER + _UNCHECKED + importlib.util.source_hash(source)
    path = cache / hashlib.blake2b(head + name.encode(), digest_size=16).hexdigest()
    try:
        data = path.read_bytes()
        if data.startswith(head):
            return data
    except OSError:
        pass
    try:
        data = head + marshal.dumps(compile(source, name, "exec", dont_inherit=True, optimize=0))
    except (SyntaxError, ValueError) as error:
        raise RishError(f"{name} can't be compiled: {error}") from None
    unfinished = path.with_suffix(f".unfinished-{os.getpid()}")
    try:
        unfinished.write_bytes(data)
        rename(unfinished, path)
    except OSError:
        unfinished.unlink(missing_ok=True)
    return data
