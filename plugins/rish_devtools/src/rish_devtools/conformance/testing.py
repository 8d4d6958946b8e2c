"""The clauses as tests of pytest: `pytest --rish-conformance wind` has one test for each clause."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any

import pytest

from .clause import Clause, Outcome
from .clauses import CLAUSES
from .running import Run, plugins_named


class Broken(Exception):
    """Raised by a test whose clause is broken; its text names every violation."""


class PluginCollector(pytest.Collector):
    """The clauses of one plugin."""

    def __init__(self, *, limit: float, **options: Any) -> None:
        super().__init__(**options)
        self.limit = limit
        self._found: dict[str, Outcome] = {}

    def collect(self) -> Iterator[pytest.Item]:
        """Yield a test for each clause."""
        for each in CLAUSES:
            name = f"{each.id} {each.title[0].lower()}{each.title[1:]}"
            node = f"conformance/{self.name}: {name}"
            yield ClauseItem.from_parent(self, name=name, nodeid=node, clause=each)

    def outcome(self, clause: Clause) -> Outcome:
        """Return the outcome of a clause, after checking the selected ones before it."""
        while clause.id not in self._found:
            found = next(self._outcomes)
            self._found[found.clause.id] = found
        return self._found[clause.id]

    @cached_property
    def _outcomes(self) -> Iterator[Outcome]:
        chosen = [each.clause.id for each in self.session.items if isinstance(each, ClauseItem) and each.parent is self]
        self._run = Run(self.name, chosen, limit=self.limit)
        return self._run.outcomes()

    def teardown(self) -> None:
        """End the process of the plugin."""
        if "_outcomes" in vars(self):
            self._run.close()


class ClauseItem(pytest.Item):
    """The test of one clause for one plugin."""

    def __init__(self, *, clause: Clause, **options: Any) -> None:
        super().__init__(**options)
        self.clause = clause

    def runtest(self) -> None:
        """Raise Broken with the violations; skip the test if the clause can't be checked."""
        parent = self.parent
        assert isinstance(parent, PluginCollector)
        outcome = parent.outcome(self.clause)
        if outcome.violations:
            raise Broken("\n".join(map(str, outcome.violations)))
        if outcome.unchecked:
            pytest.skip(outcome.unchecked)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], *more: Any) -> Any:
        """Return the violations without a traceback."""
        return str(excinfo.value) if isinstance(excinfo.value, Broken) else super().repr_failure(excinfo, *more)

    def reportinfo(self) -> tuple[str, None, str]:
        """Return what the report is about."""
        return "conformance", None, self.nodeid


def conformance_items(session: pytest.Session, names: list[str], limit: float) -> list[pytest.Item]:
    """Return the tests for plugins. Raises pytest.UsageError for one that is not installed."""
    try:
        plugins = plugins_named(names)
    except LookupError as error:
        raise pytest.UsageError(f"--rish-conformance: {error}") from None
    made = [
        PluginCollector.from_parent(session, name=name, nodeid=f"conformance/{name}", limit=limit) for name in plugins
    ]
    return [item for collector in made for item in collector.collect()]
