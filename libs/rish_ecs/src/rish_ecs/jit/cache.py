"""The cache of compiled kernels on disk, and the detection of outdated entries.

numba stores a kernel's machine code beside its source and checks only this file for changes. It would miss an edited
helper in another module, or a new definition of `maths.sin`. So here the folder's name contains a hash of all source
files of the package that defines the kernel. Each entry contains a hash of the packages whose kernels it calls, and of
the files of plain functions that kernels may call (`compiles_as`). An edit in any of them causes a new compilation.

The folder is `__pycache__/rish-<hash>` of the top-level package (or of the folder, for a module outside packages),
otherwise one in the user's cache; if neither is writable, each process compiles its kernels. `RISH_CACHE_DIR`, then
`NUMBA_CACHE_DIR`, name another place. Errors with files are never raised to the caller of a kernel.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

_log = logging.getLogger("rish.jit")
_KEPT = 3  # folders of earlier sources that are kept, for switching between versions
_HERE = Path(__file__).parent
_forms: dict[Callable[..., Any], Callable[..., Any]] = {}


def cache_of(fn: Callable[..., Any]) -> Any:
    """Return numba's cache object for a function, or None if nothing can be stored."""
    try:
        return _cache_class()(fn)
    except Exception as error:
        _log.info("no cache for %s, it compiles in every process: %s", getattr(fn, "__qualname__", fn), error)
        return None


def folder_for(source: str) -> Path | None:
    """Return the cache folder for kernels defined in the file `source`; None if no folder is writable."""
    root = _root_of(source)
    if root is None:
        return None
    digest = _digest(root)
    for place, prefix in _places(root):
        folder = place / f"{prefix}{digest}"
        if _usable(str(folder)):
            return folder
    return None


def compiles_as(public: Callable[..., Any], form: Callable[..., Any]) -> None:
    """Register that kernels compile calls of the plain function `public` as `form`, so they depend on its file."""
    _forms[public] = form


def stamp_for(fn: Callable[..., Any]) -> str:
    """Return a hash of the sources of `fn`, of all kernels that it calls directly or indirectly, and of the forms."""
    forms = set(_forms.values())
    sources = {(each.__code__.co_filename, each in forms) for each in _reached(fn)}
    digests = {_file_digest(source) for source, is_form in sources if is_form}
    roots = {_root_of(source) for source, is_form in sources if not is_form}
    digests |= {_digest(root) for root in roots if root is not None}
    return "-".join(sorted(digests))


def forget() -> None:
    """Drop the cached hashes, because sources have changed."""
    _digest.cache_clear()
    _file_digest.cache_clear()


@functools.cache
def _root_of(source: str) -> Path | None:
    """Return the top-level package of a file, or its folder if that is not a package; None if the file is missing."""
    path = Path(source)
    if not path.is_file():
        return None
    root = path.resolve().parent
    while (root / "__init__.py").is_file() and (root.parent / "__init__.py").is_file():
        root = root.parent
    return root


def _sources(root: Path) -> list[Path]:
    found = root.rglob("*.py") if (root / "__init__.py").is_file() else root.glob("*.py")
    return sorted({*found, *_HERE.glob("*.py")})


@functools.cache
def _digest(root: Path) -> str:
    """Return a hash of the contents of the source files, not of their times, so that a new checkout can use it."""
    made = hashlib.blake2b(digest_size=8)
    for path in _sources(root):
        home = root if path.is_relative_to(root) else _HERE
        made.update(path.relative_to(home).as_posix().encode() + b"\0")
        made.update(_file_digest(str(path)).encode())
    return made.hexdigest()


@functools.cache
def _file_digest(source: str) -> str:
    """Return a hash of one file's contents; an empty text if it can't be read."""
    try:
        return hashlib.blake2b(Path(source).read_bytes(), digest_size=8).hexdigest()
    except OSError:
        return ""


def _places(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield the folders that may contain a package's cache folder, best first, each with the prefix of its name."""
    name = f"{root.name}-{hashlib.blake2b(str(root).encode(), digest_size=4).hexdigest()}-"
    for variable in ("RISH_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]), name
    yield root / "__pycache__", "rish-"
    user = _user_cache()
    if user is not None:
        yield user / "rish" / "kernels", name


def _user_cache() -> Path | None:
    """Return the user's cache folder on this platform, or None."""
    try:
        if sys.platform == "win32":
            local = os.environ.get("LOCALAPPDATA")
            return Path(local) if local else Path.home() / "AppData" / "Local"
        if sys.platform == "darwin":
            return Path.home() / "Library" / "Caches"
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    except RuntimeError:
        return None


@functools.lru_cache(maxsize=256)
def _usable(folder: str) -> bool:
    """Create a folder if it is missing, then also remove old ones beside it; return whether it is writable."""
    path = Path(folder)
    fresh = not path.is_dir()
    try:
        path.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=path).close()
    except OSError:
        return False
    if fresh:
        _thin_out(path)
    return True


def _thin_out(folder: Path) -> None:
    """Remove all but the latest few cache folders of earlier sources of the same package."""
    prefix = folder.name[: folder.name.rindex("-") + 1]
    try:
        older = [path for path in folder.parent.iterdir() if path.name.startswith(prefix) and path != folder]
        older.sort(key=lambda path: path.stat().st_mtime, reverse=True)
    except OSError:
        return
    for path in older[_KEPT:]:
        shutil.rmtree(path, ignore_errors=True)


def _reached(fn: Callable[..., Any]) -> list[FunctionType]:
    """Return the function and all kernels and forms that it names, directly or indirectly, each once."""
    waiting: list[Any] = [fn]
    found: list[FunctionType] = []
    while waiting:
        each = waiting.pop()
        if isinstance(each, FunctionType) and each not in found:
            found.append(each)
            for named in _named(each):
                if hasattr(named, "py_func"):
                    waiting.append(named.py_func)
                elif isinstance(named, FunctionType) and named in _forms:
                    waiting.append(_forms[named])
    return found


def _named(fn: FunctionType) -> Iterator[Any]:
    """Yield the values that a function's code may use by name: globals, `module.name`, and closure cells."""
    names = fn.__code__.co_names
    for name in names:
        value = fn.__globals__.get(name)
        if isinstance(value, ModuleType):
            yield from (value.__dict__[inner] for inner in names if inner in value.__dict__)
        elif value is not None:
            yield value
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue


@functools.cache
def _cache_class() -> Any:
    """Return numba's function cache class with our folders, in which errors of the disk are only logged."""
    caching: Any = importlib.import_module("numba.core.caching")

    class Locator(caching._CacheLocator):
        def __init__(self, fn: Any, source: str, folder: Path) -> None:
            self._py_file = source
            self._folder = str(folder)
            self._stamp = stamp_for(fn)
            where = hashlib.blake2b(source.encode(), digest_size=3).hexdigest()
            self._tell_apart = f"{where}-{fn.__code__.co_firstlineno}"

        def get_cache_path(self) -> str:
            return self._folder

        def get_source_stamp(self) -> str:
            return self._stamp

        def get_disambiguator(self) -> str:
            return self._tell_apart

        @classmethod
        def from_function(cls, py_func: Any, py_file: str) -> Any:
            folder = folder_for(py_file)
            return None if folder is None else cls(py_func, py_file, folder)

    class Kept(caching.CompileResultCacheImpl):
        _locator_classes = [Locator]

    base: Any = caching.FunctionCache

    class KernelCache(base):
        _impl_class = Kept

        def load_overload(self, sig: Any, target_context: Any) -> Any:
            try:
                return base.load_overload(self, sig, target_context)
            except Exception as error:
                _log.info("a damaged cache entry is left aside: %s", error)
                self._forget()
                return None

        def save_overload(self, sig: Any, data: Any) -> None:
            try:
                base.save_overload(self, sig, data)
            except Exception as error:
                _log.info("a compiled kernel could not be stored: %s", error)

        def _forget(self) -> None:
            try:
                self.flush()
            except OSError:
                return

    return KernelCache
