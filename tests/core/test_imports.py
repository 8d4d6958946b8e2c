"""The kernel's imports stay small: which modules an import may load."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

import rish_core

HEAVY = (
    "numba",
    "llvmlite",
    "arcade",
    "pyglet",
    "imgui_bundle",
    "pydantic",
    "PIL",
    "rich",
    "watchfiles",
    "scipy",
    "pytest",
)
METADATA = {"importlib_metadata", "zipp", "lazy_importer"}
"""The package importlib-metadata and its dependencies."""
ALLOWED = {"numpy", "packaging", "pluggy", "yaml", "_yaml", "rish_core", "rish_ecs", *METADATA}
"""The modules that `import rish_core` and its public modules may load in addition to the standard library."""


@cache
def loaded(program: str) -> frozenset[str]:
    """Return the top-level modules that a program loads in a separate process."""
    code = (
        "import sys; before = {m.partition('.')[0] for m in sys.modules}\n"
        f"{program}\n"
        "import json; names = {m.partition('.')[0] for m in sys.modules} - before - set(sys.stdlib_module_names)\n"
        "print(json.dumps(sorted(names)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True)
    return frozenset(json.loads(done.stdout.splitlines()[-1]))


def outside(program: str) -> set[str]:
    """Return those of them that belong to installed packages."""
    return {name for name in loaded(program) if not name.startswith(("__editable", "_virtualenv", "cython", "_cython"))}


def test_the_package_alone_loads_nothing() -> None:
    """`import rish_core` loads no library; public names are loaded at first use."""
    assert outside("import rish_core") == {"rish_core", "rish_ecs"}


def test_all_public_names_load_only_what_the_kernel_requires() -> None:
    """Loading every public name loads only the kernel's requirements."""
    found = outside("import rish_core\nfor name in rish_core.__all__: getattr(rish_core, name)")
    assert found <= ALLOWED
    assert "numpy" in found


def test_every_module_loads_only_what_the_kernel_requires() -> None:
    """Loading all modules of the kernel, including commands, loads only its requirements, except for the test kit."""
    root = Path(rish_core.__file__).parent
    names = [path.relative_to(root).with_suffix("").parts for path in sorted(root.rglob("*.py"))]
    modules = [
        ".".join(parts) for parts in names if parts[0] != "testing" and parts[-1] not in ("__init__", "__main__")
    ]
    assert len(modules) > 60
    program = f"import importlib\nfor name in {modules!r}: importlib.import_module('rish_core.' + name)"
    assert outside(program) <= ALLOWED


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["plugins"], ["plugins", "--json"], ["chek"]])
def test_help_and_lists_import_no_plugin_and_no_numpy(arguments: list[str]) -> None:
    """Help and lists load neither plugins nor numpy."""
    program = (
        "import io, contextlib\nfrom rish_core.cli import main\n"
        f"with contextlib.redirect_stdout(io.StringIO()): main({arguments!r})"
    )
    found = outside(program)
    assert found <= {"rish_core", "rish_ecs", *METADATA}
    assert not {name for name in found if name.startswith("rish_") and name not in ("rish_core", "rish_ecs")}


def test_a_game_without_a_renderer_loads_no_library_of_drawing() -> None:
    """A game without a renderer loads no graphics library, and only pydantic for the manifest's check."""
    program = (
        "from rish_core import App, parse_manifest\n"
        "text = 'rish: 1\\nscenes: {main: [{Transform: {}}]}'\n"
        "with App(parse_manifest(text), headless=True, installed=[]) as app: app.run(5)"
    )
    found = outside(program)
    assert not found & (set(HEAVY) - {"pydantic"})


def test_a_plugins_names_cost_nothing_until_they_are_loaded() -> None:
    """Discovery reads entry points and imports no plugin."""
    program = "from rish_core.plugin.discovery import installed_plugins\ninstalled_plugins()"
    assert not {name for name in outside(program) if name.startswith("rish_") and name not in ("rish_core", "rish_ecs")}
