"""Clauses: the promises of a plugin, each with a stable number, one sentence, and the function that checks it.

A check gets the plugin as a `Subject` and yields a `Finding` for each fault. The numbers are stable: a number is never
used for another promise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rish_core import ManifestError, describe_error
from rish_ecs import Place, RishError, place_of_error

if TYPE_CHECKING:
    from .checked_plugin import Subject

Check = Callable[["Subject"], "Iterable[Finding]"]

EXITS, HANGS = "C35", "C36"
"""The clauses that are checked while the others run: the plugin ends its process, or never returns."""
STACK = "stack.txt"
"""The file into which a process writes its stack if a clause takes long."""


@dataclass(frozen=True)
class Finding:
    """One fault: a sentence, its place, and a hint.

    clause: the clause that is broken; None: the one that is checked.
    """

    what: str
    where: Place | str | None = None
    hint: str | None = None
    clause: str | None = None

    @classmethod
    def of(cls, error: BaseException, clause: str | None = None) -> Finding:
        """Return the finding for an exception; of the mistakes in a manifest, the first."""
        if isinstance(error, ManifestError) and error.problems:
            first = error.problems[0]
            return cls(f"{first.path}: {first.what}", first.place, None, clause)
        if isinstance(error, RishError):
            where = error.where if error.where is not None else place_of_error(error)
            return cls(error.what, where, error.hint, clause)
        return cls(describe_error(error), place_of_error(error), None, clause)


@dataclass(frozen=True)
class Clause:
    """A promise of every plugin.

    id: such as `C24`. title: the promise, a sentence that begins with "It" or "Its". check: None for what is noticed
    while the other clauses are checked. needs: clauses without which this one can't be checked. beside: checked after
    the others, which see only the plugin's dependencies: it needs other installed packages, or loads the code again.
    """

    id: str
    title: str
    check: Check | None = None
    needs: tuple[str, ...] = ()
    beside: bool = False

    @property
    def doc(self) -> str:
        """How the clause is checked: the docstring of the check."""
        return (self.check.__doc__ or "") if self.check is not None else ""

    def __str__(self) -> str:
        return f"{self.id} {self.title}"


@dataclass(frozen=True)
class Violation:
    """A broken promise: the plugin, the clause, the culprit, its place (`file:line`, or None), and what to do."""

    plugin: str
    clause: str
    title: str
    what: str
    where: str | None = None
    hint: str | None = None

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        end = "" if self.hint is None else f"{'' if self.what.endswith('.') else '.'} {self.hint}"
        return f"{place}{self.plugin}: {self.clause} {self.title}: {self.what}{end}"


@dataclass(frozen=True)
class Outcome:
    """The result of a clause. unchecked: why it could not be checked, or None. seconds: how long the check took."""

    clause: Clause
    violations: tuple[Violation, ...] = ()
    unchecked: str | None = None
    seconds: float = 0.0


REGISTERED: dict[str, Clause] = {}
"""The clauses of the modules imported so far, by number; `clauses.CLAUSES` has all of them."""


def clause(number: str, title: str, needs: tuple[str, ...] = (), *, beside: bool = False) -> Callable[[Check], Check]:
    """Add the clause whose check is the decorated function."""

    def add(check: Check) -> Check:
        REGISTERED[number] = Clause(number, title, check, needs, beside)
        return check

    return add
