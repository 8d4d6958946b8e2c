"""Reads sheets of Aseprite: the JSON that it writes beside an exported image, as an array or as a hash.

Frames have a rectangle and a duration in milliseconds; tags name runs of frames, with a direction and a number of
repeats. Without tags the whole sheet is one clip, `all`. Source: Aseprite's documentation of `--data` and
`--list-tags`.
"""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

from rish_animation import MAX_STEPS, MIN_SECONDS, Clip, Clips, PlayMode, there_and_back
from rish_core import AssetError

_DIRECTIONS = ("forward", "reverse", "pingpong", "pingpong_reverse")


def read_aseprite(data: Any, file: str) -> Clips:
    """Return the clips and cells of a sheet. Raises AssetError with the path within the file."""
    if not isinstance(data, dict) or "frames" not in data:
        raise AssetError(
            f"{file} is not an Aseprite sheet: it has no 'frames'",
            hint="Export it with File > Export Sprite Sheet > Output > JSON Data",
        )
    frames = data["frames"]
    listed = list(frames.values()) if isinstance(frames, dict) else frames
    if not isinstance(listed, list) or not 0 < len(listed) <= MAX_STEPS:
        _wrong(file, "frames", f"expected 1 to {MAX_STEPS:,} frames")
    cells = np.zeros((len(listed), 4), np.float32)
    times: list[float] = []
    for k, frame in enumerate(listed):
        cells[k], time = _frame(frame, file, f"frames[{k}]")
        times.append(time)
    meta = data.get("meta", {})
    tags = meta.get("frameTags", []) if isinstance(meta, dict) else None
    if not isinstance(tags, list):
        _wrong(file, "meta.frameTags", "expected a list of tags")
    clips = dict(_tag(tag, times, file, f"meta.frameTags[{k}]") for k, tag in enumerate(tags))
    return Clips(clips or {"all": Clip(tuple(range(len(listed))), tuple(times))}, cells)


def _frame(frame: Any, file: str, path: str) -> tuple[tuple[float, ...], float]:
    """Return the rectangle x y w h of a frame, and its duration in seconds."""
    rect = frame.get("frame") if isinstance(frame, dict) else None
    if not isinstance(rect, dict):
        _wrong(file, path, "expected a frame with x, y, w and h")
    place = tuple(_whole(rect.get(key), file, f"{path}.frame.{key}") for key in ("x", "y", "w", "h"))
    for key, option in (("trimmed", "Trim Cels"), ("rotated", "rotation")):
        if frame.get(key):
            _wrong(file, path, f"the frame is {key}, so its place in the image is unknown: export without {option}")
    duration = _whole(frame.get("duration", 100), file, f"{path}.duration")
    return place, max(duration / 1000, MIN_SECONDS)


def _tag(tag: Any, times: list[float], file: str, path: str) -> tuple[str, Clip]:
    """Return the name and the clip of a tag."""
    if not isinstance(tag, dict) or not isinstance(tag.get("name"), str) or not tag["name"]:
        _wrong(file, path, "expected a tag with a name")
    first, last = (_whole(tag.get(key), file, f"{path}.{key}") for key in ("from", "to"))
    if not first <= last < len(times):
        _wrong(file, path, f"from {first} to {last} is out of range: the frames are 0 to {len(times) - 1}")
    direction = tag.get("direction", "forward")
    if direction not in _DIRECTIONS:
        _wrong(file, f"{path}.direction", f"expected one of {', '.join(_DIRECTIONS)}, got {direction!r}")
    steps = list(range(first, last + 1))
    if direction.endswith("reverse"):
        steps.reverse()
    clip = Clip(tuple(steps), tuple(times[k] for k in steps))
    if direction.startswith("pingpong"):
        clip = there_and_back(clip)
    rounds = _whole(tag.get("repeat", 0), file, f"{path}.repeat")
    if rounds:
        rounds = min(rounds, max(MAX_STEPS // len(clip.cells), 1))
        clip = Clip(clip.cells * rounds, clip.times * rounds, PlayMode.ONCE)
    return tag["name"], clip


def _whole(value: Any, file: str, path: str) -> int:
    """Check a whole number from 0 to a million; Aseprite writes the number of repeats as text."""
    text = str(value)
    if isinstance(value, bool) or not text.isdecimal() or not 0 <= int(text) <= 1_000_000:
        _wrong(file, path, f"expected a whole number from 0 to 1,000,000, got {text[:40]}")
    return int(text)


def _wrong(file: str, path: str, what: str) -> NoReturn:
    raise AssetError(f"{file}: {path}: {what}")
