"""Where compiled kernels are kept between runs, and how many processes share them.

One file holds one compiled kernel for one combination of argument types. Its name carries a hash of everything that
the machine code depends on: the kernel, the types, the stamp of its sources (`stamps`), the processor, the versions of
numba, llvmlite and Python. So nothing in the folder is ever out of date, no index can disagree with the files, and
processes that write at the same moment cannot disturb each other: a file is written under a name of its own, and then
renamed, which is one step on every system. A file begins with a checksum and with the full key, and is used only if
both are right; a damaged one is deleted and compiled again.

The folder is `__pycache__/rish` of the top-level package (or of the folder, for a module outside packages), otherwise
one in the user's cache, otherwise there is none and each process compiles for itself. `RISH_CACHE_DIR`, then
`NUMBA_CACHE_DIR`, name another place. An error of the disk never reaches a kernel's caller; the log reports it once.

Entries are pickles, which can run code when they are loaded: like bytecode, they must come from a trusted place.
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import json
import logging
import os
import pickle
import re
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from rish_system import base_folder, machine, rename

from .machine import host
from .signatures import signature_of
from .stamps import stamp_of

_log = logging.getLogger("rish.jit")
INNER = "*"
"""The end of the names of forms that only kernels call, in keys of the cache and in lists of kernels."""
_MAGIC = b"rish-kernel 1\n"
_CHECKSUM = 16
_SUFFIX = ".kernel"
_KEPT = 16
"""Files of one kernel with the same types that are kept, for going back and forth between versions of its source."""
_STALE = 3600.0
"""Seconds after which an unfinished file is one that its process left behind."""


@dataclass(frozen=True)
class Key:
    """Everything that machine code depends on, as texts. kernel: `module.function`. types: see `signatures`."""

    kernel: str
    types: str
    stamp: str
    machine: str

    @property
    def file(self) -> str:
        """The name of the entry's file."""
        return f"{self.start}{_hash(json.dumps(asdict(self)))[:20]}{_SUFFIX}"

    @property
    def start(self) -> str:
        """The start of the names of all files for this kernel with these types."""
        return f"{_file_name(self.kernel)}-{_hash(f'{self.kernel} {self.types}')[:8]}-"


@dataclass(frozen=True)
class Entry:
    """The content of an entry's file. calls: (kernel, types) of the kernels that this one calls. code: a pickle."""

    key: Key
    calls: tuple[tuple[str, str], ...]
    code: bytes


class Compilation(Protocol):
    """A kernel that another process compiles."""

    @property
    def done(self) -> bool:
        """Whether it is stored, or can't be compiled there."""
        ...

    def wait(self) -> None:
        """Wait until it is done."""


_listeners: list[Callable[[Entry], object]] = []
_missing: list[Callable[[str, str], Compilation | None]] = []


def cache_of(fn: Callable[..., Any], name: str, options: Mapping[str, Any]) -> KernelCache | None:
    """Return the cache for a function's compiled forms; None if nothing can be stored."""
    folders = folders_for(fn.__code__.co_filename)
    return KernelCache(fn, name, options, folders) if folders else None


def folders_for(source: str) -> list[Path]:
    """Return the cache folders for kernels of the file `source`, in the order of the search.

    The search ends at the first folder that can be written; those before it exist and can only be read.
    """
    root = root_of(source)
    folders: list[Path] = []
    for folder in () if root is None else _places(root):
        if _usable(folder):
            return [*folders, folder]
        if folder.is_dir():
            folders.append(folder)
    return folders


def folder_for(source: str) -> Path | None:
    """Return the folder into which kernels of the file `source` are written; None if there is none."""
    folders = folders_for(source)
    return folders[-1] if folders and _usable(folders[-1]) else None


def find_entry(folders: Iterable[Path], key: Key) -> Entry | None:
    """Return the entry of a key from the first folder that has a valid one; delete damaged files."""
    for folder in folders:
        path = folder / key.file
        try:
            return read_entry(path, key)
        except FileNotFoundError:
            continue
        except OSError as error:
            _log.info("a compiled kernel can't be read: %s", error)
        except ValueError as error:
            _log.info("a damaged cache entry is compiled again: %s: %s", path.name, error)
            _delete(path)
    return None


def on_use(callback: Callable[[Entry], object]) -> Callable[[], None]:
    """Call `callback` with each entry that this process loads or stores from now on; return a function that ends it."""
    _listeners.append(callback)
    return functools.partial(_listeners.remove, callback)


def on_missing(callback: Callable[[str, str], Compilation | None]) -> Callable[[], None]:
    """Call `callback(kernel, types)` before this process compiles a kernel; return a function that ends it.

    The callback may begin to compile the kernel elsewhere and return that: when it is done, the kernel is looked up
    again. Any thread calls it.
    """
    _missing.append(callback)
    return functools.partial(_missing.remove, callback)


def report_missing(kernel: str, types: str) -> Compilation | None:
    """Tell the last listener of `on_missing` that a kernel is not stored; return its compilation in another process."""
    return _missing[-1](kernel, types) if _missing else None


def report_use(entry: Entry) -> None:
    """Tell the listeners of `on_use` that an entry was loaded or stored."""
    for callback in tuple(_listeners):
        callback(entry)


def store(fn: Callable[..., Any], entry: Entry) -> None:
    """Write an entry of a function into its cache folder, if there is one; an error of the disk is logged."""
    folder = folder_for(fn.__code__.co_filename)
    if folder is not None:
        try:
            write_entry(folder, entry)
        except OSError as error:
            _report_once(str(folder), error)


class KernelCache:
    """The cache of one kernel, in the form in which numba's dispatcher calls it."""

    def __init__(self, fn: Callable[..., Any], name: str, options: Mapping[str, Any], folders: list[Path]) -> None:
        self._fn, self._name, self._options, self._folders = fn, name, options, folders

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(self._folders[-1])

    def key_of(self, types: Any) -> Key | None:
        """Return the key for argument types, with the present values of constants; None if a type has no text."""
        text = signature_of(types)
        return None if text is None else Key(self._name, text, stamp_of(self._fn, self._options), numba_machine())

    def load_overload(self, types: Any, target_context: Any) -> Any:
        """Load the compiled kernel for these types from its file; return None if there is none."""
        _prepare_loading(target_context)
        key = self.key_of(types)
        entry = None if key is None else find_entry(self._folders, key)
        if entry is None and key is not None and not key.kernel.endswith(INNER):  # which compiles with its caller
            elsewhere = report_missing(key.kernel, key.types)
            if elsewhere is not None:
                elsewhere.wait()
                entry = find_entry(self._folders, key)
        if entry is None:
            return None
        try:
            compiler: Any = importlib.import_module("numba.core.compiler")
            result = compiler.CompileResult._rebuild(target_context, *pickle.loads(entry.code))
        except Exception as error:
            _log.info("a compiled kernel can't be loaded and is compiled again: %s", error)
            return None
        report_use(entry)
        return result

    def save_overload(self, types: Any, result: Any) -> None:
        """Store a compiled kernel."""
        try:
            entry = self._entry_of(types, result)
            if entry is not None:
                write_entry(self._folders[-1], entry)
        except Exception as error:
            _report_once(str(self._folders[-1]), error)
            return
        if entry is not None:
            report_use(entry)

    def _entry_of(self, types: Any, result: Any) -> Entry | None:
        key = self.key_of(types)
        if key is None or result.lifted or result.library.has_dynamic_globals:
            return None
        calls = calls_in(result.fndesc)
        serialize: Any = importlib.import_module("numba.core.serialize")
        return Entry(key, calls, serialize.dumps(self._slimmed(*result._reduce())))

    def _slimmed(self, library: Any, described: Any, *rest: Any) -> tuple[Any, ...]:
        """Leave out what loading does not need: the annotated source, and bitcode, which takes half of the time.

        Only kernels that call this one need bitcode, and none calls the form for Python: there it names the wrappers.
        """
        environment, signature, objectmode, lifted, _annotation, *others = rest
        if not self._name.endswith(INNER):
            name, kind, (code, _bitcode) = library
            llvm: Any = importlib.import_module("llvmlite.binding")
            wrappers = described.llvm_cpython_wrapper_name, described.llvm_cfunc_wrapper_name
            stub = "\n".join(f'define void @"{wrapper}"() {{ unreachable }}' for wrapper in wrappers)
            library = name, kind, (code, llvm.parse_assembly(stub).as_bitcode())
        return library, described, environment, signature, objectmode, lifted, "", *others

    def flush(self) -> None:
        """Delete the files of this kernel."""
        for path in self._folders[-1].glob(f"*{_SUFFIX}"):
            if path.name.rsplit("-", 2)[0] == _file_name(self._name):
                _delete(path)


def write_entry(folder: Path, entry: Entry) -> None:
    """Write an entry: whole or not at all. Raises OSError."""
    unfinished = folder / f".unfinished-{os.urandom(16).hex()}"
    try:
        unfinished.write_bytes(pack_entry(entry))
        rename(unfinished, folder / entry.key.file)
    except BaseException:
        _delete(unfinished)
        raise
    _thin_out(folder, entry.key)


def read_entry(path: Path, key: Key | None = None) -> Entry:
    """Return the entry in a file. Raises OSError, and ValueError if it is damaged or has another key."""
    entry = unpack_entry(path.read_bytes())
    if key is not None and entry.key != key:
        raise ValueError("it is of another kernel")
    return entry


def entries_in(folder: Path) -> Iterator[Entry]:
    """Yield the valid entries in a folder and the folders below it, sorted by file name."""
    for path in sorted(folder.rglob(f"*{_SUFFIX}")):
        try:
            yield read_entry(path)
        except (OSError, ValueError) as error:
            _log.info("a damaged cache entry is left out: %s: %s", path.name, error)


def pack_entry(entry: Entry) -> bytes:
    """Return the bytes of an entry: a checksum, key and calls as a line of JSON, the code."""
    head = json.dumps({"key": asdict(entry.key), "calls": entry.calls})
    body = head.encode() + b"\n" + entry.code
    return _MAGIC + checksum(body) + body


def unpack_entry(data: bytes) -> Entry:
    """Return the entry in such bytes. Raises ValueError if they are damaged."""
    start = len(_MAGIC) + _CHECKSUM
    body = data[start:]
    if not data.startswith(_MAGIC) or data[len(_MAGIC) : start] != checksum(body):
        raise ValueError("the checksum is wrong")
    head, _, code = body.partition(b"\n")
    header = json.loads(head)
    return Entry(Key(**header["key"]), tuple((kernel, types) for kernel, types in header["calls"]), code)


def calls_in(described: Any) -> tuple[tuple[str, str], ...]:
    """Return the kernels that a compiled function calls, with argument types. described: numba's `fndesc`."""
    calls: dict[tuple[str, str], None] = {}
    for expression, signature in described.calltypes.items():
        called = described.typemap.get(expression.func.name) if getattr(expression, "op", "") == "call" else None
        name = getattr(getattr(called, "dispatcher", None), "kernel_name", None)
        types = None if name is None else signature_of(signature.args)
        if name is not None and types is not None:
            calls[name, types] = None
    return tuple(calls)


@functools.cache
def _prepare_loading(context: Any) -> None:
    """Give loaded code the addresses of the functions and numbers of numba that it names.

    numba refreshes the context here: it imports everything that compiling needs, which takes a tenth of a second.
    """
    runtime: Any = importlib.import_module("numba.core.runtime.nrt")
    runtime.rtsys.initialize(context)
    importlib.import_module("numba.cpython.hashing")


@functools.cache
def numba_machine() -> str:
    """Return what code depends on that numba loads: the processor, the versions, and settings that change machine code.

    Does not import numba.
    """
    versions = [f"{name}-{host.installed_version(name)}" for name in ("numba", "llvmlite")]
    settings = [f"{name}={os.environ[name]}" for name in host.COMPILER_SETTINGS if os.environ.get(name)]
    return " ".join([host.python_tag(), *versions, machine(), host.level(), *settings])


@functools.cache
def root_of(source: str) -> Path | None:
    """Return the top-level package that contains a file, or its folder if there is none; None without a file."""
    path = Path(source)
    if not path.is_file():
        return None
    root = path.resolve().parent
    while (root / "__init__.py").is_file() and (root.parent / "__init__.py").is_file():
        root = root.parent
    return root


def _places(root: Path) -> Iterator[Path]:
    """Yield the folders that may hold a package's compiled kernels, best first."""
    for variable in ("RISH_CACHE_DIR", "NUMBA_CACHE_DIR"):
        if os.environ.get(variable):
            yield Path(os.environ[variable]) / root.name
    yield root / "__pycache__" / "rish"
    try:
        yield base_folder("cache") / "rish" / "kernels" / root.name
    except RuntimeError:  # there is no home
        return


@functools.lru_cache(maxsize=256)
def _usable(folder: Path) -> bool:
    """Return whether files can be written to a folder, which is created if needed."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=folder).close()
    except OSError:
        return False
    return True


def _thin_out(folder: Path, key: Key) -> None:
    """Delete all but the latest entries of a kernel with the same types, and unfinished files of dead processes."""
    try:
        names = [name for name in os.listdir(folder) if name.startswith((key.start, ".unfinished-"))]
        paths = [folder / name for name in names if name != key.file]
        times = {path: path.stat().st_mtime for path in paths}
    except OSError:
        return
    older = sorted((path for path in paths if path.suffix == _SUFFIX), key=lambda path: times[path], reverse=True)
    left = [path for path in paths if path.suffix != _SUFFIX and times[path] < time.time() - _STALE]
    for path in (*older[_KEPT - 1 :], *left):
        _delete(path)


def _delete(path: Path) -> None:
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return


@functools.cache
def _warn(folder: str) -> None:
    _log.warning("compiled kernels can't be stored in %s, so each start compiles them again", folder)


def _report_once(folder: str, error: Exception) -> None:
    """Log a lost write with its reason, and once for each folder a warning."""
    _log.info("a compiled kernel could not be stored: %s", error)
    _warn(folder)


def _file_name(kernel: str) -> str:
    """Return the name of a kernel as part of a file name."""
    return re.sub(r"[^\w.]", "_", kernel, flags=re.ASCII)[-100:]


def checksum(data: bytes | memoryview) -> bytes:
    """Return the checksum of a file's content."""
    return hashlib.blake2b(data, digest_size=_CHECKSUM).digest()


def _hash(text: str) -> str:
    return checksum(text.encode()).hex()
