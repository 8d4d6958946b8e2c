"""The lists of kernels of the packages of a game, and of the game: the union of what they name and what was called.

A list is rebuilt from the kernels that Python calls: each comes after the kernels that it calls, which the cache knows,
and these get its features. So forms that no kernel calls any more disappear.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import rish_jit
from rish_core import App
from rish_jit import Listed

from .recorder import Use

PLAY = "play"
"""The feature of a kernel that play calls, if no feature calls another kernel of its module."""

_Features = dict[tuple[str, str], set[str]]
"""The features that need a kernel, by its name and types."""


class GameLists:
    """The lists of an open game's packages and its own. Everything that they name must be compiled.

    dropped: the entries that are left out, because their kernels do not exist or do not compile for their types.
    """

    def __init__(self, app: App) -> None:
        self._folders = dict(app.kernels.folders)
        modules = {plugin.name: getattr(plugin.module, "__name__", "") for plugin in app.plugins}
        packages = {name: modules.get(name, name).partition(".")[0] for name in self._folders}
        self._of_package = {packages[name]: folder for name, folder in self._folders.items()}
        self._former = {folder: _read(folder / rish_jit.LIST_FILE) for folder in set(self._folders.values())}
        self.dropped = [each for former in self._former.values() for each in former if rish_jit.stored(each) is None]
        self._called: dict[Path, _Features] = {folder: {} for folder in self._former}
        for folder, former in self._former.items():
            for each in former:
                if not each.inner and each not in self.dropped:
                    self._called[folder][each.kernel, each.types] = set(each.features)

    def add(self, uses: Iterable[Use]) -> None:
        """Add kernels that were called; those of play to the features that call the same kernel, or its module."""
        in_play: list[Use] = []
        for use in uses:
            if not use.owner:
                in_play.append(use)
            elif use.owner in self._folders:
                called = self._called[self._folders[use.owner]]
                called.setdefault((use.kernel, use.types), set()).add(use.feature)
        for use in in_play:
            kernel = use.kernel, use.types
            if not any(kernel in called for called in self._called.values()):
                called = self._called[self._of_package.get(use.kernel.partition(".")[0], self._folders["core"])]
                called[kernel] = _features_like(use.kernel, called)

    def write(self) -> Iterator[str]:
        """Write the lists that have changed; yield a line for each."""
        for folder, called in sorted(self._called.items()):
            entries = list(_with_callees(called))
            if entries != self._former[folder]:
                path = folder / rish_jit.LIST_FILE
                rish_jit.write_list(path, entries)
                yield f"{path}: {len(entries)} kernels"


def unlisted(app: App, uses: Iterable[Use]) -> list[Use]:
    """Return the kernels that a feature called and are not listed for it, or that play called and are in no list."""
    every = {(each.kernel, each.types) for each in app.kernels.listed_for(lambda _: True)}
    listed: dict[tuple[str, str], set[tuple[str, str]]] = {}
    gaps: list[Use] = []
    for use in uses:
        of = use.owner, use.feature
        if use.owner and of not in listed:
            listed[of] = {(each.kernel, each.types) for each in app.kernels.listed([of])}
        if (use.kernel, use.types) not in (listed[of] if use.owner else every):
            gaps.append(use)
    return gaps


def _features_like(kernel: str, called: _Features) -> set[str]:
    """Return the features that call a kernel, otherwise those that call one of its module, otherwise `PLAY`."""
    module = kernel.rpartition(".")[0]
    for like in (lambda name: name == kernel), (lambda name: name.rpartition(".")[0] == module):
        features = {feature for (name, _), of in called.items() if like(name) for feature in of}
        if features:
            return features
    return {PLAY}


def _with_callees(called: _Features) -> Iterator[Listed]:
    """Yield entries for kernels and for all that they call, callees first, each with the features of its callers."""
    features: _Features = {}

    def visit(kernel: tuple[str, str], needed_by: set[str]) -> None:
        if needed_by <= features.get(kernel, set()):
            return
        entry = rish_jit.stored(Listed(*kernel))
        for callee in entry.calls if entry is not None else ():
            visit(callee, needed_by)
        features.setdefault(kernel, set()).update(needed_by)

    for kernel, needed_by in called.items():
        visit(kernel, needed_by)
    for kernel, needed_by in features.items():
        yield Listed(*kernel, features=tuple(sorted(needed_by)))


def _read(path: Path) -> list[Listed]:
    return rish_jit.read_list(path) if path.is_file() else []
