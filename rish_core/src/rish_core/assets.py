"""Assets: the files of a game, found safely, loaded by their suffix, and reloaded when they change.

Paths come from a manifest, which may not be trusted. So a path can name only files inside the game's folder, or data
inside an installed package (`arcade:assets/images/tiles/brick.png`); the package is not imported. A path that leads
outside, in any spelling, is refused before the disk is accessed. A path that leads outside through a symbolic link is
refused before the file is opened.

If an asset can't be loaded, the error is logged once and the loader's placeholder is used (a checkerboard for an
image), so that one bad file does not stop a game.
"""

from __future__ import annotations

import functools
import importlib.util
import itertools
import json
import logging
import os
import posixpath
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NoReturn, TypeVar, cast

from rish_ecs import Place, World, describe_error, how_to_get_module, resource
from rish_system import other_spelling, path_inside, read_whole, walk_files, wrong_path

from .errors import AssetError

Loader = Callable[..., Any]
"""A function of a path that loads a file. Its optional attribute `placeholder` makes a replacement if loading fails;
with `siblings` it also gets a function for the files beside its own, see `with_siblings`.
"""
_F = TypeVar("_F", bound=Callable[..., Any])
_log = logging.getLogger("rish.assets")

MAX_TEXT = 16 * 2**20
"""The largest text or JSON file that is read, in bytes."""
_MAX_SUGGESTED_FILES = 2000  # file names that are searched for a similar one


def with_placeholder(make: Callable[[], Any]) -> Callable[[_F], _F]:
    """Return a decorator that gives a loader a placeholder. make: returns what is used if a file can't be loaded."""

    def mark(loader: _F) -> _F:
        cast("Any", loader).placeholder = make
        return loader

    return mark


def with_siblings(loader: _F) -> _F:
    """Mark a loader that also reads files beside its own, as a model reads its images.

    It is called as `loader(path, sibling)`: `sibling("skin.png")` returns the path of an existing file, named relative
    to the loader's own file, and raises AssetError if there is none or the name leads out of the game's folder. If such
    a file changes, the asset is loaded again.
    """
    cast("Any", loader).siblings = True
    return loader


def canonical(text: str, place: Place | str | None = None) -> str:
    """Return the normalized form of a path (`a/b.png` for `a//./b.png`). Raises AssetError if it could lead outside.

    Refused are drives, and what `rish_system.wrong_path` refuses.
    """
    package, path = _split(text)
    if package is not None:
        _check_package(text, package, place)
    if (mistake := wrong_path(path)) is not None:
        _refuse(text, mistake, place)
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts:
        _refuse(text, "names no file", place)
    return (f"{package}:" if package is not None else "") + "/".join(parts)


@resource(derived=True)
class Assets:
    """The loaded files of one game; a file is read at its first use and reloaded on request.

    root: the game's folder; None: only files of packages can be used. loaders: by suffix, in lower case with the dot.
    problems: the error of each asset that could not be loaded, by path. failed: further ones with errors: dropped by
    `forget`, or of no use for a plugin. watched: whether a plugin watches the files and calls `reload`, so that others
    need not. watch: is called with the path of each file before it is read, and with the texts of `tell`.
    """

    def __init__(self, root: Path | str | None = None, loaders: Mapping[str, Loader] | None = None) -> None:
        self.root = Path(root) if root is not None else None
        self.loaders = dict(LOADERS if loaders is None else loaders)
        self.problems: dict[str, AssetError] = {}
        self.failed: set[str] = set()
        self.watched = False
        self.watch: Callable[[str], object] | None = None
        self._loaded: dict[str, Any] = {}
        self._logged: set[str] = set()
        self._callbacks: list[Callable[[str], object]] = []
        self._readers: dict[str, set[str]] = {}  # by sibling: the assets whose loaders read it

    def resolve(self, text: str, place: Place | str | None = None) -> Path:
        """Return the file of a path, without opening it. Raises AssetError if it is missing or outside the folder."""
        normalized = canonical(text, place)
        package, path = _split(normalized)
        if package is not None:
            folder = _package_folder(package, place)
        elif self.root is None:
            _refuse(text, "names a file of the game, which has no folder", place)
        else:
            folder = self.root
        file = path_inside(folder, path)
        if file is None:
            _refuse(text, f"is outside the {'game' if package is None else 'package'}'s folder", place)
        if (spelled := other_spelling(folder, path)) is not None:
            what = f"there is no file {text!r}; on the disk it is {spelled!r}"
            raise AssetError(what, where=place, hint="Use the same spelling: some systems tell them apart")
        if not os.path.isfile(file):
            suffix = f".{path.rpartition('.')[2]}" if "." in path else ""
            names = [name for name in _files_of(str(folder)) if name.endswith(suffix)]
            hint = None if names else f"Looked in {folder}"
            raise AssetError(f"there is no file {text!r}", where=place, given=path, choices=names, hint=hint)
        return file

    def sibling(self, asset: str, name: str) -> Path:
        """Return a file that is named relative to an asset. The asset is reloaded when this file changes.

        name: with `/` between folders; `..` is allowed inside the game's folder, or that of the package. Raises
        AssetError for a missing file, and for a name that leads outside.
        """
        package, path = _split(canonical(asset))
        mistake = wrong_path("/".join(part for part in name.split("/") if part != ".."))
        relative = posixpath.normpath(posixpath.join(posixpath.dirname(path), name))
        if mistake or relative.startswith(".."):
            _refuse(name, mistake or "leads out of the folder", asset)
        key = canonical((f"{package}:" if package is not None else "") + relative, asset)
        self._readers.setdefault(key, set()).add(canonical(asset))
        return self.resolve(key, asset)

    def exists(self, text: str) -> bool:
        """Whether a path names an existing file that may be read."""
        try:
            self.resolve(text)
        except AssetError:
            return False
        return True

    def files(self, *suffixes: str) -> list[str]:
        """Return the sorted paths of the files in the game's folder with these suffixes (`.png`); without any, of all.

        Folders whose names begin with a dot or `__` are left out.
        """
        names = walk_files(str(self.root)) if self.root is not None else ()
        return sorted(name for name in names if name.lower().endswith(suffixes or ""))

    def loader_for(self, text: str, place: Place | str | None = None) -> Loader:
        """Return the loader for the longest known suffix of a path. Raises AssetError with the nearest suffix."""
        name = text.rpartition("/")[2].lower()
        for i, letter in enumerate(name):
            if letter == "." and name[i:] in self.loaders:
                return self.loaders[name[i:]]
        suffix = Path(name).suffix
        what = f"there is no loader for {suffix!r} files such as {text!r}" if suffix else f"{text!r} has no suffix"
        raise AssetError(what, where=place, given=suffix or None, choices=self.loaders)

    def has_loader(self, text: str) -> bool:
        """Whether there is a loader for the suffix of this path."""
        name = text.rpartition("/")[2].lower()
        return any(name.endswith(suffix) for suffix in self.loaders)

    def load(self, text: str, place: Place | str | None = None, *, strict: bool = False) -> Any:
        """Return the content of an asset; it is read at the first call and cached.

        If the asset can't be read, the error is kept in `problems`, and the loader's placeholder is returned; then the
        error is logged, once. Without a placeholder, or if `strict`, AssetError is raised. The file is not read again
        before `reload`.
        """
        key = canonical(text, place)
        if key not in self._loaded and key not in self.problems:
            self._read(key, place)
        problem = self.problems.get(key)
        if problem is not None and (strict or key not in self._loaded):
            raise problem.with_traceback(None)
        if problem is not None and key not in self._logged:
            self._logged.add(key)
            _log.error("%s", problem)
        return self._loaded[key]

    def read(self, key: str, place: Place | str | None = None) -> Any:
        """Read a file with the loader for its suffix and return the content, without caching. Raises AssetError."""
        loader = self.loader_for(key, place)
        path = self.resolve(key, place)
        try:
            if not getattr(loader, "siblings", False):
                return loader(path)
            for readers in self._readers.values():
                readers.discard(key)
            return loader(path, functools.partial(self.sibling, key))
        except AssetError as error:
            where = place or key
            raise AssetError(error.what, where=where, choices=error.choices, hint=error.hint) from error
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            system = error.strerror if isinstance(error, OSError) and isinstance(error.strerror, str) else ""
            what = f"{key} can't be loaded: {system or describe_error(error)}"
            raise AssetError(what, where=place) from error

    @property
    def known(self) -> tuple[str, ...]:
        """The assets that were requested before, successfully or not, and the siblings that they read."""
        return tuple({**self._loaded, **self.problems, **self._readers})

    def knows(self, text: str) -> bool:
        """Whether an asset was requested before, successfully or not, or is a sibling that another one reads."""
        key = canonical(text)
        return self._was_requested(key) or bool(self._readers.get(key))

    def tell(self, what: str) -> None:
        """Pass the name of the current step of long work to `watch`: a window shows it, and processes its events."""
        if self.watch is not None:
            self.watch(what)

    def reload(self, text: str) -> bool:
        """Read an asset again; return whether that succeeded. If not, the previous content stays in use.

        The assets that read this file as a sibling are read again too.
        """
        key = canonical(text)
        readers = sorted(self._readers.get(key, ()))
        assets = [key] if self._was_requested(key) or not readers else []
        results = [self._reload(asset) for asset in (*assets, *readers)]
        return all(results)

    def forget(self, text: str) -> None:
        """Drop the content and the error of an asset (see `failed`); the next request reads it again."""
        try:
            key = canonical(text)
        except AssetError:  # such a path was never read
            return
        self._loaded.pop(key, None)
        if self.problems.pop(key, None) is not None:
            self.failed.add(key)
        self._logged.discard(key)

    def remove(self, text: str) -> None:
        """Drop the content of an asset whose file was deleted, and call the functions of `on_reload`."""
        was_requested = self.knows(text)
        self.forget(text)
        for callback in tuple(self._callbacks) if was_requested else ():
            callback(canonical(text))

    def _was_requested(self, key: str) -> bool:
        return key in self._loaded or key in self.problems

    def _reload(self, key: str) -> bool:
        try:
            self._loaded[key] = self.read(key, None)
        except AssetError as error:
            previous = self.problems.get(key)
            self.problems[key] = error
            if previous is None or str(previous) != str(error):
                self._logged.add(key)
                _log.error("%s", error)
            return False
        self.problems.pop(key, None)
        self._logged.discard(key)
        for callback in tuple(self._callbacks):
            callback(key)
        return True

    def on_reload(self, callback: Callable[[str], object]) -> Callable[[], None]:
        """Call `callback(path)` after each reload and removal of an asset; return a function that removes it."""
        self._callbacks.append(callback)
        return functools.partial(self._callbacks.remove, callback)

    def _read(self, key: str, place: Place | str | None) -> None:
        self.tell(key)
        try:
            self._loaded[key] = self.read(key, place)
            self.failed.discard(key)
        except AssetError as error:
            self.problems[key] = error
            try:
                placeholder = getattr(self.loader_for(key), "placeholder", None)
            except AssetError:
                return
            if placeholder is not None:
                self._loaded[key] = placeholder()


class AssetNames:
    """A list of files for `rish_names`; it limits which files a field declared with `names=` of this list may name.

    suffixes: of these files. words: names that tools offer first. read: function(assets, path), which `rish check`
    calls with each file that such a field names; it raises AssetError if the field can't use the file. By
    default the file is loaded.
    """

    def __init__(
        self, *suffixes: str, words: Iterable[str] = (), read: Callable[[Assets, str], object] = Assets.read
    ) -> None:
        self.suffixes, self.words, self.read = suffixes, tuple(words), read

    def __call__(self, world: World) -> list[str]:
        """Return the words and the files of the game."""
        return [*self.words, *world[Assets].files(*self.suffixes)]

    def problem(self, text: str) -> str | None:
        """Return what is wrong with the suffix of a file, or None."""
        fits = text.lower().endswith(self.suffixes)
        return None if fits else f"{text!r} can't be used here: its name must end in {', '.join(self.suffixes)}"


def _split(text: str) -> tuple[str | None, str]:
    """Return the package and the path of `package:path`; the package is None if there is no colon."""
    package, colon, path = text.partition(":")
    return (package, path) if colon else (None, text)


def _check_package(text: str, package: str, place: Place | str | None) -> None:
    """Raise AssetError for a text that can't be the name of a package."""
    if len(package) == 1:
        _refuse(text, "starts with the name of a drive", place)
    if not package.isidentifier() or not package.isascii():
        _refuse(text, f"starts with {package!r}, which is not a valid package name", place)


def _refuse(text: str, why: str, place: Place | str | None) -> NoReturn:
    raise AssetError(
        f"{text!r} {why}",
        where=place,
        hint="Name a file inside the game's folder, like images/ball.png, or package:path",
    )


def _package_folder(package: str, place: Place | str | None) -> Path:
    """Return the folder of an installed package without importing it. Raises AssetError."""
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        spec = None
    if spec is None:
        raise AssetError(f"no package {package!r} is installed", where=place, hint=how_to_get_module(package))
    if spec.origin is None or not spec.submodule_search_locations:
        raise AssetError(f"the module {package!r} carries no files", where=place)
    folder = Path(next(iter(spec.submodule_search_locations)))
    if not folder.is_dir():
        raise AssetError(f"the package {package!r} is installed as an archive", where=place, hint="Unpack it")
    return folder


@functools.lru_cache(maxsize=8)
def _files_of(folder: str) -> tuple[str, ...]:
    """Return up to 2000 file names below a folder, for suggestions in messages; cached."""
    return tuple(itertools.islice(walk_files(folder), _MAX_SUGGESTED_FILES))


def read_asset(path: Path, max_bytes: int) -> bytes:
    """Return the content of a file. Raises AssetError if it can't be read or has more than `max_bytes`."""
    try:
        return read_whole(path, max_bytes)
    except OSError as error:
        raise AssetError(f"{path.name} can't be read: {error.strerror}") from error


def load_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Raises AssetError if it is too large or in another encoding."""
    try:
        return read_asset(path, MAX_TEXT).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = f"{path.name} is not in UTF-8 (byte {error.start})"
        raise AssetError(what, hint="Save it as UTF-8") from error


def load_json(path: Path) -> Any:
    """Return the data of a JSON file. Raises AssetError if it is malformed, nested too deeply, or holds NaN."""

    def no_constant(name: str) -> NoReturn:
        raise AssetError(f"{path.name} contains {name}, which is not valid JSON")

    try:
        return json.loads(load_text(path), parse_constant=no_constant)
    except json.JSONDecodeError as error:
        at = Place(path.name, error.lineno, error.colno)
        raise AssetError(f"{at}: {error.msg}", hint="Correct the JSON there") from error
    except ValueError as error:
        raise AssetError(f"{path.name} holds a number that is too long") from error
    except RecursionError as error:
        raise AssetError(f"{path.name} is nested too deeply") from error


LOADERS: dict[str, Loader] = {".txt": load_text, ".json": load_json}
"""The kernel's own loaders, by suffix."""
