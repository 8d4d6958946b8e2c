"""Processes of `rish host` and `rish join` that play one game."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from net_route import Route
from rish_net import LinkQuality

_CLOCK = """
import os, time

def skewed(real, rate, jump, after):
    begin = real()

    def clock():
        passed = real() - begin
        return begin + rate * passed + (jump if passed > after else 0.0)

    return clock

values = [float(value) for value in os.environ["CLOCK"].split()]
time.perf_counter, time.monotonic = skewed(time.perf_counter, *values), skewed(time.monotonic, *values)
"""
"""A `sitecustomize` that gives a process another clock: its rate, and a jump in seconds after some seconds."""


@dataclass(frozen=True)
class Outcome:
    """What a process left: its exit code, the hash of its last state ("" without one), its output, its errors."""

    code: int
    hash: str
    output: str
    errors: str


class Party:
    """A host and its guests. folder: of the game. frames: the ticks after which all end; 0: never."""

    def __init__(self, folder: Path, frames: int = 0) -> None:
        self.folder, self.frames = folder, frames
        self.invitation = ""
        self.processes: list[subprocess.Popen[str]] = []
        self.route: Route | None = None

    def host(self, *options: str, clock: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start a host and read its invitation. clock: rate, jump and time of the jump, in seconds."""
        process = self._start("host", ".", options, clock, environment)
        assert process.stdout is not None
        self.invitation = process.stdout.readline().strip()
        return process

    def wait_for(self, process: subprocess.Popen[str], line: str) -> None:
        """Wait until a process prints a line."""
        assert process.stdout is not None
        lines: list[str] = []
        for printed in process.stdout:
            lines.append(printed.strip())
            if lines[-1] == line:
                return
        raise AssertionError(f"{line!r} is not among {lines}: {outcome_of(process)}")

    def through(self, quality: LinkQuality) -> Route:
        """Let the guests that join from now on reach the host by a way with faults."""
        self.route = Route(self.invitation, quality)
        self.invitation = self.route.invitation
        return self.route

    def join(self, *options: str, clock: str = "", **environment: str) -> subprocess.Popen[str]:
        """Start a guest."""
        return self._start("join", self.invitation, options, clock, environment)

    def outcomes(self, seconds: float = 100.0) -> list[Outcome]:
        """Return what the processes left, in the order of their starts, when all have ended or one has failed."""
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            codes = [process.poll() for process in self.processes]
            if None not in codes:
                break
            if any(codes):
                time.sleep(1.0)
                break
            time.sleep(0.05)
        for process in self.processes:
            process.kill()
        return [outcome_of(process) for process in self.processes]

    def close(self) -> None:
        """End everything."""
        for process in self.processes:
            process.kill()
            process.communicate()
        if self.route is not None:
            self.route.close()

    def _start(
        self, command: str, where: str, options: Sequence[str], clock: str, environment: dict[str, str]
    ) -> subprocess.Popen[str]:
        more = dict(environment)
        if clock:
            hook = self.folder.parent / "clock"
            hook.mkdir(exist_ok=True)
            (hook / "sitecustomize.py").write_text(_CLOCK, encoding="utf-8")
            more |= {"PYTHONPATH": str(hook), "CLOCK": clock}
        ending = ["--frames", str(self.frames)] if self.frames else []
        shown = [] if "--backend" in options else ["--headless"]
        process = subprocess.Popen(
            [sys.executable, "-m", "rish_core", command, where, *shown, "--hash", *ending, *options],
            cwd=self.folder, env=os.environ | more, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            preexec_fn=take_interrupts,
        )  # fmt: skip
        self.processes.append(process)
        return process


def outcome_of(process: subprocess.Popen[str], seconds: float = 100.0) -> Outcome:
    """Return what a process left when it has ended."""
    output, errors = process.communicate(timeout=seconds)
    last = output.strip().rpartition("\n")[2]
    return Outcome(process.returncode, last.removeprefix("hash ") if last.startswith("hash ") else "", output, errors)


def take_interrupts() -> None:
    """Let a process be interrupted, also where the tests run in the background and interrupts are ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
