"""What every user pays does not grow unnoticed: imported modules and sizes of wheels have limits, in `limits.toml`."""

from __future__ import annotations

import io
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LIMITS: dict[str, Any] = tomllib.loads((ROOT / "tests" / "limits.toml").read_text(encoding="utf-8"))
FOLDERS = {
    path.parent.name: path.parent for path in [*ROOT.glob("*/*/pyproject.toml"), ROOT / "rish_core/pyproject.toml"]
}
COUNT = "import sys\nbefore = {{*sys.modules}}\n{}\nprint(len({{*sys.modules}} - before))"
PROGRAMS = {
    "import rish_core": "import rish_core",
    "a game without plugins": (
        "from rish_core import App, parse_manifest\n"
        "text = 'rish: 1\\nscenes: {main: [{Transform: {}}]}'\n"
        "with App(parse_manifest(text), headless=True, installed=[]) as app: app.run(5)"
    ),
}


def packed_size(folder: Path) -> int:
    """Return the bytes of a compressed archive of a package's source, which is about the size of its wheel."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted((folder / "src").rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                file.write(path, path.relative_to(folder))
    return archive.tell()


def test_every_package_has_a_limit() -> None:
    """Each package of the workspace has a limit of its size, and no other."""
    assert sorted(LIMITS["wheel"]) == sorted(FOLDERS)


@pytest.mark.parametrize("name", sorted(FOLDERS))
def test_a_wheel_keeps_its_size(name: str) -> None:
    """The compressed source of a package has at most the kilobytes that it is allowed."""
    assert packed_size(FOLDERS[name]) <= LIMITS["wheel"][name] * 1000


@pytest.mark.parametrize("name", PROGRAMS)
def test_imports_keep_their_number(name: str) -> None:
    """The import of the kernel, and a game without plugins, load at most the modules that they are allowed."""
    program = COUNT.format(PROGRAMS[name])
    done = subprocess.run([sys.executable, "-I", "-c", program], capture_output=True, text=True, check=True)
    assert int(done.stdout) <= LIMITS["modules"][name]
