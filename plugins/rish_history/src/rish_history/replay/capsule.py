"""Capsules: recordings of a crash, with which it can be reproduced.

When an exception ends a game, the inputs of the last minutes and keyframes to start from are in memory already. They
are written as a recording whose last input is that of the tick that failed, with the end of the log and the versions of
all plugins. `rish replay` plays it to the same exception.
"""

from __future__ import annotations

import logging
import sys
from pathlib import Path
from typing import Any

from rish_core import App, InputRecord
from rish_core.loop import NOTHING
from rish_system import folder_name, make_folders

from ..recordings.origin import origin_of
from ..recordings.writer import RecordingWriter
from ..timeline.timeline import Timeline
from .replay import describe

_log = logging.getLogger("rish.plugins.history")


def current_error(*, in_tick: bool) -> str:
    """Return the text of the exception that is ending the game; "" if there is none, or if a person stopped the game.

    in_tick: whether a tick was running. Otherwise the exception counts only if it was raised in a frame, and not in the
    code that runs the game, such as a test.
    """
    error = sys.exc_info()[1]
    trace = error.__traceback__ if error is not None else None
    while not in_tick and trace is not None:
        in_tick = trace.tb_frame.f_code is App.frame.__code__
        trace = trace.tb_next
    return describe(error) if in_tick and isinstance(error, Exception) else ""


def write_capsule(app: Any, timeline: Timeline, last: InputRecord | None, error: str, log: str, folder: Path) -> Path:
    """Write the timeline as a recording that ends with an error; return its path. Raises OSError.

    last: the input of the tick that failed, None if the error was not in a tick.
    """
    name = folder_name(app.manifest.title)
    make_folders(folder)
    path = folder / f"crash-{name}-{timeline.newest}.rish"
    writer = RecordingWriter(path, origin_of(app))
    _write_segments(writer, timeline)
    writer.finish(error, log, last)
    return path


def _write_segments(writer: RecordingWriter, timeline: Timeline) -> None:
    """Write a segment for each keyframe after an outside change of state."""
    starts = [frame for frame in timeline.frames if frame.reason or frame is timeline.frames[0]]
    ends = [*[frame.tick for frame in starts[1:]], timeline.newest]
    for frame, end in zip(starts, ends, strict=True):
        reason = frame.reason or "the oldest that was kept"
        writer.begin(frame.tick, reason, timeline.snapshot_before(frame.tick))
        writer.add(frame.tick, [timeline.inputs.get(tick, NOTHING) for tick in range(frame.tick, end)])
