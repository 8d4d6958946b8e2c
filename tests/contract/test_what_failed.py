"""What fails in a run is named at its end, whatever it is: scripts and rules as well as systems."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

MANIFEST = """\
rish: 1
game: {title: Faults}
plugins: [scripts, rules]
scenes:
  main:
    - {name: one, Mover: {}, Transform: {}}
    - {name: two, Mover: {}, Transform: {}}
"""
SCRIPT = """\
from rish_scripts import Script


class Mover(Script):
    def METHOD: 1 / 0


def rish_scripts(): return [Mover]
"""


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The folder of a game with a script and rules, neither of which fails yet."""
    (tmp_path / "game.yaml").write_text(MANIFEST)
    (tmp_path / "plugin.py").write_text(SCRIPT.replace("METHOD: 1 / 0", "on_start(self): pass"))
    return tmp_path


@pytest.mark.parametrize(
    ("method", "outcome"),
    [
        ("on_update(self, dt)", "failed and was set aside"),
        ("on_fixed_update(self, dt)", "failed and was set aside"),
        ("on_update_all(query, world, dt)", "failed and was set aside"),
        ("on_create(self)", "failed"),
        ("on_start(self)", "failed"),
        ("on_frame(self, alpha)", "failed"),
    ],
)
def test_a_script_that_fails_ends_the_run_with_2(rish: Any, game: Path, method: str, outcome: str) -> None:
    """A run in which a script failed ends with 2 and a line that names it, or with the code of the game."""
    source = SCRIPT.replace("METHOD", method)
    (game / "plugin.py").write_text(source.replace("    def on_update_all", "    @staticmethod\n    def on_update_all"))
    said = rish("run", game, "--headless", "--frames", "5")
    assert said.code == 2
    assert said.err.splitlines()[-2] == f"rish: script 'game.Mover' {outcome}: see above"
    assert rish("run", game, "--headless", "--frames", "5", "--on-error", "disable").code == 0


@pytest.mark.parametrize("rule", ["tick: {set: {score: 1 / 0}}", "when 1 / score > 2: {set: {score: 1}}"])
def test_a_rule_that_fails_ends_the_run_with_2(rish: Any, game: Path, rule: str) -> None:
    """A run in which a rule failed, or its condition, ends with 2 and a line that names its place."""
    (game / "game.yaml").write_text(f"{MANIFEST}variables: {{score: 0.0}}\non:\n  {rule}\n")
    said = rish("run", game, "--headless", "--frames", "5")
    assert said.code == 2
    assert re.search(r"rish: the rule at .*game.yaml:10:\d+ failed and was skipped: see above", said.err)
    assert rish("run", game, "--headless", "--frames", "5", "--on-error", "disable").code == 0


def test_a_run_without_a_failure_ends_with_0(rish: Any, game: Path) -> None:
    """The same game without a mistake ends with 0 and prints nothing."""
    said = rish("run", game, "--headless", "--frames", "5")
    assert (said.code, said.err) == (0, "")
