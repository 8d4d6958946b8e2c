"""Copying files in the background, with a dialogue that shows the progress and can cancel it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from rish_system import rename

if TYPE_CHECKING:
    from ...session.editor import Editor
    from ...ui.ui import UI

_CHUNK = 1 << 20
"""Bytes that are copied between two checks of `cancelled`."""
_SHOW_AFTER = 0.4
"""Seconds until the dialogue is shown."""
Pair = tuple[Path, Path]


class Copying:
    """Copies files in a thread, each completely or not at all. pairs: source and target of each file. then: called at
    the end by the same thread.

    copied: the new files. failed: messages about files that could not be copied. count: of the files. done, size:
    copied bytes and all. cancelled: set it to stop.
    """

    def __init__(self, title: str, pairs: Sequence[Pair], then: Callable[[Copying], Any] = lambda job: None) -> None:
        self.title = title
        self.copied: list[Path] = []
        self.failed: list[str] = []
        self.done = 0
        self.size = sum(_size(source) for source, _ in pairs)
        self.cancelled = False
        self._pairs, self._then = list(pairs), then
        self.count = len(self._pairs)
        self._begun = time.monotonic()
        self._thread = Thread(target=self._run, daemon=True)

    @property
    def running(self) -> bool:
        """Whether the thread is still copying."""
        return self._thread.is_alive()

    def start(self, editor: Editor, finished: Callable[[], Any]) -> None:
        """Start the thread; `after` is called in a frame after its end."""
        shown = False

        def look() -> None:
            nonlocal shown
            if not self.running:
                finished()
                return
            if not shown and time.monotonic() - self._begun > _SHOW_AFTER:
                shown = True
                editor.dialogs.form(Progress(self))
            editor.stay_awake()
            editor.later(look)

        self._thread.start()
        editor.later(look)

    def _run(self) -> None:
        for source, target in self._pairs:
            if self.cancelled:
                break
            try:
                self._copy(source, target)
            except OSError as error:
                self.failed.append(f"{source}: {error.strerror or error}")
        self._then(self)

    def _copy(self, source: Path, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_name(f".{target.name}.part")
        try:
            with source.open("rb") as source_file, part.open("wb") as part_file:
                while not self.cancelled and (data := source_file.read(_CHUNK)):
                    part_file.write(data)
                    self.done += len(data)
            if not self.cancelled:
                rename(part, target)
                self.copied.append(target)
        finally:
            part.unlink(missing_ok=True)


class Progress:
    """The dialogue with the progress of copying. Escape cancels it."""

    width, stays = 420.0, True

    def __init__(self, job: Copying) -> None:
        self.title = job.title
        self._job = job

    def draw(self, ui: UI, editor: Editor) -> bool:
        """Draw the progress; return whether copying has ended."""
        job = self._job
        ui.progress(job.done / job.size if job.size else 0.0, f"{len(job.copied):,} / {job.count:,}")
        ui.space(6)
        if ui.button(editor.tr("Cancel"), "cancel") or ui.leaves:
            job.cancelled = True
        return not job.running


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
