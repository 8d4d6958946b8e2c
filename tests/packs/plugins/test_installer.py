"""uv and pip are run and understood."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from long_runs import only_long
from rish_ecs import UsageError
from rish_packs.plugins import installer
from rish_packs.plugins.installer import Change, Installer, pip_plan, uv_plan
from small_wheels import write_wheel

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


def wheel_of_pip() -> Iterator[Path]:
    """Yield the wheel of pip that comes with Python, if there is one; pip runs from it."""
    import ensurepip
    import sysconfig

    folders = [Path(ensurepip.__file__).parent / "_bundled", Path(sysconfig.get_config_var("WHEEL_PKG_DIR") or "none")]
    for folder in [*folders, Path("/usr/share/python-wheels")]:
        yield from folder.glob("pip-*.whl")


@only_long
@pytest.mark.slow
def test_pip_installs_from_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The real pip finds a package in a folder of wheels, says what it would install, and installs it."""
    pip = next(wheel_of_pip(), None)
    if pip is None:
        pytest.skip("this Python comes without pip")
    wheels, site = tmp_path / "wheels of \u904a\u6232", tmp_path / "site"
    wheels.mkdir()
    write_wheel(wheels, "gusty", requires=["breezy"])
    write_wheel(wheels, "breezy", plugins=())
    monkeypatch.setenv("PYTHONPATH", str(pip))
    monkeypatch.setenv("PIP_TARGET", str(site))
    program = Installer("pip", [sys.executable, "-m", "pip"], wheels)
    lines: list[str] = []
    plan = program.plan(["gusty"], lines.append)
    assert sorted(plan, key=str) == [Change("breezy", None, "0.3"), Change("gusty", None, "0.3")]
    assert not site.exists()
    program.install(["gusty"], lines.append)
    assert {"breezy.py", "gusty.py"} <= {*os.listdir(site)}
