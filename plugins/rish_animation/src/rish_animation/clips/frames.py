"""Reads clips of sprite sheets.

idle:   {frames: 0-3, fps: 6}
run:    {frames: [4, 5, 6-9], time: 0.08}
jump:   {frames: 10-12, times: [0.1, 0.1, 0.3], mode: once, next: idle}
attack: {frames: 13-18, fps: 14, mode: once, next: idle, events: {3: swing}}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from .model import MAX_STEPS, Clip, PlayMode, there_and_back
from .node import Reader, Steps

FPS = 10.0
"""Steps per second if a clip gives no other rate."""
_MAX_CELL = 2**24
_KEYS = ("frames", "fps", "time", "times", "mode", "next", "events", "tracks")
_RANGE = re.compile(r"\s*(\d{1,9})\s*(?:-\s*(\d{1,9})\s*)?\Z")


def cells_in(text: str) -> tuple[int, ...]:
    """Return the cells that a text like `0-3, 7, 5-4` lists. Raises ValueError with a complete message."""
    cells: list[int] = []
    for part in text.split(","):
        match = _RANGE.match(part)
        if match is None:
            raise ValueError(f"{part.strip()[:40]!r} is neither a cell nor a range like 0-7")
        first = int(match[1])
        last = int(match[2]) if match[2] is not None else first
        if max(first, last) >= _MAX_CELL or len(cells) + abs(last - first) >= MAX_STEPS:
            raise ValueError(f"{text[:40]!r} is too much: a clip has at most {MAX_STEPS:,} steps")
        cells += range(first, last + 1) if last >= first else range(first, last - 1, -1)
    return tuple(cells)


def frame_clip(reader: Reader, entry: Any, path: Steps, fps: float, names: Iterable[str]) -> Clip:
    """Return the clip of an entry. fps: the default of the file. names: the clips that may follow it. Raises Stop."""
    if not isinstance(entry, dict):
        entry = {"frames": entry}
    reader.keys(entry, _KEYS, path)
    cells = tuple(_cells(reader, entry.get("frames"), (*path, "frames")))
    if not 0 < len(cells) <= MAX_STEPS:
        reader.wrong((*path, "frames"), f"a clip has 1 to {MAX_STEPS:,} steps, this has {len(cells):,}")
    mode, follows = reader.play(entry, path, names)
    times = _times(reader, entry, path, len(cells), fps)
    clip = Clip(cells, times, mode, follows, _events(reader, entry, path, len(cells)))
    return there_and_back(clip) if clip.mode is PlayMode.PING_PONG else clip


def _cells(reader: Reader, value: Any, path: Steps) -> Iterator[int]:
    """Yield the cells of `frames`. Raises Stop."""
    if isinstance(value, list):
        for i, item in enumerate(value[: MAX_STEPS + 1]):
            if isinstance(item, list):
                reader.wrong((*path, i), "expected a cell or a range like 0-7, got a list")
            yield from _cells(reader, item, (*path, i))
        return
    if value is None or isinstance(value, bool) or not isinstance(value, (int, str)):
        reader.wrong(path, f"expected cells, like 0-7 or [0, 1, 4-6], got {value!r}")
    try:
        yield from cells_in(str(value))
    except ValueError as error:
        reader.wrong(path, str(error))


def _times(reader: Reader, entry: dict[str, Any], path: Steps, count: int, fps: float) -> tuple[float, ...]:
    keys = [key for key in ("fps", "time", "times") if key in entry]
    if len(keys) > 1:
        reader.wrong((*path, keys[1]), f"gives the duration of a step, and so does '{keys[0]}': keep only one")
    if "times" not in entry:
        step = 1 / reader.number(entry, "fps", path, fps)
        return (reader.number(entry, "time", path, step),) * count
    times = entry["times"]
    if not isinstance(times, list) or len(times) != count:
        have = f"{len(times)}" if isinstance(times, list) else repr(times)
        reader.wrong((*path, "times"), f"expected a time for each of the {count} steps, got {have}")
    return tuple(reader.number(dict(enumerate(times)), k, (*path, "times"), 0) for k in range(count))


def _events(reader: Reader, entry: dict[str, Any], path: Steps, count: int) -> dict[int, str]:
    events: dict[int, str] = {}
    names = entry.get("events", {})
    if not isinstance(names, dict):
        reader.wrong((*path, "events"), "expected names by the number of the step, like {3: swing}")
    for key, name in names.items():
        if not str(key).isdecimal() or int(key) >= count:
            reader.wrong((*path, "events", key), f"the clip has the steps 0 to {count - 1}, there is no {key!r}")
        if not isinstance(name, str) or not name:
            reader.wrong((*path, "events", key), f"expected the name of an event, got {name!r}")
        events[int(key)] = name
    return events
