"""`rish new plugin` and `rish new backend` write packages that pass their own tests and linters."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from fresh_python import run_python
from rish_core import launcher
from rish_devtools import new_backend, new_plugin
from rish_ecs import UsageError
from tools import needs

LONGEST = "abcdefghij-abcdefghij-abcdefgh"


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "name"), [("plugin", "my-wind"), ("plugin", LONGEST), ("backend", LONGEST)])
def test_a_new_package_passes_its_own_tests(tmp_path: Path, kind: str, name: str) -> None:
    """Before it is installed its tests pass, and the linter and the formatter find nothing to change."""
    needs("ruff", "lint")
    assert launcher.main(["new", kind, name, "--into", str(tmp_path)]) == 0
    folder = tmp_path / f"rish-{name}"
    quiet = {key: value for key, value in os.environ.items() if not key.startswith(("PYTEST", "RISH_"))}
    for tool in (["ruff", "check"], ["ruff", "format", "--check"], ["pytest", "-q", "-p", "no:cacheprovider"]):
        done = run_python("-m", *tool, cwd=folder, env=quiet)
        assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("write", [new_plugin, new_backend])
def test_a_name_is_put_wherever_it_belongs(tmp_path: Path, write: Any) -> None:
    """Folder, package, entry point and texts have the name, and no word of the template is left."""
    folder = write("my-wind", tmp_path)
    assert folder == tmp_path / "rish-my-wind"
    assert (folder / "src/rish_my_wind/py.typed").is_file()
    assert (folder / ".github/workflows/ci.yml").is_file()
    project = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["name"] == "rish-my-wind"
    assert project["entry-points"]["rish.plugins"] == {"my-wind": "rish_my_wind.plugin"}
    text = "".join(path.read_text(encoding="utf-8") for path in folder.rglob("*") if path.is_file())
    assert not re.findall(r"\b(?:PACKAGE|PLUGIN|TITLE|DISTRIBUTION|CLASS)\b", text)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("My Wind", "Write: rish new plugin my-wind"),
        ("rish-wind", "Write: rish new plugin wind"),
        ("wind_zone", "Write: rish new plugin wind-zone"),
        ("physics", "exists already: rish-physics"),
        ("software", "it is that of a backend of Rish"),
        ("core", "that of the kernel"),
        ("../x", "lower-case letters"),
        ("", "lower-case letters"),
        ("wind-", "lower-case letters"),
        (f"{LONGEST}i", "at most 30"),
        ("full", "rish-full exists already"),
    ],
)
def test_a_name_that_can_not_be_is_refused(tmp_path: Path, name: str, says: str) -> None:
    """The message names the reason and, where there is one, the command to write; nothing is written."""
    (tmp_path / "rish-full").mkdir()
    (tmp_path / "rish-full/thing.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(UsageError, match=re.escape(says)):
        new_plugin(name, tmp_path)
    assert [path.name for path in tmp_path.rglob("*")] == ["rish-full", "thing.txt"]


def test_a_name_is_reserved_where_its_package_is_not_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A published plugin's name is taken on every machine."""
    monkeypatch.setattr("rish_devtools.new.packages.installed_plugins", list)
    with pytest.raises(UsageError, match="exists already: rish-physics"):
        new_plugin("physics", tmp_path)
