"""The summary that is printed at the end of a game."""

from __future__ import annotations

from collections.abc import Sequence

from .reports import Report

_HEADINGS = {
    "hang": "hung",
    "failure": "raised",
    "budget": "took too much time",
    "flood": "logged too much",
    "leak": "grew",
}


def summary(reports: Sequence[Report], frames: int) -> str:
    """Return the reports as text, by kind, each with its place and how often it occurred."""
    if not reports:
        return f"watchdog: nothing to report in {frames:,} frames"
    lines = [f"watchdog: {len(reports)} to look at in {frames:,} frames"]
    for kind, heading in _HEADINGS.items():
        of_kind = [report for report in reports if report.kind == kind]
        lines += [f"  {heading}:"] if of_kind else []
        for report in of_kind:
            times = f" ({report.count:,} times)" if kind in ("hang", "failure", "budget") and report.count > 1 else ""
            over = " (over)" if report.over and kind == "budget" else ""
            lines.append(f"    {report}{times}{over}")
    return "\n".join(lines)
