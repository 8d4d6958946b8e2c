"""Reads `.anim.yaml` files.

A clip file has clips of sprite sheets, clips of tracks, or both::

    fps: 10
    clips:
      run:  {frames: [4, 5, 6-9], events: {1: step}}
      open:
        mode: once
        tracks:
          lid.Transform.rotation: [[0, 0], [0.4, 90, back_out]]
        markers: {0.1: creak}

Times are seconds. All mistakes are reported together, each with its line and column; a file with mistakes has no clips.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from rish_core import AssetError, Assets, World, with_placeholder
from rish_core.manifest import read_yaml

from .frames import FPS, frame_clip
from .model import Clips
from .node import Reader, Stop
from .tracks import track_clip


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
        told = [str(problem) for problem in document.problems[:10]]
        raise AssetError(str(first) if not more else "\n  ".join([f"{file} has {more + 1} mistakes", *told]))
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
    tracked = {name for name, entry in entries.items() if isinstance(entry, dict) and "tracks" in entry}
    for name, entry in entries.items():
        path = ("clips", name)
        try:
            if name in tracked:
                clips.tracks[name] = track_clip(reader, entry, path, tracked)
            else:
                clips.clips[name] = frame_clip(reader, entry, path, fps, [key for key in entries if key not in tracked])
        except Stop:
            continue
    return clips


LOADERS: dict[str, Callable[[Path], Any]] = {".anim.yaml": load_clips, ".anim.yml": load_clips}
"""The loaders that `rish_loaders` returns, by suffix; the plugins `animation` and `render` both return these."""


def list_clips(world: World) -> list[str]:
    """Return the game's files of clips, for the list `clips` of names; both plugins return this function too."""
    return world[Assets].files(*LOADERS)
