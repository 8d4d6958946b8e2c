"""Reads clips of tracks.

    bob:
      tracks:
        Transform.position.y: [[0, 0, sine_in_out], [0.5, 8]]
      mode: ping-pong
    open:
      mode: once
      tracks:
        lid.Transform.rotation: {keys: [[0, 0], [0.4, 90]], easing: back_out}
        Light.intensity: {keys: [[0, 0], [0.2, 3], [1, 2]], interpolation: cubic}
        Sprite.image: [[0, closed.png], [0.1, open.png]]
      markers: {0.1: creak}

A key is `[time, value]`, `[time, value, easing]`, or a mapping of `time`, `value`, `easing`, `before` and `after`; its
easing is used up to the next key. Whether fields exist and values fit is checked when the clip is used, because
a file is read without knowing the plugins of a game.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from rish_core.manifest import show
from rish_ecs import RishError, did_you_mean
from rish_jit import easing

from .model import MAX_STEPS, MIN_SECONDS, Interpolation, Key, Track, TrackClip
from .node import Reader, Steps, Stop

_KEYS = ("tracks", "seconds", "mode", "next", "markers", "frames")
_TRACK = ("keys", "interpolation", "easing", "shortest")
_KEY = ("time", "value", "easing", "before", "after")
MAX_TIME = 1e6
"""The maximum time of keys and markers in seconds."""


def track_clip(reader: Reader, entry: Any, path: Steps, names: Collection[str]) -> TrackClip:
    """Return the clip of an entry with `tracks`. names: the clips that may follow it. Raises Stop."""
    reader.keys(entry, _KEYS, path)
    if "frames" in entry:
        reader.wrong((*path, "frames"), "a clip has frames or tracks: write two clips")
    nodes = entry["tracks"]
    if not isinstance(nodes, dict) or not nodes:
        reader.wrong((*path, "tracks"), f"expected tracks by field, not {show(nodes)}")
    mode, follows = reader.play(entry, path, names)
    tracks: list[Track] = []
    for field, node in nodes.items():
        try:
            tracks.append(_track(reader, field, node, (*path, "tracks", field)))
        except Stop:
            continue
    last = max((track.keys[-1].time for track in tracks), default=0.0)
    seconds = reader.number(entry, "seconds", path, max(last, MIN_SECONDS))
    markers = read_markers(reader, entry.get("markers", {}), (*path, "markers"), seconds)
    return TrackClip(tuple(tracks), seconds, mode, follows, markers)


def _track(reader: Reader, field: str, node: Any, path: Steps) -> Track:
    """Return the track of a field. Raises Stop."""
    place = reader.document.place(*path)
    if isinstance(node, list):
        return Track(field, _keys(reader, node, path), place=place)
    reader.keys(node, _TRACK, path)
    words = [member.value for member in Interpolation]
    word = node.get("interpolation", "linear")
    if word not in words:
        what = f"expected one of {', '.join(words)}, got {word!r}{did_you_mean(word, words)}"
        reader.wrong((*path, "interpolation"), what)
    shortest = node.get("shortest", True)
    if not isinstance(shortest, bool):
        reader.wrong((*path, "shortest"), f"expected true or false, not {show(shortest)}")
    easing = _easing(reader, node.get("easing", "linear"), (*path, "easing"))
    keys = _keys(reader, node.get("keys"), (*path, "keys"))
    return Track(field, keys, Interpolation(word), easing, shortest, place)


def _keys(reader: Reader, node: Any, path: Steps) -> tuple[Key, ...]:
    """Return the keys of a track, whose times must rise. Raises Stop."""
    if not isinstance(node, list) or not 0 < len(node) <= MAX_STEPS:
        reader.wrong(path, f"expected 1 to {MAX_STEPS:,} keys such as [0.5, 10], not {show(node)}")
    keys: list[Key] = []
    for i, item in enumerate(node):
        try:
            key = _key(reader, item, (*path, i))
            if keys and key.time <= keys[-1].time:
                reader.wrong((*path, i), f"the times of keys must rise, but {key.time:g} follows {keys[-1].time:g}")
            keys.append(key)
        except Stop:
            continue
    if len(keys) < len(node):
        raise Stop
    return tuple(keys)


def _key(reader: Reader, item: Any, path: Steps) -> Key:
    """Return a key in its short or its long form. Raises Stop."""
    if isinstance(item, list):
        if not 2 <= len(item) <= 3:
            reader.wrong(path, f"expected [time, value] or [time, value, easing], got {len(item)} items")
        item, steps = dict(zip(_KEY, item, strict=False)), dict(zip(_KEY, range(3), strict=False))
    else:
        reader.keys(item, _KEY, path)
        steps = {key: key for key in _KEY}
    time = item.get("time")
    if isinstance(time, bool) or not isinstance(time, (int, float)) or not 0 <= time <= MAX_TIME:
        reader.wrong((*path, steps["time"]), f"expected a time from 0 to 1,000,000 seconds, not {show(time)}")
    if "value" not in item:
        reader.wrong(path, "the key has no value")
    ease = _easing(reader, item["easing"], (*path, steps["easing"])) if "easing" in item else ""
    place = reader.document.place(*path, steps["value"])
    return Key(float(time), item["value"], ease, item.get("before"), item.get("after"), place)


def _easing(reader: Reader, text: Any, path: Steps) -> str:
    """Return the name of an easing. Raises Stop for an unknown one."""
    if not isinstance(text, str):
        reader.wrong(path, f"expected the name of an easing, not {show(text)}")
    try:
        easing(text)
    except RishError as error:
        reader.wrong(path, str(error))
    return text


def read_markers(reader: Reader, node: Any, path: Steps, seconds: float = MAX_TIME) -> tuple[tuple[float, str], ...]:
    """Return the markers of a clip in the order of their times. seconds: the end of the clip. Raises Stop."""
    if not isinstance(node, dict):
        reader.wrong(path, "expected names by time, like {0.3: footstep}")
    markers: list[tuple[float, str]] = []
    for key, name in node.items():
        try:
            time = float(key)
        except ValueError:
            time = -1.0
        if not 0 <= time <= seconds:
            reader.wrong(
                (*path, key), f"expected a time from 0 to {seconds:g} seconds, the end of the clip, got {key!r}"
            )
        if not isinstance(name, str) or not name:
            reader.wrong((*path, key), f"expected the name of a marker, got {name!r}")
        markers.append((time, name))
    return tuple(sorted(markers, key=lambda marker: marker[0]))
