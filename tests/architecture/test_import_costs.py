"""Imports stay small: which libraries the kernel, its lists and the plugins may load, measured in one process.

The steps of `STEPS` run one after another in a new process. What a step loads for the first time counts for that step;
no earlier step may load a library that a later one must not load.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import rish_core
from rish_core.plugin.discovery import installed_plugins
from rish_devtools.conformance.clauses.importing import HEAVY

ALLOWED = {"numpy", "packaging", "pluggy", "yaml", "_yaml", "rish_core", "rish_ecs", "rish_jit", "rish_system"}
"""The modules that `import rish_core` and its public modules may load in addition to the standard library."""
KERNEL = Path(rish_core.__file__).parent
MODULES = [
    ".".join(("rish_core", *parts))
    for parts in sorted(path.relative_to(KERNEL).with_suffix("").parts for path in KERNEL.rglob("*.py"))
    if parts[0] != "testing" and parts[-1] not in ("__init__", "__main__")
]
"""All modules of the kernel."""
PLUGINS = sorted({each.value.partition(":")[0] for each in installed_plugins() if each.value.startswith("rish_")})
LISTS = [["--help"], ["--version"], ["plugins"], ["plugins", "--json"], ["chek"]]
STEPS = {
    "package": "import rish_core",
    **{
        f"rish {' '.join(arguments)}": (
            "from rish_core.launcher import main\n"
            f"with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):\n"
            f"    main({arguments!r})"
        )
        for arguments in LISTS
    },
    "discovery": "from rish_core.plugin.discovery import installed_plugins\ninstalled_plugins()",
    "names": "for name in rish_core.__all__: getattr(rish_core, name)",
    "modules": f"for name in {MODULES!r}: importlib.import_module(name)",
    "schema": "import rish_devtools.jsonschema",
    **{
        plugin: (
            f"found = importlib.import_module({plugin!r})\n"
            "backends = getattr(found, 'rish_backends', None)\n"
            "if backends is not None: backends()"
        )
        for plugin in PLUGINS
    },
    "game": (
        "from rish_core import App, parse_manifest\n"
        "text = 'rish: 1\\nscenes: {main: [{Transform: {}}]}'\n"
        "with App(parse_manifest(text), headless=True, installed=[]) as app: app.run(5)"
    ),
}
"""The steps, each a name and a program."""
MEASURE = """
import contextlib, importlib, io, json, sys
seen, found, space = set(sys.modules), {}, dict(globals())
for step, program in json.loads(sys.argv[1]).items():
    exec(program, space)
    found[step] = sorted({name.partition(".")[0] for name in set(sys.modules) - seen} - set(sys.stdlib_module_names))
    seen |= set(sys.modules)
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def loaded() -> dict[str, set[str]]:
    """For each step the packages, outside the standard library, of which it loads modules first."""
    command = [sys.executable, "-I", "-c", MEASURE, json.dumps(STEPS)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    hidden = ("__editable", "_virtualenv", "cython", "_cython")
    found: dict[str, list[str]] = json.loads(done.stdout.splitlines()[-1])
    return {step: {name for name in names if not name.startswith(hidden)} for step, names in found.items()}


@pytest.mark.slow
def test_the_package_alone_loads_nothing(loaded: dict[str, set[str]]) -> None:
    """`import rish_core` loads no library; public names are loaded at first use."""
    assert loaded["package"] == {"rish_core", "rish_jit"}


@pytest.mark.parametrize("step", ["discovery", *(f"rish {' '.join(arguments)}" for arguments in LISTS)])
def test_help_and_lists_import_no_plugin_and_no_numpy(loaded: dict[str, set[str]], step: str) -> None:
    """Help, lists and the discovery of plugins load neither plugins nor numpy."""
    assert loaded[step] <= {"rish_cli", "rish_core", "rish_ecs", "rish_jit", "rish_system"}


def test_the_kernel_loads_only_what_it_requires(loaded: dict[str, set[str]]) -> None:
    """Loading all public names and all modules of the kernel loads only its requirements."""
    assert len(MODULES) > 60
    assert "numpy" in loaded["names"]
    assert loaded["names"] | loaded["modules"] <= ALLOWED


@pytest.mark.parametrize("step", ["schema", *PLUGINS])
def test_the_import_of_a_plugin_is_light(loaded: dict[str, set[str]], step: str) -> None:
    """Importing a plugin and listing its backends loads no heavy library; the first frame or step does."""
    assert not loaded[step] & HEAVY


def test_a_game_without_a_renderer_loads_no_library_of_drawing(loaded: dict[str, set[str]]) -> None:
    """A game without a renderer loads no graphics library, and only pydantic for the manifest's check."""
    assert not loaded["game"] & (HEAVY - {"pydantic"})
