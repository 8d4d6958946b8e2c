"""The ways into the conformance kit: tests of pytest, a command, a page that lists all clauses."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rish_core import UnknownName
from rish_core.launcher import main
from rish_devtools.conformance import CLAUSES, plugins_named, run

PAGE = Path(__file__).parents[3] / "docs" / "conformance.md"
ROW = re.compile(r"^\| (C\d\d) \| (.+?) \| (.+?) \|$", re.M)


def test_clauses_have_numbers_and_sentences() -> None:
    """Each clause has a number of its own, a promise about the plugin, and a description of how it is checked."""
    assert len({each.id for each in CLAUSES}) == len(CLAUSES) > 25
    for each in CLAUSES:
        assert re.fullmatch(r"C\d\d", each.id)
        assert re.match(
            r"(It|Its|Every|Each|What|Fields|Frames|A game|A running game|A snapshot|The same seed) ", each.title
        )
        assert each.doc or each.check is None
        assert {*each.needs} <= {other.id for other in CLAUSES}


def test_the_page_lists_all_clauses() -> None:
    """The page of the kit has a row for each clause, with the same promise."""
    rows = {number: title for number, title, _ in ROW.findall(PAGE.read_text(encoding="utf-8"))}
    assert rows == {each.id: each.title for each in CLAUSES}


def test_unknown_plugins_and_clauses_are_named() -> None:
    """A plugin that is not installed, and a clause that does not exist, are errors that name the nearest."""
    assert plugins_named(["basics,frame", "basics"]) == ["basics", "frame"]
    assert {"basics", "physics"} <= {*plugins_named(["all"])}
    with pytest.raises(UnknownName, match="basics"):
        plugins_named(["basix"])
    with pytest.raises(UnknownName, match="basics"):
        run("basix")
    with pytest.raises(UnknownName, match="C99"):
        run("basics", ["C99"])


@pytest.mark.slow
def test_the_command_lists_checks_and_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    """`rish conformance` lists the clauses, checks a plugin, and refuses a call without a plugin."""
    assert main(["conformance", "--list"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(CLAUSES)
    assert main(["conformance", "basics", "--clause", "C14"]) == 0
    assert capsys.readouterr().out == "basics: fine (1 clause)\n"
    assert main(["conformance"]) == 2
    assert "rish plugins" in capsys.readouterr().err


def pytest_run(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run pytest in an empty folder."""
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-v", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_each_clause_is_a_test_of_pytest(tmp_path: Path) -> None:
    """`pytest --rish-conformance` checks each clause as a test with a readable name, and leaves out other tests."""
    (tmp_path / "test_other.py").write_text("def test_other(): raise SystemError\n")
    done = pytest_run("--rish-conformance", "basics", "-k", "C14 or C15", folder=tmp_path)
    assert "conformance/basics: C14 every setting is described and has a range PASSED" in done.stdout
    assert "2 passed" in done.stdout
    assert done.returncode == 0
    assert "did you mean 'basics'?" in pytest_run("--rish-conformance", "basix", folder=tmp_path).stderr
