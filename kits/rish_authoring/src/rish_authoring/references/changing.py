"""A change of several files that is made completely or not at all, and can be undone."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from pathlib import Path

from rish_core import Assets, UsageError
from rish_ecs import shorten_path
from rish_system import rename, write_whole

Write = Callable[[Path, bytes], None]


@dataclass
class FileChange:
    """Files that move, and files whose content changes.

    moves: pairs of the old and the new path. contents: the path after the moves, the old and the new content. notes:
    files that `apply` writes and `revert` deletes, such as a description of a file in the trash.
    """

    moves: tuple[tuple[Path, Path], ...] = ()
    contents: tuple[tuple[Path, bytes, bytes], ...] = ()
    notes: tuple[tuple[Path, bytes], ...] = ()
    _folders: list[Path] = field(default_factory=list[Path])

    def apply(self, write: Write = write_whole) -> None:
        """Make the change.

        Raises UsageError if the files have changed since it was planned, or can't be written; then nothing has changed.
        """
        self.require()
        with _all_or_nothing() as undo:
            for old, new in self.moves:
                self._make_folders(new.parent, undo)
                rename(old, new)
                undo.append(lambda old=old, new=new: rename(new, old))
            for path, before, after in self.contents:
                undo.append(lambda path=path, before=before: write_whole(path, before))
                write(path, after)
            for path, data in self.notes:
                self._make_folders(path.parent, undo)
                undo.append(lambda path=path: path.unlink(missing_ok=True))
                write(path, data)

    def revert(self, write: Write = write_whole) -> None:
        """Undo the change. Raises like `apply`."""
        self.require(made=True)
        with _all_or_nothing() as undo:
            for path, before, after in self.contents:
                undo.append(lambda path=path, after=after: write_whole(path, after))
                write(path, before)
            for old, new in reversed(self.moves):
                self._make_folders(old.parent, undo)
                rename(new, old)
                undo.append(lambda old=old, new=new: rename(old, new))
        for path, _ in self.notes:
            with contextlib.suppress(OSError):
                path.unlink()
        for folder in reversed(self._folders):
            with contextlib.suppress(OSError):
                folder.rmdir()
        self._folders.clear()

    def require(self, *, made: bool = False) -> None:
        """Raise UsageError if files have changed, so that the change can't be made, or undone (made)."""
        for old, new in self.moves:
            source, target = (new, old) if made else (old, new)
            if not os.path.lexists(source):
                raise UsageError(f"{shorten_path(source)} does not exist any more")
            if os.path.lexists(target) and not source.samefile(target):
                raise UsageError(f"{shorten_path(target)} exists already")
        for path, before, after in self.contents:
            current_path = path if made else self.before(path)
            try:
                unchanged = current_path.read_bytes() == (after if made else before)
            except OSError as error:
                raise _failed(error) from None
            if not unchanged:
                raise UsageError(f"{shorten_path(current_path)} was changed by another program", hint="Try again")

    def before(self, path: Path) -> Path:
        """Return the path of a file before the moves."""
        for old, new in self.moves:
            if path == new or path.is_relative_to(new):
                return old / path.relative_to(new)
        return path

    def tell(self, assets: Assets, root: Path) -> None:
        """Reload or remove loaded assets after the change was made or undone. root: the game's folder."""
        paths = {each for pair in self.moves for each in pair} | {path for path, _, _ in self.contents}
        for path in sorted(paths):
            for name in [each for each in assets.known if path == root / each or (root / each).is_relative_to(path)]:
                if (root / name).is_file():
                    assets.reload(name)
                else:
                    assets.remove(name)

    def _make_folders(self, folder: Path, undo: list[Callable[[], object]]) -> None:
        missing = [each for each in (folder, *folder.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir()
            self._folders.append(each)
            undo.append(each.rmdir)


@contextlib.contextmanager
def _all_or_nothing() -> Generator[list[Callable[[], object]]]:
    """Yield a list for functions that undo the steps of the block; they are called, last first, if it raises."""
    undo: list[Callable[[], object]] = []
    try:
        yield undo
    except BaseException as error:
        for step in reversed(undo):
            with contextlib.suppress(OSError):
                step()
        if isinstance(error, OSError):
            raise _failed(error) from None
        raise


def _failed(error: OSError) -> UsageError:
    name = shorten_path(Path(str(error.filename))) if error.filename else "a file"
    return UsageError(f"{name} can't be changed: {error.strerror or error}", hint="Nothing was changed")
