"""Installed plugins that are edited while a game runs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rish_core import App, find, read_manifest
from rish_reload import modules_of, reload_package
from rish_scripts import plugin as scripts
from rish_scripts.reload import Reload

PLUGIN = """\
from rish_core import Stage, Transform, system

from .parts import Gust
from .rules import STEP


@system(Stage.UPDATE, reads=Gust, writes=Transform)
def blow(world, dt):
    blown = world.query(Gust, Transform)
    with blown.edit(Transform.position) as position:
        position[:, 0] += STEP


def rish_components():
    return [Gust]


def rish_systems():
    return [blow]
"""
PARTS = '''\
from rish_core import component


@component
class Gust:
    """Wind."""

    strength: float = 1.0
'''
GAME = """\
from breeze import Gust
from rish_core import Stage, system


@system(Stage.UPDATE, writes=Gust)
def tire(world, dt):
    gusts = world.query(Gust)
    with gusts.edit(Gust.strength) as strength:
        strength -= 0.25


def rish_systems():
    return [tire]
"""
YAML = """\
rish: 1
plugins: [scripts, breeze]
scenes: {main: [{name: leaf, Transform: {}, Gust: {strength: 8}}]}
"""


class Workshop:
    """A game, and a package beside it that is imported as `breeze`."""

    def __init__(self, folder: Path) -> None:
        self.package, self.game = folder / "src" / "breeze", folder / "game"
        self.package.mkdir(parents=True)
        self.game.mkdir()
        self.write("__init__.py", "from .parts import Gust\n")
        self.write("parts.py", PARTS)
        self.write("rules.py", "STEP = 1\n")
        self.write("plugin.py", PLUGIN)
        (self.game / "game.yaml").write_text(YAML)

    def write(self, name: str, text: str) -> Path:
        """Save a file of the package."""
        (self.package / name).write_text(text)
        return self.package / name

    def start(self, *develop: str) -> App:
        """Start the game, with a reload of these plugins."""
        import breeze.plugin  # pyright: ignore[reportMissingImports]

        app = App(
            read_manifest(self.game), headless=True, policy="raise", installed=[],
            extra={"scripts": scripts, "breeze": breeze.plugin},
        )  # fmt: skip
        app.world[Reload].begin(app, watch=False, develop=develop or ("breeze",))
        app.tick()
        return app

    def save(self, app: App, name: str, text: str) -> None:
        """Save a file and report it to the game."""
        app.world[Reload].changed([self.write(name, text)])
        app.world[Reload].take(app.world)


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workshop]:
    """A package on Python's path, whose modules are removed afterwards."""
    made = Workshop(tmp_path)
    monkeypatch.syspath_prepend(str(made.package.parent))
    yield made
    for name in modules_of("breeze"):
        del sys.modules[name]


def at(app: App) -> tuple[float, float]:
    """Return the place of the leaf and the strength of its wind."""
    world: Any = app.world
    leaf = find(world, "leaf")
    gust = world.kind("Gust")
    return float(world.get(leaf, world.kind("Transform")).position[0]), float(world.get(leaf, gust).strength)


def test_a_saved_module_of_the_package_is_what_runs(workshop: Workshop) -> None:
    """A saved module is used from the next tick; the state stays, and unedited modules of the package are reloaded."""
    app = workshop.start()
    assert at(app) == (1, 8)
    workshop.save(app, "rules.py", "STEP = 100\n")
    app.tick()
    assert at(app) == (101, 8)
    workshop.save(app, "rules.py", "STEP = 300\n")
    app.tick()
    assert at(app) == (401, 8)
    assert app.world[Reload].count == 2
    app.close()


def test_a_component_gets_a_field_and_the_games_own_code_follows(workshop: Workshop) -> None:
    """The game's plugin, which imports the class from the package, is reloaded with it."""
    (workshop.game / "plugin.py").write_text(GAME)
    app = workshop.start()
    assert at(app) == (1, 7.75)
    workshop.save(app, "parts.py", PARTS + "    length: float = 2.5\n")
    app.tick()
    assert at(app) == (2, 7.5)
    world: Any = app.world
    assert world.get(find(world, "leaf"), world.kind("Gust")).length == 2.5
    import breeze  # pyright: ignore[reportMissingImports]

    assert breeze.Gust is world.kind("Gust")
    app.close()


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("rules.py", "STEP = \n", "rules.py:1:8: SyntaxError"),
        ("rules.py", "STEP = 1 / 0\n", "rules.py:1: ZeroDivisionError"),
        ("plugin.py", PLUGIN.replace("[Gust]", "[Gst]"), "NameError: name 'Gst' is not defined"),
        ("parts.py", PARTS.replace("class Gust", "class Blast"), "cannot import name 'Gust'"),
    ],
)
def test_bad_code_is_shown_and_harmless(workshop: Workshop, name: str, text: str, said: str) -> None:
    """With broken code the game continues with the old modules, and the next good save is used."""
    app = workshop.start()
    before = modules_of("breeze")
    workshop.save(app, name, text)
    assert said in app.world[Reload].problems[0]
    assert modules_of("breeze") == before
    app.tick()
    assert at(app) == (2, 8)
    workshop.save(app, name, {"rules.py": "STEP = 5\n", "plugin.py": PLUGIN, "parts.py": PARTS}[name])
    assert app.world[Reload].problems == []
    app.tick()
    assert at(app) == (7 if name == "rules.py" else 3, 8)
    app.close()


def test_only_what_is_named_is_reloaded(workshop: Workshop, told: list[str]) -> None:
    """Only named plugins are reloaded; a name that can't be reloaded is reported at the start, with the reason."""
    app = workshop.start("breze", "core")
    workshop.save(app, "rules.py", "STEP = 100\n")
    app.tick()
    assert at(app) == (2, 8)
    assert told[0] == (
        "settings.scripts.develop: 'breze' can't be reloaded: no plugin of this name is loaded (did you mean 'breeze'?)"
    )
    app.close()


def test_a_package_is_loaded_from_its_texts(workshop: Workshop) -> None:
    """A package is loaded from its source, also within the second in which Python's bytecode cache was written."""

    reload_package("breeze.rules")
    for step in (2, 3, 4):
        workshop.write("rules.py", f"STEP = {step}\n")
        module, before = reload_package("breeze.rules")
        assert step == module.STEP
        assert before["breeze.rules"] is not module
        assert sys.modules["breeze.rules"] is module


@pytest.mark.parametrize("develop", ["[breeze]", "[]"])
def test_the_setting_names_them(workshop: Workshop, develop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """`settings: scripts: develop:` names the plugins; their folders are watched in addition to the game's."""
    import breeze.plugin  # pyright: ignore[reportMissingImports]

    settings = f"settings: {{scripts: {{reload: poll, develop: {develop}}}}}\n"
    (workshop.game / "game.yaml").write_text(YAML.replace("scenes", settings + "scenes"))
    app = App(
        read_manifest(workshop.game), headless=True, installed=[],
        extra={"scripts": scripts, "breeze": breeze.plugin},
    )  # fmt: skip
    folders = [watcher.folder for watcher in app.world[Reload].watchers]
    assert folders == [workshop.game, workshop.package] if develop != "[]" else [workshop.game]
    app.close()
