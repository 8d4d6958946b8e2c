"""The process in which a plugin is checked. It tells its parent, line by line, which clause begins and what was found.

What the plugin prints is not part of these lines: the standard output is moved away before the plugin is imported.
"""

from __future__ import annotations

import faulthandler
import json
import os
import sys
import tempfile
import time
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from rish_ecs import Place, add_engine

from .checked_plugin import Subject
from .clause import EXITS, STACK, Clause, Finding
from .clauses import CLAUSES
from .module_state import values_kept
from .process_state import look_around


def main(text: str) -> None:
    """Check the clauses of a request. text: JSON, as written by `Run`."""
    request: dict[str, Any] = json.loads(text)
    report = _keep_output()
    sys.path[:] = dict.fromkeys([*request["path"], *sys.path])
    scratch = Path(request["scratch"])
    temporary = scratch / "tmp"
    temporary.mkdir(exist_ok=True)
    tempfile.tempdir = str(temporary)
    stack = (scratch / STACK).open("w", encoding="utf-8", newline="\n")
    subject = Subject(request["plugin"], scratch, request["seed"], look_around(temporary))
    subject.dependencies.begin()
    add_engine("rish_devtools")
    broken: set[str] = set(request["broken"])
    wanted = [each for each in CLAUSES if each.id in request["clauses"]]
    for each in sorted(wanted, key=lambda one: (one.id == EXITS, one.beside, one.id)):
        if each.beside:
            subject.dependencies.end()
        _tell(report, {"begins": each.id, "folder": str(subject.folder)})
        begun = time.perf_counter()
        faulthandler.dump_traceback_later(0.8 * request["limit"], file=stack)
        result = _check(each, subject, broken)
        faulthandler.cancel_dump_traceback_later()
        if result.get("findings") or result.get("unchecked"):
            broken.add(each.id)
        _tell(report, {"ends": each.id, "seconds": time.perf_counter() - begun, **result})
        if each.id == "C01":
            subject.kept = values_kept(subject)


def _check(each: Clause, subject: Subject, broken: set[str]) -> dict[str, Any]:
    """Return the findings of a clause as plain data, or why it can't be checked."""
    needed = [name for name in each.needs if name in broken]
    if needed:
        return {"unchecked": f"{' and '.join(needed)} must hold first"}
    if each.check is None:
        findings = subject.leaving if each.id == EXITS else []
        return {"findings": [_plain(one, subject) for one in findings]}
    try:
        return {"findings": [_plain(one, subject) for one in each.check(subject)]}
    except BaseException as error:
        subject.note_leaving(error)
        return {"findings": [_plain(Finding.of(error), subject)]}


def _plain(finding: Finding, subject: Subject) -> dict[str, Any]:
    """Return a finding as plain data; its place is the plugin's if it lies in code of others."""
    where = finding.where
    if isinstance(where, Place) and where.file.endswith(".py") and not subject.owns(os.path.abspath(where.file)):
        where = subject.place if subject.is_loaded else None
    return {**asdict(finding), "where": None if where is None else str(where)}


def _keep_output() -> TextIO:
    """Return a stream to the parent, and send what is printed from now on to nowhere."""
    report = os.fdopen(os.dup(1), "w", encoding="utf-8", buffering=1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    return report


def _tell(report: TextIO, message: dict[str, Any]) -> None:
    report.write(json.dumps(message) + "\n")
    report.flush()


if __name__ == "__main__":
    main(sys.argv[1])
