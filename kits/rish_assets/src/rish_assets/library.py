"""`AssetLibrary`: the objects that a plugin makes from files, each made once, and again when its files change."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, TypeVar, cast

from rish_core import AssetError, Assets, describe_error
from rish_ecs import RishError

from .changes import listen, unlisten
from .reading import AssetReader, key_of

if TYPE_CHECKING:
    from rish_ecs import World

_T = TypeVar("_T")


@dataclass(eq=False)
class _Entry(Generic[_T]):
    """An object. needs: the files that it was made from. stale: whether one of them has changed."""

    value: _T
    needs: set[str] = field(default_factory=set[str])
    stale: bool = False
    is_placeholder: bool = False
    is_put: bool = False


class AssetLibrary(Generic[_T]):
    """The objects of one kind that are made from files of a game, by the path of the file.

    what: the kind in messages, such as `poem`. load: `load(path, read)` returns the object of a path; `read()` returns
    the content of its file, `read(other)` that of another one, see `AssetReader`. It may raise any error. An object may
    also have another name than its path. placeholder: returns what is used for an object that can't be made. log: the
    name of the logger for errors. on_change: is called with the path of each object that is no longer up to date, at
    once; for data that was made of the object. size, limit: the
    bytes of an object, and the most of all; beyond it, the objects that were not used for longest are dropped and made
    again when they are needed.

    An error is logged once, with its place, and again only if it differs. If an object can't be made again after an
    edit, its former version stays in use; if the file is gone, the placeholder. The objects do not depend on the state
    of the World, so a restore changes nothing; if the World's `Assets` are replaced, they are made again.

    Store a library in a derived resource, or derive the resource class from it. version: rises whenever an object
    changes; a derived class may name the library as a source. problems: why an object could not be made, by its path.
    """

    def __init__(
        self, what: str, load: Callable[[str, AssetReader], _T], placeholder: Callable[[], _T], *, log: str,
        on_change: Callable[[str], object] | None = None, size: Callable[[_T], int] | None = None, limit: int = 0,
    ) -> None:  # fmt: skip
        self.what = what
        self.version = 0
        self.limit = limit
        self.problems: dict[str, AssetError] = {}
        self._load, self._placeholder, self._tell, self._size = load, placeholder, on_change, size
        self._log = logging.getLogger(log)
        self._assets: Assets | None = None
        self._entries: dict[str, _Entry[_T]] = {}
        self._versions: dict[str, int] = {}
        self._logged: dict[str, str] = {}

    def get(self, world: World, path: str | int) -> _T:
        """Return the object of a path, or of the number of a path in a column of `Asset` or `Str`.

        It is made at the first call, and at the first one after a change. If that fails, the error is logged and a
        placeholder, or the former version, is returned.
        """
        if world.resources.get(Assets) is not self._assets:
            self._follow(cast("Assets | None", world.resources.get(Assets)))
        return self._get(path if isinstance(path, str) else world.text(int(path)))

    def renew(self, path: str) -> _T | None:
        """Make a changed object again at once, and return it; `on_change` may call it.

        None for an object that nobody has asked for, and for one of which a file is gone: it waits until it is needed.
        """
        entry, assets = self._entries.get(path), self._assets
        if entry is None or assets is None:
            return None
        is_whole = all(assets.exists(need) for need in entry.needs if not need.endswith("/"))
        return self._get(path) if is_whole else None

    def failed(self, path: str) -> bool:
        """Whether the object of a path is a placeholder or a former version because of an error."""
        return path in self.problems

    def fail(self, path: str, error: BaseException) -> None:
        """Report a later error of an object, such as samples that can't be decoded; the object stays."""
        self._report(path, error)

    def put(self, path: str, value: _T) -> None:
        """Use an object in place of the one of this path, until the file of this path changes, if there is one."""
        self._entries[path] = _Entry(value, {key_of(path)}, is_put=True)
        self._clear_problem(path)
        self._note(path)

    def forget(self, path: str) -> None:
        """Drop the object of a path; it is made again when it is needed. That is no change: `version` stays."""
        for each in (self._entries, self.problems, self._logged):
            each.pop(path, None)

    def clear(self) -> None:
        """Drop all objects. That is a change of each of them."""
        for path in list(self._entries):
            self.forget(path)
            self._note(path)

    def changed(self, since: int) -> list[str]:
        """Return the paths of the objects that changed after the library had the version `since`, sorted."""
        if since == self.version:
            return []
        return sorted(path for path, version in self._versions.items() if version > since)

    def __contains__(self, path: str) -> bool:
        """Whether there is an object for a path."""
        return path in self._entries

    def __iter__(self) -> Iterator[str]:
        """Iterate over the paths of all objects."""
        return iter(list(self._entries))

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._entries)

    # Making objects

    def _get(self, name: str) -> _T:
        entry = self._entries.get(name)
        if entry is None or entry.stale:
            entry = self._entries[name] = self._make(name, entry)
            self._shrink(name)
        elif self.limit:
            self._entries[name] = self._entries.pop(name)
        return entry.value

    def _make(self, path: str, former: _Entry[_T] | None) -> _Entry[_T]:
        """Make the object of a path; after an error return its former version, or a placeholder."""
        assets = self._assets
        reader = AssetReader(assets, path) if assets is not None else None
        try:
            if reader is None:
                raise AssetError(f"{path} can't be read: this world has no assets")
            value = self._load(path, reader)
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            needs = reader.needs if reader is not None else set[str]()
            self._report(path, error, is_logged=reader is not None and error in reader.logged)
            is_gone = reader is None or (reader.has_read(path) and not reader.assets.exists(path))
            if former is None or former.is_placeholder or is_gone:
                return _Entry(self._placeholder(), needs, is_placeholder=True)
            return _Entry(former.value, needs | former.needs)
        self._clear_problem(path)
        return _Entry(value, reader.needs)

    def _report(self, path: str, error: BaseException, *, is_logged: bool = False) -> None:
        """Log an error once, and add it to the problems of the library and of the assets."""
        if isinstance(error, AssetError):
            problem = error
        elif isinstance(error, RishError):
            problem = AssetError(error.what, where=error.where or path, choices=error.choices, hint=error.hint)
        else:
            problem = AssetError(f"can't be used as a {self.what}: {describe_error(error)}", where=path)
        self.problems[path] = problem
        text = str(problem)
        if self._logged.get(path) != text and not is_logged:
            self._log.error("%s", text)
        self._logged[path] = text
        if self._assets is not None and self._assets.has_loader(path) and key_of(path):
            self._assets.failed.add(key_of(path))

    def _clear_problem(self, path: str) -> None:
        self.problems.pop(path, None)
        self._logged.pop(path, None)
        if self._assets is not None:
            self._assets.failed.discard(key_of(path))

    def _shrink(self, newest: str) -> None:
        """Drop the objects that were not used for longest while all of them are too large."""
        if self._size is None or not self.limit:
            return
        total = sum(self._size(entry.value) for entry in self._entries.values())
        for path in list(self._entries):
            if total <= self.limit or path == newest:
                return
            total -= self._size(self._entries[path].value)
            self.forget(path)

    # Changes

    def _follow(self, assets: Assets | None) -> None:
        """Use the files of these assets from now on; objects from the files of others are dropped."""
        if self._assets is not None:
            unlisten(self._assets, self._changed)
        self._assets = assets
        if assets is not None:
            listen(assets, self._changed)
        for path in [path for path, entry in self._entries.items() if not entry.is_put]:
            self.forget(path)
            self._note(path)

    def _changed(self, path: str) -> None:
        """Mark the objects that need a file, or a folder that ends in `/`, as no longer up to date."""
        for name in [name for name, entry in self._entries.items() if path in entry.needs and not entry.stale]:
            self._entries[name].stale = True
            self._note(name)

    def _note(self, path: str) -> None:
        self.version += 1
        self._versions[path] = self.version
        if self._tell is not None:
            self._tell(path)
