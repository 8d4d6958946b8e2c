"""Measures what one change costs beside 10² to 10⁶ others, and draws it for the page about benchmarks.

uv run --group bench python docs/make_growth_picture.py [RESULTS]

RESULTS: a file that `python -m benchmarks churn --json RESULTS` wrote; without it, the cases of the plot are measured.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from plots import Plot

ROOT = Path(__file__).resolve().parents[1]
PICTURE = ROOT / "docs" / "pictures" / "growth.png"
LINES = {
    "a model comes": ("model_comes", "rish"),
    "a sprite comes": ("sprite_comes", "rish"),
    "a body comes": ("body_comes", "rish"),
    "a sprite changes": ("sprite_changes", "rish"),
    "an entity goes": ("despawn", "rish"),
    "arcade: a sprite comes": ("sprite_comes", "arcade"),
    "esper: an entity goes": ("despawn", "esper"),
}
"""By the names of lines: the beginning of cases, and the engine."""
COUNTS = tuple(10**k for k in range(2, 7))
_IN_SECONDS = {"ms": 1e-3, "µs": 1e-6}


def measured() -> list[dict[str, Any]]:
    """Measure the cases, and return their rows as in the file of results."""
    sys.path.insert(0, str(ROOT))
    from benchmarks._report import as_json
    from benchmarks.harness import Plan, load_cases, run_benchmark

    wanted = {f"{case}_{count}" for case, _ in LINES.values() for count in COUNTS}
    names = [case.name for case in load_cases("benchmarks.churn") if case.name in wanted]
    return as_json(run_benchmark("benchmarks.churn", Plan(rounds=9), only=names, progress=_tell))["rows"]


def _tell(case: str, number: int, count: int) -> None:
    print(f"{number + 1}/{count} {case}", file=sys.stderr)


def plot_of(rows: list[dict[str, Any]]) -> Plot:
    """Return the plot of some rows of results."""
    took = {(row["case"], row["engine"]): row["value"] * _IN_SECONDS[row["unit"]] * 1e6 for row in rows}
    plot = Plot("One change beside n others", "n", "µs above a still frame", log_x=True, log_y=True, legend="top left")
    plot.size, plot.x_range, plot.y_range = (720, 520), (90.0, 1.1e6), (0.1, 1e6)
    for name, (case, engine) in LINES.items():
        points = [(count, took[f"{case}_{count}", engine]) for count in COUNTS if (f"{case}_{count}", engine) in took]
        if points:
            plot.line(name, *zip(*points, strict=True), dashed=engine != "rish", dots=True)
    return plot


def main(arguments: list[str]) -> None:
    """Write the plot."""
    rows = json.loads(Path(arguments[0]).read_text(encoding="utf-8"))["rows"] if arguments else measured()
    plot_of(rows).save(PICTURE)


if __name__ == "__main__":
    main(sys.argv[1:])
