"""Parts are installed as by a user, from wheels into fresh environments, and bring no more than requested."""

from __future__ import annotations

import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import open_game

pytestmark = pytest.mark.slow

GAMES = Path(__file__).parents[2] / "games"
HEAVY = ("numba", "PIL", "pydantic", "rich", "arcade", "pyglet", "imgui_bundle", "watchfiles")
"""Modules that `import rish_core` must not load."""
NOT_THERE = ("numba", "PIL", "rish_frame", "rish_devtools", "rish_render", "arcade")
"""Modules that must not be installed with the kernel."""


def test_the_roots_wheel_is_empty(wheels: dict[str, Path]) -> None:
    """The root's wheel requires the others and has no module, so that nothing is installed twice."""
    with zipfile.ZipFile(wheels["rish"]) as wheel:
        assert all(".dist-info/" in name for name in wheel.namelist())


@pytest.mark.parametrize("name", ["rish-core", "rish-render"])
def test_wheels_hold_the_package_and_nothing_else(wheels: dict[str, Path], name: str) -> None:
    """A wheel has the package, without tests and caches."""
    with zipfile.ZipFile(wheels[name]) as wheel:
        tops = {entry.partition("/")[0] for entry in wheel.namelist()}
        assert not [entry for entry in wheel.namelist() if "__pycache__" in entry]
    assert {top for top in tops if not top.endswith(".dist-info")} == {name.replace("-", "_")}


def test_the_kernel_alone_brings_nothing_heavy(core_only: Any) -> None:
    """The kernel is installed without numba, Pillow and plugins, and importing it loads only the expected modules."""
    code = f"""
import importlib.util, sys
print([name for name in {NOT_THERE!r} if importlib.util.find_spec(name)])
from rish_core import *
print([name for name in {HEAVY!r} if name in sys.modules])
"""
    assert core_only.run("python", "-c", code).split("\n")[:2] == ["[]", "[]"]


def test_the_kernel_alone_plays_a_game_with_the_same_bits(core_only: Any, orbit: Path) -> None:
    """Without numba a game runs, and ends in the same state as with numba."""
    there = core_only.run("rish", "run", str(orbit), "--headless", "--frames", "120", "--hash")
    with open_game(orbit, headless=True, installed=[]) as app:
        app.run(frames=120)
        assert there == f"hash {app.world.hash()}\n"


def test_a_game_of_yaml_alone_plays_on_the_kernel_alone(core_only: Any, tmp_path: Path) -> None:
    """With only the kernel and its commands a game without code runs, and ends in the same state as here."""
    folder = tmp_path / "stones"
    folder.mkdir()
    (folder / "game.yaml").write_text(
        "rish: 1\ngame: {title: Stones, seed: 3}\nlayers: [world, {hud: {space: screen}}]\n"
        "prefabs:\n  stone: {Transform: {scale: [2, 2]}, tags: [hard]}\n"
        "scenes:\n  main:\n    - {prefab: stone, count: 40, at: {random: [0, 0, 100, 100]}}\n"
    )
    assert "fine (1 scene, 1 plugin)" in core_only.run("rish", "check", str(folder))
    there = core_only.run("rish", "run", str(folder), "--headless", "--frames", "60", "--hash")
    with open_game(folder, headless=True, installed=[]) as app:
        app.run(frames=60)
        assert there == f"hash {app.world.hash()}\n"


def test_the_kernel_alone_has_all_its_commands(core_only: Any, with_tools: Any, orbit: Path) -> None:
    """The kernel's commands need no plugin, and the tools add theirs."""
    assert "no plugins are installed" in core_only.run("rish", "plugins")
    assert "fine" in core_only.run("rish", "check", str(orbit))
    doctor, schema, warmup = with_tools.rish(("doctor",), ("schema", "--game", str(orbit)), ("warmup", str(orbit)))
    assert "pip install pillow" in doctor
    assert '"title": "A Rish game"' in schema
    assert "nothing to compile" in warmup


def test_with_render_there_are_pictures(with_pictures: Any, tmp_path: Path) -> None:
    """A text in a real font, shapes, a PNG and a GIF can be drawn with wheels alone."""
    pictures = [tmp_path / "hello.png", tmp_path / "hello.gif"]
    captures = [option for path in pictures for option in ("--capture", str(path))]
    with_pictures.run("rish", "run", str(GAMES / "hello"), "--headless", "--frames", "2", *captures)
    assert all(path.stat().st_size > 1000 for path in pictures)


def test_a_new_game_passes_its_own_tests(with_scripts: Any, tmp_path: Path) -> None:
    """Outside the repository a game can be created, given another script, and tested with its author's packages."""
    game = tmp_path / "pond"
    with_scripts.rish(("new", "game", "pond", "--into", str(tmp_path)), ("new", "script", "Owl", "--into", str(game)))
    assert "4 passed" in with_scripts.run("python", "-m", "pytest", "-q", "-p", "no:cacheprovider", cwd=game)


def test_a_plugin_written_from_the_readme_runs(
    wheels: dict[str, Path], with_pictures: Any, readme_block: Callable[[str], str], tmp_path: Path
) -> None:
    """The README's plugin, installed with pip and found by its entry point, pushes Breakout's ball."""
    folder = tmp_path / "rish-gust"
    folder.mkdir()
    for name in ("rish_gust.py", "pyproject.toml"):
        (folder / name).write_text(readme_block(f"rish-gust/{name}"), encoding="utf-8")
    with_pictures.install_ours(wheels, "rish-ui")
    with_pictures.install(folder)
    assert "rish-gust 0.1.0" in with_pictures.run("rish", "plugins")
    breakout = shutil.copytree(GAMES / "breakout", tmp_path / "breakout", ignore=shutil.ignore_patterns("__pycache__"))
    start = ("run", str(breakout), "--set", "scene=play", "--speed", "max", "--frames", "120", "--hash")
    calm, unused, blown = with_pictures.rish(
        start, (*start, "--with", "gust"), (*start, "--with", "gust", "--set", "prefabs.ball.Gust.strength=60")
    )
    assert unused == calm
    assert blown != calm
