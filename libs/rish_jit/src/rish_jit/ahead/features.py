"""Features: groups of kernels that are prepared together before they are called in play.

A feature has a name, and a function that calls each of its kernels once. `Features.prepare` compiles what the cache
lacks, by the package's list of kernels (`lists`) in worker processes (`workers`), and then calls the functions: that
loads the finished code, and compiles here what the list lacks.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ..cache import INNER, Compilation, on_missing
from ..compiler.kernel import can_compile
from ..native.specializations import compiled_calls
from ..signatures import types_of
from ..stamps import reached
from .called import CalledKernels
from .entries import is_stored, stored
from .lists import LIST_FILE, Listed, read_list, select
from .workers import LOWEST_PRIORITY, PATIENCE, Load, Workers, cores

_log = logging.getLogger("rish.jit")
FEW = 6
"""Kernels that compile sooner here, if numba is imported, than in a process that has to start first."""

Name = tuple[str, str]
"""The owner of a feature, such as a plugin, and the feature's own name."""
Watch = Callable[[int, int], bool]
"""Called with how many kernels are compiled and how many there are; returns whether to go on."""


class Features:
    """The features that this process has prepared.

    folders: where an owner's list of kernels is. loads: calls that make modules importable in worker processes.
    compiled: the number of kernels that worker processes compiled.
    """

    def __init__(self, folders: Mapping[str, Path], loads: Sequence[Load] = ()) -> None:
        self.folders, self._loads = folders, loads
        self._done: set[Name] = set()
        self._stored: set[Listed] = set()
        self._lists: dict[Path, tuple[tuple[int, int], list[Listed]]] = {}
        self._called = CalledKernels(loads)
        self._others: Workers | None = None
        self._unhook: Callable[[], None] | None = None
        self.compiled = 0

    def prepare(self, features: Mapping[Name, Callable[[], object]], watch: Watch) -> Iterator[Name]:
        """Prepare the features that are not prepared yet; yield the name of each after its function was called.

        watch: called every few hundredths of a second while worker processes compile, then before each feature. If it
        returns False, nothing more is prepared.
        """
        unprepared = [name for name in features if name not in self._done]
        entries = self._missing(self.listed(unprepared))
        total = len(entries) if len(entries) >= FEW or "numba" not in sys.modules else 0
        if total and not self.compile(entries, watch):
            return
        for name in unprepared:
            if total and not watch(total, total):
                return
            self._done.add(name)
            with compiled_calls():
                features[name]()
            yield name

    def compile_all(self, watch: Watch) -> None:
        """Compile everything that the lists of all owners name and the cache lacks; no feature is prepared."""
        entries = missing(self.listed_for(lambda _: True))
        if entries:
            self.compile(entries, watch)

    def compile_others(self, used: Callable[[str], bool]) -> Iterator[None]:
        """Begin to compile what the lists of all owners name and the cache lacks, in processes of the lowest priority.

        Each step looks up a few kernels. The processes go on until they have finished, `prepare` needs others, or
        `close`. used: whether a feature may be needed.
        """
        if self._others is not None:
            return
        listed = self.listed_for(used)
        for begin in range(0, len(listed), FEW):
            self._missing(listed[begin : begin + FEW])
            yield
        entries = self._missing(listed)
        if entries:
            self._others = self._workers(entries, background=True)

    def compile_elsewhere(self, meanwhile: Callable[[], object]) -> None:
        """From now on, a kernel that is called and not in the cache compiles in another process.

        Small calls run as plain Python until it is compiled, others wait. If a list names the kernel, all kernels of
        the smallest feature that needs it are compiled, in several processes. meanwhile: called every few hundredths of
        a second while the main thread waits for a kernel that it called; the functions of `on_wait` are called in the
        same way.
        """

        def begin(kernel: str, types: str) -> Compilation | None:
            if not can_compile():
                return None
            together = missing(self._needed_with(kernel, types))
            return self._called.begin(Listed(kernel, types), together, meanwhile)

        self._unhook = on_missing(begin)

    def close(self) -> None:
        """End all processes, and compile in this process again."""
        if self._unhook is not None:
            self._unhook()
            self._unhook = None
        self._end_others()
        self._called.close()

    def ready(self, names: Iterable[Name]) -> bool:
        """Whether all kernels of these features are stored; numba is not imported."""
        return not self._missing(self.listed(name for name in names if name not in self._done))

    def _missing(self, entries: Sequence[Listed]) -> list[Listed]:
        """Return `missing` of the entries; those that were stored once are not looked up again."""
        others = [each for each in entries if each not in self._stored]
        lacking = missing(others)
        self._stored.update(each for each in others if not each.inner and each not in lacking)
        return lacking

    def listed(self, names: Iterable[Name]) -> list[Listed]:
        """The kernels that these features need, as far as the owners' lists say; callees come first."""
        wanted: dict[str, list[str]] = {}
        for owner, feature in names:
            wanted.setdefault(owner, []).append(feature)
        kernels: dict[tuple[str, str], Listed] = {}
        for owner, features in wanted.items():
            path = self.folders.get(owner)
            for each in select(self._list_in(path), features) if path is not None else ():
                kernels.setdefault((each.kernel, each.types), each)
        return list(kernels.values())

    def listed_for(self, used: Callable[[str], bool]) -> list[Listed]:
        """The kernels that the lists of all owners name, each once. used: whether a feature may be needed."""
        every = {(each.kernel, each.types): each for folder in self.folders.values() for each in self._list_in(folder)}
        return [each for each in every.values() if any(map(used, each.features))]

    def _list_in(self, folder: Path) -> list[Listed]:
        """The list in a folder, read again when the file changes; empty if there is none or it can't be read."""
        file = folder / LIST_FILE
        try:
            stat = file.stat()
            age = stat.st_mtime_ns, stat.st_size
            if self._lists.get(file, (None,))[0] != age:
                self._lists[file] = age, read_list(file)
            return self._lists[file][1]
        except FileNotFoundError:
            return []
        except (OSError, ValueError) as error:
            _log.warning("%s", error)
            return []

    def _needed_with(self, kernel: str, types: str) -> list[Listed]:
        """The kernels of the smallest feature that needs a kernel; empty if no list names it."""
        lists = [self._list_in(folder) for folder in self.folders.values()]
        features = [
            select(entries, [feature])
            for entries in lists for each in entries if (each.kernel, each.types) == (kernel, types)
            for feature in each.features
        ]  # fmt: skip
        return min(features, key=len) if features else []

    def _workers(self, entries: Sequence[Listed], background: bool) -> Workers:
        loads = [*LOWEST_PRIORITY, *self._loads] if background else self._loads
        return Workers(entries, loads=loads, count=max(1, cores() - 1) if background else None)

    def _end_others(self) -> None:
        others, self._others = self._others, None
        if others is not None:
            others.close()

    def compile(self, entries: Sequence[Listed], watch: Watch, *, background: bool = False) -> bool:
        """Compile kernels into the cache in worker processes; gives False if `watch` ended it. Any thread may call it.

        What `compile_others` has begun ends. background: with the lowest priority, and one core is left free.
        """
        self._end_others()
        with self._workers(entries, background) as workers:
            going_on = watch(0, workers.total)
            while going_on and not workers.wait(PATIENCE):
                going_on = watch(workers.done, workers.total)
            self.compiled += workers.done
            return going_on


def load(entries: Iterable[Listed]) -> None:
    """Load the kernels that Python calls, as far as they are stored. Any thread may call it."""
    for each in entries:
        kernel = None if each.inner or stored(each) is None else each.find()
        if kernel is None:
            continue
        if kernel.specializations is not None:
            kernel.specializations.load(each.types)
        elif kernel.dispatcher is not None:
            kernel.dispatcher.compile(types_of(each.types))


def missing(entries: Iterable[Listed]) -> list[Listed]:
    """Return the entries that are not stored; none if nothing can be compiled here. Does not import numba.

    A form that only kernels call counts if one that calls it, and that Python calls, is not stored: who else needs it?
    """
    if not can_compile():
        return []
    listed = list(entries)
    missing_names: set[str] = set()
    called: set[str] = set()
    for each in listed:
        kernel = None if each.inner or is_stored(each) else each.find()
        if kernel is not None:
            missing_names.add(f"{each.kernel} {each.types}")
            called.update(
                f"{function.__module__}.{function.__qualname__}{INNER}" for function in reached(kernel.py_func)
            )
    return [
        each for each in listed
        if f"{each.kernel} {each.types}" in missing_names or (each.kernel in called and not is_stored(each))
    ]  # fmt: skip
