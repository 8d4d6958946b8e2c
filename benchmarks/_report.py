"""Results as JSON for programs and as a table for people."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .harness import LIMIT, OURS, Results, Row

if TYPE_CHECKING:
    from rich.table import Table

_PACKAGES = {"numpy": "numpy", "numba": "numba"}
_PEERS = {
    "esper": "esper",
    "arcade": "arcade",
    "pyglet": "pyglet",
    "pygame": "pygame-ce",
    "raylib": "raylib",
    "moderngl": "moderngl",
    "panda3d": "panda3d",
    "pymunk": "pymunk",
}


def machine() -> dict[str, Any]:
    """Return the conditions of the figures: processor, cores, versions, load. No name and no folder of the machine."""
    return {
        "cpu": _cpu_model(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: _version(package) for name, package in _PACKAGES.items()},
        "peers": {name: _version(package) for name, package in _PEERS.items()},
        "load": [round(load, 2) for load in os.getloadavg()] if hasattr(os, "getloadavg") else None,
    }


def _cpu_model() -> str:
    info = Path("/proc/cpuinfo")
    if info.exists():
        for line in info.read_text(encoding="utf-8", errors="replace").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def as_json(results: Results) -> dict[str, Any]:
    """Return the results in the form that all benchmarks share; see docs/benchmarks.md."""
    return {
        "benchmark": results.name,
        "quick": results.quick,
        "machine": machine(),
        "rows": [asdict(row) for row in results.rows],
        "ratios": results.ratios,
        "limits": {key: limit for key, limit in results.limits.items() if limit is not None},
        "absent": results.absent,
        "failed": results.failed,
    }


def as_table(results: Results) -> Table:
    """Return a table with a line for each ratio: both sides with their quartiles, the ratio, its limit, the verdict."""
    from rich.table import Table

    made = Table(title=f"benchmark {results.name}{' (quick)' if results.quick else ''}")
    for heading in ("case", OURS, "peer", "theirs", "ratio", "limit", ""):
        made.add_column(heading, justify="left" if heading in ("case", "peer") else "right", no_wrap=True)
    rows = {(row.case, row.engine): row for row in results.rows}
    shown: set[str] = set()
    for key in results.ratios:
        case, _, peer = key.rpartition(":")
        ours = _cell(rows.get((case, OURS))) if case not in shown else ""
        theirs = "" if peer == LIMIT else _cell(rows.get((case, peer)))
        made.add_row(case if case not in shown else "", ours, peer, theirs, *_verdict(results, key))
        shown.add(case)
    for row in results.rows:
        if row.case not in shown:
            made.add_row(row.case, _cell(row), "", "", "", "", "")
    return made


def as_markdown(results: Results) -> str:
    """Return the same table as Markdown for documents, without the quartiles."""
    lines = [f"| case | {OURS} | peer | theirs | ratio | limit |", "|---|--:|---|--:|--:|--:|"]
    rows = {(row.case, row.engine): f"{_short(row.value)} {row.unit}" for row in results.rows}
    compared = {key.rpartition(":")[0] for key in results.ratios}
    alone = [f"{row.case}:" for row in results.rows if row.case not in compared]
    for key in [*results.ratios, *alone]:
        case, _, peer = key.rpartition(":")
        ratio, limit = results.ratios.get(key), results.limits.get(key)
        cells = (
            f"`{case}`",
            rows.get((case, OURS), "-"),
            peer,
            rows.get((case, peer), ""),
            "" if ratio is None else _short(ratio),
            "" if limit is None else f"≤ {limit:g}",
        )
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _cell(row: Row | None) -> str:
    if row is None:
        return "-"
    cpu = "" if row.cpu is None else f", cpu {_short(row.cpu)}"
    return f"{_short(row.value)} {row.unit} [dim]{_short(row.low)}..{_short(row.high)}{cpu}[/dim]"


def _verdict(results: Results, key: str) -> tuple[str, str, str]:
    ratio, limit, met = results.ratios[key], results.limits[key], results.met(key)
    word = {True: "[green]met[/green]", False: "[bold red]missed[/bold red]", None: ""}[met]
    return "-" if ratio is None else _short(ratio), "" if limit is None else f"{limit:g}", word


def _short(value: float) -> str:
    return f"{value:.0f}" if value >= 1000 else f"{value:.3g}"


def print_results(results: Results) -> None:
    """Print the table, then the absent engines and the failed cases, on standard output."""
    from rich.console import Console

    console = Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140)
    console.print(as_table(results))
    limited = [key for key, limit in results.limits.items() if limit is not None]
    kept = sum(results.met(key) is True for key in limited)
    console.print(f"{kept} of {len(limited)} limits met; ratios are {OURS} ÷ peer, smaller is better")
    for engine, why in results.absent.items():
        console.print(f"absent: {engine} ({why})", markup=False)
    for key, why in results.failed.items():
        console.print(f"failed: {key}: {why}", markup=False, style="red")
