"""The way of a change from the disk to the objects made of files.

Whoever notices edits of files calls `report_changes`: a watcher, the editor, a test. The files that the game uses are
read again by `Assets`, and every library is told. Libraries are told here alone: there is one function among those of
`Assets.on_reload`, which knows the libraries by weak references.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Iterable
from pathlib import Path
from weakref import WeakKeyDictionary, WeakMethod

from rish_core import AssetError, Assets, canonical

_listeners: WeakKeyDictionary[Assets, list[WeakMethod[Callable[[str], object]]]] = WeakKeyDictionary()


def listen(assets: Assets, callback: Callable[[str], object]) -> None:
    """Call a method with the path of each asset that is reloaded or removed, and with `folder/` if files appear there.

    callback: a bound method; it is called as long as its object exists.
    """
    if assets not in _listeners:
        listeners = _listeners[assets] = []
        assets.on_reload(lambda path: _tell(listeners, path))
    _listeners[assets].append(WeakMethod(callback))


def unlisten(assets: Assets, callback: Callable[[str], object]) -> None:
    """Do not call a method any more."""
    listeners = _listeners.get(assets, [])
    listeners[:] = [each for each in listeners if each() not in (None, callback)]


def report_changes(assets: Assets, paths: Iterable[Path], *, removed: bool = False) -> list[str]:
    """Use the new content of files that were changed on disk; return the assets that were read again.

    Files that the game does not use, and those outside its folder, are not read. removed: whether a missing file means
    that it was deleted; if False, what was read stays in use, since some programs delete a file to write it again.
    """
    reloaded: list[str] = []
    root = assets.root.resolve() if assets.root is not None else None
    for path in dict.fromkeys(paths):
        if root is None or not path.is_relative_to(root):
            continue
        try:
            name = canonical(path.relative_to(root).as_posix())
        except AssetError:
            continue
        exists, is_known = path.is_file(), assets.knows(name)
        if exists and is_known and assets.reload(name):
            reloaded.append(name)
        if removed and is_known and not exists:
            assets.remove(name)
        if not (exists and is_known):
            _tell(_listeners.get(assets, []), f"{posixpath.dirname(name)}/")
    return reloaded


def _tell(listeners: list[WeakMethod[Callable[[str], object]]], path: str) -> None:
    for listener in tuple(listeners):
        callback = listener()
        if callback is not None:
            callback(path)
        elif listener in listeners:
            listeners.remove(listener)
