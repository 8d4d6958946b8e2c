"""Reads clips from files.

A clip file is YAML, `NAME.anim.yaml`::

    clips:
      idle:   {frames: 0-3, fps: 6}
      run:    {frames: [4, 5, 6-9], time: 0.08}
      jump:   {frames: 10-12, times: [0.1, 0.1, 0.3], mode: once, next: idle}
      attack: {frames: 13-18, fps: 14, mode: once, next: idle, events: {3: swing}}

or the JSON that Aseprite writes beside a sheet, as an array or as a hash, whose tags become clips. Times are seconds.
A mistake is reported with its line and column. Animations that use a file with mistakes do not move.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from rish_core import AssetError, Assets, with_placeholder
from rish_core.manifest import Document, path_text, read_yaml
from rish_ecs import Problem, did_you_mean

from .aseprite import read_aseprite
from .model import MAX_STEPS, MIN_SECONDS, Clip, Clips, PlayMode, there_and_back

if TYPE_CHECKING:
    from rish_ecs import World

FPS = 10.0
"""Steps per second if a clip gives no other rate."""
_LARGEST = 2**24
_KEYS = ("frames", "fps", "time", "times", "mode", "next", "events")
_RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?\Z")


def cells_in(text: str) -> tuple[int, ...]:
    """Return the cells that a text like `0-3, 7, 5-4` lists. Raises ValueError with a complete message."""
    found: list[int] = []
    for part in text.split(","):
        match = _RANGE.match(part)
        if match is None:
            raise ValueError(f"{part.strip()[:40]!r} is neither a cell nor a range like 0-7")
        first = int(match[1])
        last = int(match[2]) if match[2] is not None else first
        if max(first, last) >= _LARGEST or len(found) + abs(last - first) >= MAX_STEPS:
            raise ValueError(f"{text[:40]!r} is too much: a clip has at most {MAX_STEPS:,} steps")
        found += range(first, last + 1) if last >= first else range(first, last - 1, -1)
    return tuple(found)


def clips_of(world: World, path: str) -> Clips:
    """Return the clips of an asset, a `.anim.yaml` or Aseprite's `.json`. Raises AssetError for other files."""
    if Assets not in world:
        raise AssetError(f"{path} can't be read: this world has no assets")
    found = world[Assets].load(path)
    if isinstance(found, Clips):
        return found
    return read_aseprite(found, path)


@with_placeholder(Clips)
def load_clips(path: Path) -> Clips:
    """Load a clip file. Raises AssetError with every mistake and its place."""
    return read_clips(path, path.name)


def read_clips(source: Path | str, file: str) -> Clips:
    """Read the clips in a file (a Path) or in YAML text; see `load_clips`."""
    document = read_yaml(source, file)
    if not document.problems:
        clips = _Reader(document).read()
    if document.problems:
        first, more = document.problems[0], len(document.problems) - 1
        told = [str(problem) for problem in document.problems[:10]]
        raise AssetError(str(first) if not more else "\n  ".join([f"{file} has {more + 1} mistakes", *told]))
    return Clips(clips)


class _Stop(Exception):  # internal: the mistake is recorded, this clip is left out
    pass


class _Reader:
    """Converts a document into clips, and records every mistake in it."""

    def __init__(self, document: Document) -> None:
        self.document = document

    def read(self) -> dict[str, Clip]:
        """Return all clips without mistakes."""
        data: Any = self.document.data
        clips: dict[str, Clip] = {}
        try:
            self._keys(data, ("clips", "fps"), ())
            entries = data.get("clips")
            if not isinstance(entries, dict) or not entries:
                self._wrong(("clips",), "expected clips by name, like  run: {frames: 0-7}")
            fps = self._number(data, "fps", (), FPS)
        except _Stop:
            return clips
        for name, entry in entries.items():
            try:
                clips[name] = self._clip(entry, ("clips", name), fps, entries)
            except _Stop:
                continue
        return clips

    def _clip(self, entry: Any, path: tuple[Any, ...], fps: float, names: dict[str, Any]) -> Clip:
        if not isinstance(entry, dict):
            entry = {"frames": entry}
        self._keys(entry, _KEYS, path)
        cells = tuple(self._cells(entry.get("frames"), (*path, "frames")))
        if not 0 < len(cells) <= MAX_STEPS:
            self._wrong((*path, "frames"), f"a clip has 1 to {MAX_STEPS:,} steps, this has {len(cells):,}")
        mode = str(entry.get("mode", "loop")).replace("_", "-")
        modes = [member.value for member in PlayMode]
        if mode not in modes:
            self._wrong((*path, "mode"), f"expected one of {', '.join(modes)}, got {mode!r}{did_you_mean(mode, modes)}")
        follows = entry.get("next", "")
        if follows and follows not in names:
            self._wrong((*path, "next"), f"there is no clip {follows!r}{did_you_mean(follows, names)}")
        if follows and mode != "once":
            self._wrong((*path, "next"), "'next' is only possible in a clip with  mode: once")
        times = self._times(entry, path, len(cells), fps)
        clip = Clip(cells, times, PlayMode(mode), follows, self._events(entry, path, len(cells)))
        return there_and_back(clip) if clip.mode is PlayMode.PING_PONG else clip

    def _cells(self, value: Any, path: tuple[Any, ...]) -> Iterator[int]:
        if isinstance(value, list):
            for k, item in enumerate(value[: MAX_STEPS + 1]):
                if isinstance(item, list):
                    self._wrong((*path, k), "expected a cell or a range like 0-7, got a list")
                yield from self._cells(item, (*path, k))
            return
        if value is None or isinstance(value, bool) or not isinstance(value, (int, str)):
            self._wrong(path, f"expected cells, like 0-7 or [0, 1, 4-6], got {value!r}")
        try:
            yield from cells_in(str(value))
        except ValueError as error:
            self._wrong(path, str(error))

    def _times(self, entry: dict[str, Any], path: tuple[Any, ...], count: int, fps: float) -> tuple[float, ...]:
        given = [key for key in ("fps", "time", "times") if key in entry]
        if len(given) > 1:
            self._wrong((*path, given[1]), f"gives the duration of a step, and so does '{given[0]}': keep only one")
        if "times" not in entry:
            step = 1 / self._number(entry, "fps", path, fps)
            return (self._number(entry, "time", path, step),) * count
        times = entry["times"]
        if not isinstance(times, list) or len(times) != count:
            have = f"{len(times)}" if isinstance(times, list) else repr(times)
            self._wrong((*path, "times"), f"expected a time for each of the {count} steps, got {have}")
        return tuple(self._number(dict(enumerate(times)), k, (*path, "times"), 0) for k in range(count))

    def _number(self, entry: Any, key: Any, path: tuple[Any, ...], default: float) -> float:
        value = entry.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not MIN_SECONDS <= value <= 1e6:
            self._wrong((*path, key), f"expected a number from {MIN_SECONDS} to 1,000,000, got {value!r}")
        return float(value)

    def _events(self, entry: dict[str, Any], path: tuple[Any, ...], count: int) -> dict[int, str]:
        events: dict[int, str] = {}
        given = entry.get("events", {})
        if not isinstance(given, dict):
            self._wrong((*path, "events"), "expected names by the number of the step, like {3: swing}")
        for key, name in given.items():
            if not str(key).isdecimal() or int(key) >= count:
                self._wrong((*path, "events", key), f"the clip has the steps 0 to {count - 1}, there is no {key!r}")
            if not isinstance(name, str) or not name:
                self._wrong((*path, "events", key), f"expected the name of an event, got {name!r}")
            events[int(key)] = name
        return events

    def _keys(self, data: Any, known: tuple[str, ...], path: tuple[Any, ...]) -> None:
        if not isinstance(data, dict):
            self._wrong(path, f"expected the keys {', '.join(known)}, got {type(data).__name__}")
        for key in data:
            if key not in known:
                self._wrong((*path, key), f"there is no {key!r}{did_you_mean(key, known)}. Choices: {', '.join(known)}")

    def _wrong(self, path: tuple[Any, ...], what: str) -> NoReturn:
        place = self.document.place(*path)
        self.document.problems.append(Problem(place, path_text(path), what))
        raise _Stop


LOADERS: dict[str, Callable[[Path], Any]] = {".anim.yaml": load_clips, ".anim.yml": load_clips}
"""The loaders that `rish_loaders` returns, by suffix."""
