"""Reports of the profiler, and the plugin `profile`, which prints one after the game: `rish run GAME --profile`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rish_core import About, Profiler, Stage
from rish_core.loop import VERBS, FrameTimes
from rish_system import write_whole

from .timings import Timing, Timings

if TYPE_CHECKING:
    from rich.table import Table

_TO_US = 1e6


def rish_about() -> About:
    """Describe the plugin; it requires no other plugin."""
    return About(description="prints the times of all systems when the game ends")


def rish_shutdown(world: Any) -> None:
    """Print the table to standard error."""
    from rich.console import Console

    Console(stderr=True).print(profile_table(world[Profiler]))


def profile_table(profiler: Profiler) -> Table:
    """Return a profiler's times as a table for the terminal.

    Systems are listed under their stages. The bold rows after the first one add up to the first.
    """
    from rich.table import Table

    table = Table(title=f"{len(profiler.frames)} frames, milliseconds a frame")
    table.add_column("")
    for heading in ("median", "p99", "worst", "last"):
        table.add_column(heading, justify="right")
    timings = Timings(profiler)
    systems = timings.systems()
    table.add_row("frame", *_cells(timings.frame()), style="bold")
    for stage in timings.stages():
        systems_of_stage = [timing for timing in systems if timing.stage is stage.stage]
        if systems_of_stage or stage.worst:
            table.add_row(stage.name, *_cells(stage), style="bold")
        for timing in systems_of_stage:
            table.add_row(f"  {timing.name}", *_cells(timing))
    table.add_row("backend", *_cells(timings.backend()), style="bold")
    for timing in timings.verbs():
        if timing.worst:
            table.add_row(f"  {timing.name}", *_cells(timing))
    table.add_row("the rest", *_cells(timings.rest()), style="bold")
    for name, mean in timings.counters().items():
        table.add_row(name, f"{mean:.6g}", "", "", "")
    return table


def write_chrome_trace(profiler: Profiler, path: str | Path) -> Path:
    """Write the kept frames as JSON for chrome://tracing or ui.perfetto.dev, and return the path.

    The spans of a frame's systems follow each other without gaps. Each has the length of the system's total over
    the frame's ticks, so lengths are measured and start times are not.
    """
    events: list[dict[str, Any]] = []
    for number, frame in enumerate(profiler.frames):
        events += _trace_frame(profiler, number, frame)
    target = Path(path)
    write_whole(target, json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}).encode())
    return target


def _trace_frame(profiler: Profiler, number: int, frame: FrameTimes) -> list[dict[str, Any]]:
    """Return the trace events of a frame: spans of stages, systems and the backend, and counters."""
    start = frame.begin * _TO_US
    events = [_span(f"frame {number}", "frame", start, frame.seconds, {"ticks": frame.ticks})]
    for stage in Stage:
        first = start
        spans: list[dict[str, Any]] = []
        rows = [(name, frame.times[slot]) for slot, (name, where) in enumerate(profiler.slots) if where is stage]
        for name, seconds in (*rows, ("structure changes", frame.times[len(profiler.slots) + stage])):
            if seconds:
                spans.append(_span(name, "system", start, seconds, {}))
                start += seconds * _TO_US
        if spans:
            events += [_span(stage.name, "stage", first, (start - first) / _TO_US, {}), *spans]
    first = start
    for verb, seconds in zip(VERBS, frame.times[len(profiler.slots) + len(Stage) :], strict=True):
        if seconds:
            events.append(_span(verb, "backend", start, seconds, {}))
            start += seconds * _TO_US
    if start > first:
        events.append(_span("backend", "stage", first, (start - first) / _TO_US, {}))
    for name, amount in frame.counters.items():
        events.append({"name": name, "ph": "C", "ts": frame.begin * _TO_US, "pid": 1, "args": {name: amount}})
    return events


def _span(name: str, category: str, start: float, seconds: float, arguments: dict[str, Any]) -> dict[str, Any]:
    place = {"ph": "X", "ts": start, "dur": seconds * _TO_US, "pid": 1, "tid": 1}
    return {"name": name, "cat": category, **place, "args": arguments}


def _cells(timing: Timing) -> list[str]:
    return [f"{ms:.3f}" for ms in (timing.median, timing.p99, timing.worst, timing.last)]
