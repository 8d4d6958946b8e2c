"""The workflows of the repository's host: all versions of Python and systems at each push, long tests once a week."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import yaml
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[2]


def workflow(name: str = "tests") -> dict[str, Any]:
    """Return the jobs of a workflow."""
    return yaml.safe_load((ROOT / ".github" / "workflows" / f"{name}.yml").read_text(encoding="utf-8"))["jobs"]


def script_line(beginning: str) -> str:
    """Return the line of `.ci/run` that begins so."""
    lines = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(beginning))


def test_each_version_of_python_is_tested_on_each_system() -> None:
    """The matrix has the minor versions that `requires-python` accepts; Linux runs all checks with the oldest."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    accepted = SpecifierSet(project["requires-python"])
    versions = [f"3.{minor}" for minor in range(30) if accepted.contains(f"3.{minor}.9")]
    jobs = workflow()
    assert jobs["tests"]["strategy"]["matrix"]["python"] == versions
    systems = {name.partition("-")[0] for name in jobs["tests"]["strategy"]["matrix"]["system"]}
    assert systems == {"ubuntu", "windows", "macos"}
    assert versions[0] in str(jobs["linux"]["steps"])


def test_linux_runs_the_checks_of_the_repository() -> None:
    """The script that runs everything is run as it is, with the system packages that it would install itself."""
    commands = [str(step.get("run", "")) for step in workflow()["linux"]["steps"]]
    assert "bash .ci/run" in commands
    names = script_line("packages=").partition('"')[2].strip('"')
    assert set(names.split()) <= set(" ".join(commands).split())


def test_the_lowest_versions_are_tested() -> None:
    """One job installs the lowest versions that the packages accept, and runs a game and the tests with them."""
    commands = " ".join(str(step.get("run", "")) for step in workflow()["lowest"]["steps"])
    assert "uv sync --resolution lowest-direct" in commands
    assert "uv run --no-sync pytest" in commands


def test_long_tests_run_with_all_tools() -> None:
    """The weekly job runs everything whole, with the system packages and the groups of `.ci/run`."""
    steps = workflow("long")["long"]["steps"]
    commands = " ".join(str(step.get("run", "")) for step in steps)
    assert {*script_line("packages=").partition('"')[2].strip('"').split()} <= {*commands.split()}
    assert script_line("uv sync").replace(" -q", "") in commands
    whole = next(step for step in steps if "pytest" in str(step.get("run", "")))
    assert whole["env"]["RISH_LONG"] == "1"
    assert "-m" not in whole["run"].split()
