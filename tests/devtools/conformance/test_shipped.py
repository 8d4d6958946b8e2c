"""The plugins of this repository keep every promise of the conformance kit."""

from __future__ import annotations

from pathlib import Path

import pytest

from long_runs import only_long
from rish_core.plugin import installed_plugins
from rish_devtools.conformance import CLAUSES, run
from rish_devtools.conformance.checked_plugin import Subject

PLUGINS = sorted({each.name for each in installed_plugins() if each.distribution.startswith("rish-")})
DECLARED = [each for each in CLAUSES if each.id in ("C13", "C14", "C15")]
PLAYED = [each.id for each in CLAUSES if each.id != "C41"]  # the tests of contracts run for themselves


@pytest.mark.parametrize("name", PLUGINS)
def test_declarations_are_explained(name: str, tmp_path: Path) -> None:
    """Each component, event, field and setting of a plugin is described; settings have ranges, lists of names exist."""
    subject = Subject(name, tmp_path, seed=1)
    for clause in DECLARED:
        assert clause.check is not None
        assert list(clause.check(subject)) == [], clause


@only_long
@pytest.mark.slow
@pytest.mark.parametrize("name", PLUGINS)
def test_no_clause_is_broken(name: str) -> None:
    """A plugin breaks no clause in games that are made of its declarations.

    The sample is the plugin of `docs/how-to/check-a-plugin.md`, whose commands are run by a test.
    """
    assert run(name, PLAYED) == []
