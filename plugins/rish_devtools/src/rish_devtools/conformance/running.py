"""Runs the clauses for a plugin, in processes of their own with a time limit.

A process that ends or hangs in the middle of a clause breaks the clause "It never ends the process" or "It never runs
on without an end". The clauses that need no running game are then checked in a new process.
"""

from __future__ import annotations

import json
import queue
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from rish_core.plugin import installed_plugins
from rish_ecs import Place, UnknownName, shorten_path
from rish_system import end_group, group_options, text_options

from .clause import EXITS, HANGS, STACK, Clause, Outcome, Violation
from .clauses import CLAUSES

LIMIT = 300.0
"""Seconds that a clause may take: a kernel that is not in the cache must compile within them."""
_END = 10.0
"""Seconds in which a process must end when all clauses were checked."""
_FRAME = re.compile(r'^  File "(.*)", line (\d+)', re.M)
_BY_ID = {each.id: each for each in CLAUSES}


def plugins_named(names: Iterable[str]) -> list[str]:
    """Return the installed plugins for the arguments of a command: names, lists with commas, or `all`.

    Raises UnknownName for a plugin that is not installed.
    """
    wanted = [name.strip() for each in names for name in each.split(",") if name.strip()]
    installed = list(dict.fromkeys(each.name for each in installed_plugins()))
    for name in wanted:
        if name != "all" and name not in installed:
            raise UnknownName(f"no plugin '{name}' is installed", given=name, choices=[*installed, "all"])
    return installed if "all" in wanted else list(dict.fromkeys(wanted))


def run(
    plugin: str,
    clauses: Iterable[str] | None = None,
    *,
    path: Sequence[str | Path] = (),
    seed: int = 1,
    limit: float = LIMIT,
) -> list[Violation]:
    """Check an installed plugin; return the broken promises, in the order of the clauses.

    clauses: the numbers of those to check, such as `C24`; None: all. path: more folders with installed packages. seed:
    of the values that are drawn for the games. limit: the seconds that a clause may take. Raises UnknownName for a
    plugin that is not installed, or a clause that does not exist.
    """
    with Run(plugin, clauses, path=path, seed=seed, limit=limit) as found:
        return [violation for outcome in found.outcomes() for violation in outcome.violations]


class Run:
    """The check of one plugin, whose outcomes come one by one; arguments as for `run`. A context manager."""

    def __init__(
        self,
        plugin: str,
        clauses: Iterable[str] | None = None,
        *,
        path: Sequence[str | Path] = (),
        seed: int = 1,
        limit: float = LIMIT,
    ) -> None:
        self.plugin = plugin
        self.path = [str(each) for each in path]
        self.seed, self.limit = seed, limit
        wanted = list(_BY_ID) if clauses is None else list(clauses)
        for name in wanted:
            if name not in _BY_ID:
                raise UnknownName(f"there is no clause {name!r}", given=name, choices=_BY_ID)
        there = {each.name for each in installed_plugins([*self.path, *sys.path])}
        if plugin not in there:
            raise UnknownName(f"no plugin '{plugin}' is installed", given=plugin, choices=there)
        self.clauses = [each for each in CLAUSES if each.id in wanted]
        self._scratch = tempfile.TemporaryDirectory(prefix="rish-conformance-", ignore_cleanup_errors=True)
        self._process: subprocess.Popen[str] | None = None
        self._broken: set[str] = set()
        self._watched: dict[str, list[Violation]] = {EXITS: [], HANGS: []}

    def __enter__(self) -> Run:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process and remove its files."""
        if self._process is not None:
            end_group(self._process)
        self._scratch.cleanup()

    def outcomes(self) -> Iterator[Outcome]:
        """Check the clauses and yield the outcome of each; those that watch the others come last."""
        left = sorted((each for each in self.clauses if each.id not in (EXITS, HANGS)), key=lambda c: (c.beside, c.id))
        number = 0
        while left:
            number += 1
            for outcome in self._one_process(left, Path(self._scratch.name) / f"{number}"):
                left.remove(outcome.clause)
                yield outcome
        for each in self.clauses:
            if each.id in self._watched:
                yield Outcome(each, tuple(self._watched[each.id]))

    def _one_process(self, left: list[Clause], scratch: Path) -> Iterator[Outcome]:
        """Check clauses in one process until it is done, ends or hangs; yield the outcomes, at least one."""
        scratch.mkdir()
        lines = self._start([each.id for each in left] + [EXITS], scratch)
        current, folder = left[0], ""
        while True:
            try:
                line = lines.get(timeout=self.limit)
            except queue.Empty:
                where = _place_in(scratch / STACK, folder)
                yield self._lost(current, HANGS, f"it was not done after {self.limit:g} s", where)
                return
            if line is None:
                break
            message: dict[str, Any] = json.loads(line)
            if "begins" in message:
                current, folder = _BY_ID[message["begins"]], message["folder"]
            elif message["ends"] == EXITS:
                self._watched[EXITS] += self._read(message)
                self._see_the_end()
                return
            else:
                yield self._outcome(_BY_ID[message["ends"]], message)
        assert self._process is not None
        yield self._lost(current, EXITS, f"the process ended with exit code {self._process.wait()}")

    def _outcome(self, each: Clause, message: dict[str, Any]) -> Outcome:
        violations = self._read(message)
        unchecked = message.get("unchecked")
        self._broken |= {each.id} if violations or unchecked else set()
        return Outcome(each, tuple(violations), unchecked, message["seconds"])

    def _read(self, message: dict[str, Any]) -> list[Violation]:
        violations: list[Violation] = []
        for one in message.get("findings", ()):
            about = _BY_ID[one["clause"] or message["ends"]]
            violations.append(Violation(self.plugin, about.id, about.title, one["what"], one["where"], one["hint"]))
        return violations

    def _see_the_end(self) -> None:
        """Note if the process, which is done, does not end by itself or ends with an error."""
        assert self._process is not None
        try:
            code = self._process.wait(min(self.limit, _END))
        except subprocess.TimeoutExpired:
            self._note(HANGS, "its process does not end, perhaps because of a thread or a function of atexit")
            return
        if code:
            self._note(EXITS, f"its process ended with exit code {code} after the games")

    def _note(self, watched: str, what: str, where: str | None = None) -> None:
        about = _BY_ID[watched]
        violation = Violation(self.plugin, about.id, about.title, what, where, _HINTS[watched])
        self._watched[watched].append(violation)

    def _lost(self, current: Clause, watched: str, what: str, where: str | None = None) -> Outcome:
        """Note that the process was lost while a clause was checked; return the outcome of that clause."""
        assert self._process is not None
        end_group(self._process)
        self._note(watched, f"{what}, while the clause '{current}' was checked", where)
        self._broken |= {current.id, "C21"}
        return Outcome(current, (), f"{watched} must hold first")

    def _start(self, ids: list[str], scratch: Path) -> queue.Queue[str | None]:
        """Start a process for clauses; return the queue of its lines, which ends with None."""
        request = {
            "plugin": self.plugin, "clauses": ids, "path": [*self.path, *sys.path], "seed": self.seed,
            "scratch": str(scratch), "broken": sorted(self._broken), "limit": self.limit,
        }  # fmt: skip
        command = [sys.executable, "-m", "rish_devtools.conformance.worker", json.dumps(request)]
        if self._process is not None:
            end_group(self._process)
        options = text_options() | group_options()
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, **options)
        lines: queue.Queue[str | None] = queue.Queue()
        assert self._process.stdout is not None
        threading.Thread(target=_read_lines, args=(self._process.stdout, lines), daemon=True).start()
        return lines


_HINTS = {
    EXITS: "Raise an error instead of calling sys.exit or os._exit; look for a crash in native code",
    HANGS: "Look for a loop or a lock without an end; with --rish-conformance-limit a slow plugin gets more time",
}


def _place_in(stack: Path, folder: str) -> str | None:
    """Return the deepest line of a written stack in the plugin's package, otherwise the deepest; None without one."""
    text = stack.read_text(encoding="utf-8", errors="replace") if stack.is_file() else ""
    frames = [(found[1], int(found[2])) for found in _FRAME.finditer(text)]
    own = [frame for frame in frames if folder and frame[0].startswith(folder)]
    return str(Place(shorten_path((own or frames)[0][0]), (own or frames)[0][1])) if frames else None


def _read_lines(stream: IO[str], lines: queue.Queue[str | None]) -> None:
    with stream:
        for line in stream:
            lines.put(line)
    lines.put(None)
