"""Watches a folder in a thread, and collects the paths of changed files that the system reports.

The thread only fills a queue of paths, which the game reads once a frame. Editors save in different ways: some write a
file in two steps, some delete it and write it again, some write another file and rename it. So a batch of paths is put
into the queue when all of its files exist and no longer change, or after a third of a second at most.

The library `watchfiles`, the extra `watch` of this package, is imported when watching begins.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections import deque
from collections.abc import Iterable
from pathlib import Path

_log = logging.getLogger("rish.assets")

DEBOUNCE, STEP = 60, 20
"""Options of `watchfiles`, in milliseconds: the longest time to collect changes, and the pause that ends it."""
TICK = 200
"""The interval, in milliseconds, at which the thread checks whether it should end."""
DELAY = 0.7
"""Seconds before watching begins. Loading the watcher takes 0.1 s, which the first frames need."""
POLL = 200
"""The interval of checks, in milliseconds, if the system reports no changes."""
UNCHANGED, MAX_WAIT = 0.04, 0.3
"""The time, in seconds, that files must be unchanged, and the longest wait for that."""


class FileWatcher:
    """Collects the paths of files below a folder that change, from `start` to `stop`.

    folder: the folder with its subfolders, except hidden ones and files of tools. poll: check the files at intervals,
    for drives that report no changes (network, some containers). first: paths to report once when watching has begun,
    since they may have changed before. delay: seconds before it begins, so that the game's first frame is shown sooner.
    changed: the paths so far, popped by the reader; several watchers may share it. ready: set once changes are
    collected.
    """

    def __init__(
        self, folder: Path, *, poll: bool = False, first: Iterable[Path] = (), delay: float = DELAY,
        changed: deque[Path] | None = None,
    ) -> None:  # fmt: skip
        self.folder = folder
        self.poll = poll
        self.first = list(first)
        self.delay = delay
        self.changed: deque[Path] = deque() if changed is None else changed
        self.ready = threading.Event()
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rish-files", daemon=True)

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """End the thread. May be called twice."""
        self._end.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(2)

    def _run(self) -> None:
        """Watch the folder until `stop`; poll if the system does not report changes."""
        if self._end.wait(self.delay):
            return
        try:
            if not self.poll:
                self._listen()
        except Exception as error:
            _log.debug("the system reports no changes of %s (%s), so its files are polled", self.folder, error)
            self.poll = True
        if self.poll:
            self._look()

    def _listen(self) -> None:
        """Collect the changes that the system reports. Raises if the system does not report changes."""
        from watchfiles import watch

        batches = watch(
            self.folder,
            debounce=DEBOUNCE,
            step=STEP,
            stop_event=self._end,
            raise_interrupt=False,
            ignore_permission_denied=True,
            rust_timeout=TICK,
            yield_on_timeout=True,
        )
        for batch in batches:
            self._note(Path(name) for _, name in batch)

    def _look(self) -> None:
        """Compare all files at intervals. (The polling of `watchfiles` compares times to the second only.)"""
        from watchfiles import Change, DefaultFilter

        is_watched = DefaultFilter()
        before: dict[str, tuple[int, int]] | None = None
        while True:
            stamps: dict[str, tuple[int, int]] = {}
            for base, folders, files in os.walk(self.folder):
                folders[:] = [name for name in folders if is_watched(Change.modified, os.path.join(base, name))]
                paths = [path for name in files if is_watched(Change.modified, path := os.path.join(base, name))]
                stamps.update({path: stamp for path in paths if (stamp := _stamp(Path(path))) is not None})
            known = stamps if before is None else before
            self._note(Path(path) for path in stamps.keys() | known.keys() if stamps.get(path) != known.get(path))
            before = stamps
            if self._end.wait(POLL / 1000):
                return

    def _note(self, changed: Iterable[Path]) -> None:
        """Queue changed paths; the first batch also holds files that may have changed before watching began."""
        if not self.ready.is_set():
            self.changed.extend(self.first)
            self.ready.set()
        paths = sorted(set(changed))
        if paths:
            self._settle(paths)
            self.changed.extend(paths)

    def _settle(self, paths: Iterable[Path]) -> None:
        """Wait until the files exist and no longer change, for `MAX_WAIT` seconds at most."""
        deadline = time.monotonic() + MAX_WAIT
        before = [_stamp(path) for path in paths]
        while time.monotonic() < deadline and not self._end.is_set():
            time.sleep(UNCHANGED)
            stamps = [_stamp(path) for path in paths]
            if stamps == before and None not in stamps:
                return
            before = stamps


def _stamp(path: Path) -> tuple[int, int] | None:
    """Return time and size of a file; None if it does not exist."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_size
