"""The table of results: one row for each world, in the order of the jobs. It does not depend on the workers."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rish_core import UsageError
from rish_system import write_whole

from .jobs import Job, Outcome, Trial

FORMS = (".csv", ".parquet")


def check_table(path: Path) -> None:
    """Raise UsageError for a file that can't be written: of another form, or parquet without its library."""
    if path.suffix not in FORMS:
        raise UsageError(f"a table is written as {' or '.join(FORMS)}, not as {path.name}")
    if path.suffix == ".parquet" and find_spec("pyarrow") is None:
        hint = "Install it with `pip install 'pyarrow>=16'`, or write a .csv"
        raise UsageError("parquet needs pyarrow", hint=hint)
    if not path.parent.is_dir():
        raise UsageError("there is no such folder", where=str(path.parent))


def rows_of(trial: Trial, jobs: Sequence[Job], outcomes: Mapping[int, Outcome]) -> list[dict[str, Any]]:
    """Return the rows of the jobs that have an outcome: labels, ticks, hash, end, error, and the columns."""
    rows: list[dict[str, Any]] = []
    for number, job in enumerate(jobs):
        if number in outcomes:
            done = outcomes[number]
            fixed = {"ticks": done.ticks, "hash": done.hash, "end": done.end, "error": done.error}
            rows.append({**job.labels, **fixed, **dict(zip(trial.columns, done.values, strict=True))})
    return rows


def write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows with the same keys, as the suffix of the file says; the file is written whole or not at all.

    In a CSV file, True is `true` and None is empty. Columns with values of several types become texts in parquet.
    """
    write_whole(path, _parquet(rows) if path.suffix == ".parquet" else _csv(rows))


def _csv(rows: Sequence[Mapping[str, Any]]) -> bytes:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(rows[0] if rows else [])
    writer.writerows([_text(value) for value in row.values()] for row in rows)
    return text.getvalue().encode()


def _text(value: Any) -> Any:
    return str(value).lower() if isinstance(value, bool) else value


def _parquet(rows: Sequence[Mapping[str, Any]]) -> bytes:
    pyarrow: Any = import_module("pyarrow")
    parquet: Any = import_module("pyarrow.parquet")
    arrays: dict[str, Any] = {}
    for name in rows[0] if rows else ():
        values = [row[name] for row in rows]
        try:
            arrays[name] = pyarrow.array(values)
        except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):
            arrays[name] = pyarrow.array([None if value is None else str(_text(value)) for value in values])
    sink = io.BytesIO()
    parquet.write_table(pyarrow.table(arrays), sink)
    return sink.getvalue()
