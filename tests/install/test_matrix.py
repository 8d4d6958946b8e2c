"""Every combination of packages that makes sense is installed by itself, imports only what it requires, and plays.

`RISH_LONG=1` tests all combinations, otherwise a sample.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, parse_manifest
from rish_core.plugin import installed_plugins

pytestmark = pytest.mark.slow

BODY = "{at: [0, 9], Transform: {}, Body: {}, Collider: {}}"
GROUND = "{Transform: {}, Body: {type: static}, Collider: {size: [99, 2]}}"
SHAPE = "{Transform: {}, Shape: {}}"


@dataclass(frozen=True)
class Combination:
    """Packages that a user may install together, and the entries of a scene that use their plugins.

    plugins: the manifest's. commands: which `rish --help` lists then.
    """

    packages: str
    plugins: str = ""
    scene: tuple[str, ...] = ("{Transform: {}}",)
    commands: str = ""
    sample: bool = False


COMBINATIONS = {
    "core": Combination("rish-core"),
    "physics": Combination("rish-physics", "physics", (BODY, GROUND), sample=True),
    "teach": Combination("rish-teach", "teach", (BODY, GROUND)),
    "render": Combination("rish-render", "render", (SHAPE,)),
    "frame": Combination("rish-frame", "frame"),
    "animation": Combination("rish-animation", "animation", ("{Transform: {}, MotionPath: {}}",)),
    "audio": Combination("rish-audio", "audio", ("{Transform: {}, AudioListener: {}}",)),
    "basics": Combination("rish-basics", "basics", ("{Transform: {}, Lifetime: {seconds: 0.2}}",)),
    "history": Combination("rish-history", "history", commands="record replay migrate"),
    "net": Combination("rish-net", "net", commands="host join"),
    "rules": Combination("rish-rules", "rules"),
    "scripts": Combination("rish-scripts", "scripts"),
    "space3d": Combination(
        "rish-space3d", "space3d", ("{Transform3D: {rotation: [0, 90, 0]}, Transform: {}, Flat: {}}",)
    ),
    "physics3d": Combination(
        "rish-physics3d", "physics3d", ("{Transform3D: {}, Body3D: {}, Collider3D: {}}",), commands="decompose"
    ),
    "scene3d": Combination("rish-scene3d", "scene3d", ("{Transform3D: {}, Model3D: {}}",)),
    "ui": Combination("rish-ui", "ui", ("{Screen: {}, children: [{Button: {text: Play}}]}",)),
    "particles": Combination("rish-particles", "particles", ("{Transform: {}, Emitter: {preset: fire}}",)),
    "lighting": Combination("rish-lighting", "lighting", ("{Transform: {}, Light: {}}",)),
    "devtools": Combination("rish-devtools", "profile", commands="conformance doctor schema"),
    "server": Combination(
        "rish-physics rish-rules rish-history rish-basics", "physics, rules, history, basics", (BODY, GROUND)
    ),
    "physics and render": Combination("rish-physics rish-render", "physics, render", (BODY, GROUND, SHAPE)),
    "terminal": Combination("rish-terminal", "terminal", (SHAPE,)),
    "editor": Combination("rish-editor", "render", (SHAPE,), commands="edit"),
    "all": Combination("rish[all]", "render, physics, particles, lighting", (BODY, GROUND, SHAPE)),
}
LONG = bool(os.environ.get("RISH_LONG"))
CHOSEN = [name for name, one in COMBINATIONS.items() if LONG or one.sample]
IMPORT_ALL = """
import importlib, pkgutil, sys
failed = {}
for package in sorted({found.name for found in pkgutil.iter_modules() if found.name.startswith("rish_")}):
    for found in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if ".templates" in found.name or found.name.endswith("__main__"):
            continue
        try:
            importlib.import_module(found.name)
        except ImportError as error:
            failed[found.name] = error.name or str(error)
print(failed)
"""
TOOLS = re.compile(r"\.(editing|testing|inspectors|gizmos|panel)\b")
"""Modules for tools, which may need the tool's own packages: the editor, pytest."""


def manifest(one: Combination) -> str:
    """Return the manifest of a game that uses the plugins of a combination."""
    entries = "\n".join(f"    - {entry}" for entry in one.scene)
    return f"rish: 1\ngame: {{title: Matrix, seed: 5}}\nplugins: [{one.plugins}]\nscenes:\n  main:\n{entries}\n"


@pytest.mark.parametrize("name", CHOSEN)
def test_a_combination_plays(name: str, wheels: dict[str, Path], fresh: Any, tmp_path: Path) -> None:
    """In a fresh environment the packages import only what they require, and a game has the hash that it has here."""
    one, here = COMBINATIONS[name], fresh
    here.install_ours(wheels, "rish-cli", *_members(one, wheels))
    game = tmp_path / "game"
    game.mkdir()
    (game / "game.yaml").write_text(manifest(one))
    help_text = here.run("rish", "--help")
    assert all(re.search(rf"^  {command} ", help_text, re.MULTILINE) for command in one.commands.split())
    checked, doctor, there = here.rish(
        ("check", str(game)), ("plugins", "doctor"), ("run", str(game), "--headless", "--frames", "60", "--hash")
    )
    assert "fine" in checked
    assert doctor.count("!!") == 0
    assert there.splitlines()[-1] == f"hash {_hash_here(one)}"
    failed: dict[str, str] = eval(here.run("python", "-c", IMPORT_ALL))
    assert {module: missing for module, missing in failed.items() if not TOOLS.search(module)} == {}


def _members(one: Combination, wheels: dict[str, Path]) -> list[str]:
    """Return the names of a combination's packages; `rish[all]` stands for every plugin."""
    return [name for name in wheels if name != "rish"] if one.packages == "rish[all]" else one.packages.split()


def _hash_here(one: Combination) -> Any:
    """Return the hash of the game where everything is installed, after it was closed, as the command prints it."""
    with App(parse_manifest(manifest(one)), headless=True, policy="raise") as app:
        app.run(60)
    return app.world.hash()


def test_every_plugin_is_in_a_combination() -> None:
    """Each package with a plugin is installed by itself in one combination, or is a part of one."""
    named = {package for one in COMBINATIONS.values() for package in one.packages.split()}
    ours = {found.distribution for found in installed_plugins() if found.distribution.startswith("rish-")}
    outside = {path.name for path in (Path(__file__).parents[2] / "examples" / "plugins").iterdir()}
    assert ours - outside <= named
