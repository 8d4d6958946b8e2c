"""Reads `.anim.yaml` files.

A clip file has clips of sprite sheets, of tracks, and of 3D models::

    fps: 10
    clips:
      run:  {frames: [4, 5, 6-9], events: {1: step}}
      open:
        mode: once
        tracks:
          lid.Transform.rotation: [[0, 0], [0.4, 90, back_out]]
        markers: {0.1: creak}
      walk:
        animation: Walk.001
        markers: {0.2: step, 0.7: step}

Times are seconds. All mistakes are reported together, each with its line and column; a file with mistakes has no clips.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import AssetError, AssetNames, with_placeholder
from rish_core.manifest import read_yaml

from .frames import FPS, frame_clip
from .model import Clips, ModelClip
from .node import Reader, Steps, Stop
from .tracks import read_markers, track_clip


@with_placeholder(Clips)
def load_clips(path: Path) -> Clips:
    """Load a clip file. Raises AssetError with every mistake and its place."""
    return read_clips(path, path.name)


def read_clips(source: Path | str, file: str) -> Clips:
    """Read the clips in a file (a Path) or in YAML text; see `load_clips`."""
    document = read_yaml(source, file)
    clips = Clips()
    if not document.problems:
        clips = _read(Reader(document))
    if document.problems:
        first, more = document.problems[0], len(document.problems) - 1
        mistakes = [str(problem) for problem in document.problems[:10]]
        raise AssetError(str(first) if not more else "\n  ".join([f"{file} has {more + 1} mistakes", *mistakes]))
    return clips


def _read(reader: Reader) -> Clips:
    """Return all clips without mistakes."""
    data: Any = reader.document.data
    clips = Clips()
    try:
        reader.keys(data, ("clips", "fps"), ())
        entries = data.get("clips")
        if not isinstance(entries, dict) or not entries:
            reader.wrong(("clips",), "expected clips by name, like  run: {frames: 0-7}")
        fps = reader.number(data, "fps", (), FPS)
    except Stop:
        return clips
    kinds = {name: _kind(entry) for name, entry in entries.items()}
    for name, entry in entries.items():
        path = ("clips", name)
        names = [key for key in entries if kinds[key] == kinds[name]]
        try:
            if kinds[name] == "tracks":
                clips.tracks[name] = track_clip(reader, entry, path, names)
            elif kinds[name] == "animation":
                clips.models[name] = _model_clip(reader, entry, path, names)
            else:
                clips.clips[name] = frame_clip(reader, entry, path, fps, names)
        except Stop:
            continue
    return clips


def _kind(entry: Any) -> str:
    """Return the key that determines the kind of clip of an entry."""
    keys = [key for key in ("tracks", "animation") if isinstance(entry, dict) and key in entry]
    return keys[0] if keys else "frames"


def _model_clip(reader: Reader, entry: Any, path: Steps, names: list[str]) -> ModelClip:
    """Return the clip of an entry with `animation`. names: the clips that may follow it. Raises Stop."""
    reader.keys(entry, ("animation", "mode", "next", "markers"), path)
    animation = entry["animation"]
    if not isinstance(animation, str) or not animation:
        reader.wrong((*path, "animation"), f"expected the name of an animation of the model, got {animation!r}")
    mode, follows = reader.play(entry, path, names)
    markers = read_markers(reader, entry.get("markers", {}), (*path, "markers"))
    return ModelClip(animation, mode, follows, markers, reader.document.place(*path))


LOADERS: dict[str, Callable[[Path], Any]] = {".anim.yaml": load_clips, ".anim.yml": load_clips}
"""The loaders that `rish_loaders` returns, by suffix; the plugins `animation` and `render` both return these."""
CLIP_NAMES = AssetNames(*LOADERS)
"""The game's files of clips, for the list `clips` of names; every plugin with such a field returns it."""
