"""The profiler's data as a table and as a trace."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from in_memory import profiled
from rich.console import Console

from rish_devtools import write_chrome_trace
from rish_devtools.profile import profile_table


def test_the_table_names_stages_systems_and_counters() -> None:
    """The table for the terminal lists the systems that ran, and leaves out stages without systems."""
    console = Console(width=100, file=io.StringIO())
    console.print(profile_table(profiled((0.001, 0.002))))
    text = console.file.getvalue()  # type: ignore[attr-defined]
    for word in ("frame", "STEP", "physics.step", "UPDATE", "game.move", "draw_calls", "1.000", "2.000"):
        assert word in text
    assert "EXTRACT" not in text


def test_the_verbs_of_the_backend_stand_below_their_sum() -> None:
    """The backend's calls that took time are listed, and the remaining time of the frame is the rest."""
    profiler = profiled((0.0, 0.0))
    profiler.begin_frame()
    profiler.add_verb("draw", 0.003)
    profiler.add_verb("poll", 0.004)
    profiler.begin -= 0.02
    profiler.end_frame()
    out = io.StringIO()
    Console(file=out, width=100).print(profile_table(profiler))
    rows = [line.replace("│", " ").split() for line in out.getvalue().splitlines()]
    assert ["backend", "3.500", "6.930", "7.000", "7.000"] in rows
    assert [row[0] for row in rows if row and row[0] in ("poll", "pages", "draw", "present")] == ["poll", "draw"]
    assert any(row[:2] == ["the", "rest"] for row in rows)


def test_the_trace_opens_in_a_browser(tmp_path: Path) -> None:
    """The trace has a span for each frame, stage and system, nested, and counters, in microseconds."""
    path = write_chrome_trace(profiled((0.001, 0.002), (0.003, 0.0)), tmp_path / "trace.json")
    events = json.loads(path.read_text())["traceEvents"]
    spans = [(e["name"], round(e["dur"])) for e in events if e["ph"] == "X" and e["cat"] != "frame"]
    first = [("STEP", 1000), ("physics.step", 1000), ("UPDATE", 2000), ("game.move", 2000)]
    assert spans == [*first, ("STEP", 3000), ("physics.step", 3000)]
    starts = {e["name"]: e["ts"] for e in events[:5]}
    assert starts["frame 0"] == starts["STEP"] == starts["physics.step"]
    assert starts["game.move"] == pytest.approx(starts["STEP"] + 1000)
    assert [e["args"] for e in events if e["ph"] == "C"] == [{"draw_calls": 3}] * 2
