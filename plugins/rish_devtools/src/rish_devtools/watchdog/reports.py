"""Reports of the watchdog, and its errors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rish_core import Place, RishError

Kind = Literal["budget", "hang", "flood", "leak", "failure"]


class WatchdogError(RishError):
    """Raised for a report with policy `raise`, after the frame in which it was made."""


class CallStopped(RishError):
    """Raised in place of a call of a system or hook that was interrupted, because it did not return."""


@dataclass(eq=False)
class Report:
    """A problem with a plugin.

    what: the system, the hook, or the growing data. place: the line to look at, None if unknown. text: a sentence.
    frame: the frame in which it was found. milliseconds: of the call, or the median of a frame; None if it is not about
    time. count: how often a failure occurred, how many lines were dropped, or how much was added. over: whether the
    problem has ended.
    """

    kind: Kind
    plugin: str
    what: str
    place: Place | None
    text: str
    frame: int = 0
    milliseconds: float | None = None
    count: int = 1
    over: bool = False

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place is not None else self.text
