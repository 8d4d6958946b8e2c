"""The program that manages the environment is found, run and understood."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path

import pytest

from rish_ecs import UsageError
from rish_packs.plugins import installer
from rish_packs.plugins.installer import Change, Installer, find_installer, pip_plan, uv_plan

UV = """\
Resolved 2 packages in 606ms
Would download 1 package
 - numpy==2.4.6
 - rish-wind==0.1.0 (from file:///clone/rish-wind)
 + cowsay==6.1
 + numpy==1.26.4
 + Rish_Wind @ file:///wheels/rish_wind-0.1.0-py3-none-any.whl
"""


def test_the_plan_of_uv_is_read() -> None:
    """Packages that uv would install are read with their versions; one from a file has none."""
    assert uv_plan(UV.splitlines()) == {"cowsay": "6.1", "numpy": "1.26.4", "rish-wind": None}


def test_the_plan_of_pip_is_read() -> None:
    """The report of pip is read, also after lines of warnings; another text is an error."""
    report = {"install": [{"metadata": {"name": "Cow_Say", "version": "6.1"}}]}
    assert pip_plan(["WARNING: old", *json.dumps(report, indent=1).splitlines()]) == {"cow-say": "6.1"}
    with pytest.raises(UsageError, match="report"):
        pip_plan(["nothing"])


@pytest.mark.parametrize(
    ("of_uv", "uv", "pip", "name"),
    [(True, True, True, "uv"), (True, False, True, "pip"), (False, True, True, "pip"), (False, True, False, "uv")],
)
def test_the_program_of_the_environment_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, of_uv: bool, uv: bool, pip: bool, name: str
) -> None:
    """An environment that uv has made is managed by uv, others by pip if it is there."""
    (tmp_path / "pyvenv.cfg").write_text("home = /usr\n" + "uv = 0.9\n" * of_uv)
    monkeypatch.setattr(sys, "prefix", str(tmp_path))
    monkeypatch.setattr(shutil, "which", lambda word: "/bin/uv" if uv else None)
    monkeypatch.setattr("importlib.util.find_spec", lambda word: object() if pip else None)
    assert find_installer().name == name


def test_without_a_program_the_next_step_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """If there is neither uv nor pip, the message names both."""
    monkeypatch.setattr(shutil, "which", lambda word: None)
    monkeypatch.setattr("importlib.util.find_spec", lambda word: None)
    with pytest.raises(UsageError, match=r"neither uv nor pip.*ensurepip"):
        find_installer()


def program(text: str) -> Installer:
    """Return an installer that runs a Python program."""
    return Installer("pip", [sys.executable, "-S", "-c", text])


def test_changes_have_the_installed_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A plan says which version each package has now."""
    monkeypatch.setattr(installer, "installed", lambda: {"numpy": "2.0"})
    report = {"install": [{"metadata": {"name": name, "version": "3"}} for name in ("numpy", "cow")]}
    plan = program(f"print({json.dumps(report)!r})").plan(["cow"], lambda line: None)
    assert plan == [Change("numpy", "2.0", "3"), Change("cow", None, "3")]


def test_a_failure_has_the_end_of_the_output() -> None:
    """If the program fails, the error has its last lines, and each line was passed on."""
    lines: list[str] = []
    with pytest.raises(UsageError, match=r"pip could not install cow:\nlooking\nno cow"):
        program("print('looking'); print('no cow'); raise SystemExit(1)").install(["cow"], lines.append)
    assert lines == ["pip install cow", "looking", "no cow"]
