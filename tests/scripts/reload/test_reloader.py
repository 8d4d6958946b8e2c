"""The reloader loads good files, and reports a mistake once."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rish_core import Assets, Interventions, Transform, place_of_record
from rish_devtools.strict import StrictError
from rish_frame import NullBackend
from rish_scripts.reload import is_watched

CRATE = '@component\nclass Crate:\n    """Something to hit."""\n\n    hits: int = field(1, low=0)\n'
CRATE += '    label: Chars = "pine"\n    heat: float = 0.25\n\n\n'


def test_the_yard_runs(live) -> None:
    """The test game has no problems, and saving an unchanged file does nothing."""
    assert live.told == []
    assert live.take() == set()
    assert live.take(live.folder / "plugin.py", live.folder / "game.yaml") == set()
    assert live.reload.count == 0
    assert live.edit("walker.py", ("steps += 1", "steps += 10")) == {"game.Walker.reloads"}
    assert live.told == []


BAD_CODE = {
    "a syntax error": ("walker.py", "class Walker(Script:\n", "walker.py:1:"),
    "an unknown name": ("rules.py", "STEP = 1\nSTEP = stepp\n", "rules.py:2: NameError"),
    "an exception at import": (
        "rules.py",
        "raise RuntimeError('no rules today')\n",
        "rules.py:1: RuntimeError: no rules",
    ),
    "a name that is gone": ("walker.py", "from rish_scripts import Script\n", "ImportError"),
    "the end of Python": ("rules.py", "raise SystemExit(3)\n", "rules.py:1: SystemExit"),
    "half a file": ("plugin.py", "from rish_core import component\n\n@component\nclass Cra", "plugin.py:4:"),
    "an empty plugin": ("plugin.py", "", "plugin.py is empty"),
    "a circle of imports": ("rules.py", "from .plugin import Crate\nSTEP = 1\n", "ImportError"),
    "no UTF-8": ("walker.py", b"# \xff\xfe\n", "walker.py"),
    "zero bytes": ("walker.py", b"x = 1\0\n", "walker.py:1:"),
    "a module of elsewhere": ("walker.py", "import walker2_that_is_not\n", "walker2_that_is_not"),
    "no component": ("plugin.py", "def rish_components():\n    return [3]\n", "rish_components"),
    "an unknown hook": ("plugin.py", "def rish_componets():\n    return []\n", "rish_components"),
    "an unknown base": (
        "walker.py",
        "from rish_scripts import Script\nclass Walker(Script):\n    x: object = None\n",
        "x",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("file", "content", "says"), BAD_CODE.values(), ids=BAD_CODE)
def test_bad_code_is_shown_once_and_harmless(live, file: str, content: str | bytes, says: str) -> None:
    """With broken code the old code runs on and the place is reported once; the repaired file is loaded."""
    good, modules = (live.folder / file).read_bytes(), {name for name in sys.modules if name.startswith("_rish_game")}
    assert live.save(file, content) == set()
    assert len(live.told) == 1, live.told
    assert says in live.told[0]
    assert live.reload.problems[0] in live.told[0]
    before = live.resource("game.Score").points
    live.app.frame()
    assert live.resource("game.Score").points == before + 1
    assert live.take(live.folder / file) == set()
    assert live.save("rules2.py", "") == set()
    assert len(live.told) == 1, live.told
    assert {name for name in sys.modules if name.startswith("_rish_game")} == modules
    live.save(file, good.replace(b"hits: int = field(1, low=0)", b"hits: int = field(1, low=0)  # mended") + b"\n")
    assert live.reload.problems == []
    assert live.reload.count == 1


BAD_TEXT = {
    "no YAML": ("scenes:", "scenes: [", "game.yaml:"),
    "an unknown component": ("Lamp: {glow", "Lmap: {glow", "did you mean 'Lamp'"),
    "an unknown field": ("glow: 0.5", "glwo: 0.5", "did you mean 'glow'"),
    "a value out of range": ("{hits: 9}", "{hits: -1}", "out of range"),
    "an unknown prefab": ("{prefab: lamp,", "{prefab: lmap,", "did you mean 'lamp'"),
    "an unknown picture": ("ball.png", "bal.png", "bal.png"),
    "an unknown key": ("[SPACE]", "[SPAZE]", "SPAZE"),
    "a setting of a wrong kind": ("gravity: 9.0", "gravity: strong", "gravity"),
    "an unknown layer": ("layer: world", "layer: wrld", "did you mean 'world'"),
    "an unknown reference": ("target: hero", "target: heron", "did you mean 'hero'"),
}


@pytest.mark.parametrize(
    ("file", "content", "line"),
    [
        ("walker.py", "class Walker(Script:\n", 1),
        ("rules.py", "STEP = 1\nSTEP = stepp\n", 2),
        ("game.yaml", "rish: 1\nplugins: [scripts]\nscens: {}\n", 3),
    ],
)
def test_a_tool_can_open_the_line_of_a_mistake(live, caplog, file: str, content: str, line: int) -> None:
    """The record of a mistake has its file and line, also in code that could not be parsed and in the manifest."""
    live.save(file, content)
    place = next(place_of_record(record) for record in caplog.records if record.levelname == "ERROR")
    assert place is not None
    assert (Path(place.file).name, place.line) == (file, line)


@pytest.mark.slow
@pytest.mark.parametrize(("old", "new", "says"), BAD_TEXT.values(), ids=BAD_TEXT)
def test_bad_text_is_shown_once_and_harmless(live, old: str, new: str, says: str) -> None:
    """With a broken manifest the game stays as before and the line is reported once; the repaired text is loaded."""
    assert live.edit("game.yaml", (old, new)) == set()
    assert len(live.told) == 1, live.told
    assert "game.yaml:" in live.told[0]
    assert says in live.told[0]
    live.app.frame()
    assert live.take(live.folder / "game.yaml") == set()
    assert len(live.told) == 1
    assert live.edit("game.yaml", (new, old), ("each: [1, 2]", "each: [1, 3]")) == {"game.Crate.hits"}
    assert live.reload.problems == []
    assert len(live.told) == 1


def test_a_bad_picture_and_a_bad_shader(live) -> None:
    """A broken image or shader is reported once while the old one is used; a good file is loaded."""
    live.app.frame()
    live.world[Assets].load("ball.png")
    good = (live.folder / "ball.png").read_bytes()
    assert live.save("ball.png", good[:20]) == set()
    assert live.take(live.folder / "ball.png") == set()
    assert [line for line in live.told if "ball.png" in line] == live.told
    assert len(live.told) == 1
    assert live.world[Assets].load("ball.png").shape == (4, 4, 4)
    assert live.save("ball.png", good) == set()
    version = live.resource("render.Shaders").loaded["tint"].shader.version
    live.save("tint.frag", "vec4 shade(Pixel p) { return p.color; ")
    live.app.frame()
    live.save("tint.frag", "uniform float amount = 0.5;\nvec4 shade(Pixel p) { return p.color * amount; }\n")
    live.app.frame()
    assert live.resource("render.Shaders").loaded["tint"].shader.version > version


def test_a_rename_in_two_steps(live) -> None:
    """A field named in the manifest is renamed first in the code, which is rejected, and then in the manifest."""
    assert live.edit("plugin.py", ("hits: int = field(1, low=0)", "blows: int = field(1, low=0)")) == set()
    assert "hits" in live.told[0]
    text = (live.folder / "game.yaml").read_text().replace("hits:", "blows:")
    both = live.save("game.yaml", text)
    pebble = live.edit("plugin.py", ('{"hits": 2}', '{"blows": 2}')) if not both else set()
    assert both | pebble == {"game.Crate.hits", "game.Crate.blows", "game.Walker.reloads"}
    assert live.world.get(live.entity("hero"), live.kind("Crate")).blows == 9
    assert live.reload.problems == []


def test_a_rename_that_says_the_former_name_fits_at_once(live) -> None:
    """With `was=` in the code, the manifest may keep using the old name."""
    changed = live.edit("plugin.py", ("hits: int = field(1, low=0)", "blows: int = field(1, low=0, was='hits')"))
    assert changed == {"game.Crate.hits", "game.Crate.blows", "game.Walker.reloads"}
    assert live.world.get(live.entity("hero"), live.kind("Crate")).blows == 9
    assert live.reload.problems == []


def test_of_two_files_the_good_one_is_taken(live) -> None:
    """While the code is broken the manifest can still be edited, and vice versa."""
    live.save("rules.py", "STEP = (\n")
    assert live.edit("game.yaml", ("{hits: 9}", "{hits: 4}")) == {"game.Crate.hits"}
    assert len(live.told) == 1
    assert len(live.reload.problems) == 1
    live.save("rules.py", "STEP = 5\n")
    assert live.reload.problems == []
    live.edit("game.yaml", ("{hits: 4}", "{hits: x}"))
    assert len(live.told) == 2
    live.save("rules.py", "STEP = 7\n")
    before = live.resource("game.Score").points
    live.app.frame()
    assert live.resource("game.Score").points == before + 7
    assert len(live.told) == 2


def test_a_class_that_the_manifest_names_can_not_go(live) -> None:
    """A class that the manifest still uses is not removed until the manifest changes too."""
    text = (live.folder / "plugin.py").read_text()
    assert (
        live.save(
            "plugin.py",
            text.replace(CRATE, "")
            .replace("[Crate, Lamp", "[Lamp")
            .replace("writes=Crate", "writes=Lamp")
            .replace("world[Crate].heat += 1.0", "pass"),
        )
        == set()
    )
    assert "Crate" in live.told[0]
    assert live.kind("Crate") is not None


def test_a_module_that_is_deleted_and_written_again(live) -> None:
    """While a module is deleted the old code runs; it is loaded once it is written again, as some editors do."""
    path = live.folder / "walker.py"
    text = path.read_text()
    path.unlink()
    assert live.take(path) == set()
    assert "walker" in live.told[0]
    live.app.frame()
    assert live.save("walker.py", text.replace("steps += 1", "steps += 4")) == {"game.Walker.reloads"}
    live.app.frame()
    assert live.world.get(live.entity("hero"), live.kind("Walker")).steps == 6


def test_a_plugin_that_is_deleted(live) -> None:
    """The game continues after its plugin file is deleted."""
    (live.folder / "plugin.py").unlink()
    assert live.take(live.folder / "plugin.py") == set()
    assert "missing" in live.told[0]
    live.app.frame()


@pytest.mark.slow
def test_a_renamed_module(live) -> None:
    """A module and the line that imports it can be renamed together."""
    (live.folder / "walker.py").rename(live.folder / "stroller.py")
    paths = [live.folder / "walker.py", live.folder / "stroller.py"]
    live.write("plugin.py", (live.folder / "plugin.py").read_text().replace("from .walker", "from .stroller"))
    assert live.take(*paths, live.folder / "plugin.py") == {"game.Walker.reloads"}
    assert live.told == []


def test_twice_within_a_moment(live) -> None:
    """The second of two saves of the same size within a second is loaded, not bytecode of the first."""
    for step in (3, 4, 5, 6):
        live.save("rules.py", f"STEP = {step}\n")
        before = live.resource("game.Score").points
        live.app.frame()
        assert live.resource("game.Score").points == before + step


def test_a_hundred_files_at_once(live) -> None:
    """Many modules and images, as from a change of branch, are one reload."""
    names = [f"part{number}" for number in range(60)]
    imports = "".join(f"from . import {name}\n" for name in names)
    plugin = (live.folder / "plugin.py").read_text()
    live.write("plugin.py", plugin.replace("from . import rules", f"{imports}from . import rules"))
    paths = [live.write(f"{name}.py", f"X = {number}\n") for number, name in enumerate(names)]
    paths += [live.write(f"art/p{number}.png", (live.folder / "ball.png").read_bytes()) for number in range(40)]
    assert live.take(live.folder / "plugin.py", *paths) == {"game.Walker.reloads"}
    assert live.reload.count == 1
    for path in paths[:60]:
        path.write_text(path.read_text().replace("X = ", "X = 1"))
    live.take(*paths[:60])
    assert live.reload.count == 2
    assert live.told == []


def test_a_game_that_was_broken_at_the_start(yard: Path, start: Callable[[Path], Any]) -> None:
    """A game whose code could not be imported loads it with the first good save."""
    (yard / "game.yaml").write_text("rish: 1\nplugins: [scripts, render]\nscenes: {main: []}\n")
    text = (yard / "plugin.py").read_text()
    (yard / "plugin.py").write_text(text.replace("from . import rules", "from . import ruels"))
    live = start(yard)
    assert "game" in live.app.plugins.aside
    live.told.clear()
    live.save("plugin.py", text)
    assert live.told == []
    assert "game" in live.app.plugins
    live.app.frame()
    assert live.resource("game.Score").points == 11
    assert live.world.kind("Crate") is not None


def test_a_game_without_code_gets_some(tmp_path: Path, start: Callable[[Path], Any]) -> None:
    """The first `plugin.py` of a game is loaded while it runs."""
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "game.yaml").write_text("rish: 1\nplugins: [scripts, render]\nscenes: {main: [{Transform: {}}]}\n")
    live = start(folder)
    live.save(
        "plugin.py",
        "from rish_core import component\n@component\nclass Box:\n    x: int = 1\n"
        "def rish_components(): return [Box]\n",
    )
    assert live.told == []
    assert live.kind("Box")


def test_an_aside_system_runs_again(live) -> None:
    """A system disabled after an error runs again once its code is repaired."""
    live.edit("plugin.py", ("world[Score].points += rules.STEP", "world[Score].point += 1"))
    live.app.frame()
    assert live.app.schedule.disabled == ("game.count",)
    live.told.clear()
    live.edit("plugin.py", ("world[Score].point += 1", "world[Score].points += 1"))
    assert live.app.schedule.disabled == ()
    before = live.resource("game.Score").points
    live.app.frame()
    assert live.resource("game.Score").points == before + 1


def test_strict_mode_goes_on(yard: Path, start: Callable[..., Any]) -> None:
    """Strict mode watches the systems of the new code as well."""
    live = start(yard, strict=True)
    live.edit("plugin.py", ("rules.STEP", "2"), ("hits: int = field(1, low=0)", "hits: float = field(1, low=0)"))
    live.app.frame()
    assert live.resource("game.Score").points == 13
    live.edit("plugin.py", ("writes=Score)", ")"))
    live.app.plugins.policy = "raise"
    with pytest.raises(StrictError, match=r"game\.count"):
        live.app.frame()


def test_a_game_that_can_not_be_taken_over_whole(live) -> None:
    """A resource that can't be created stops the reload; one that fails in `rebuild` disables the plugin.

    The plugin is enabled again by its next good code.
    """
    derived = "@resource(derived=True)\nclass Cache:\n    x: int = 0\n\n    def {}:\n        1 / 0\n\n\n@table"
    assert live.edit("plugin.py", ("@table", derived.format("__post_init__(self)")),
                     ("[Score, Marks]", "[Score, Marks, Cache]")) == set()  # fmt: skip
    assert "ZeroDivisionError" in live.told[0]
    live.edit("plugin.py", ("__post_init__(self)", "rebuild(self, world)"))
    assert "failed in rebuild" in live.told[1]
    assert "game" in live.app.plugins.aside
    live.app.frame()
    live.edit("plugin.py", ("1 / 0", "self.x = 3"))
    assert live.app.plugins.aside == {}
    assert live.resource("game.Cache").x == 3


def test_what_counts_at_the_next_start_is_said(live) -> None:
    """Changes of the window's size, the seed and the plugins are reported as effective at the next start."""
    live.edit("game.yaml", ("size: [64, 48], seed: 3", "size: [80, 48], seed: 4"))
    assert len(live.told) == 1
    assert "seed, size" in live.told[0]
    assert "next start" in live.told[0]
    live.edit("game.yaml", ("plugins: [scripts", "# other lines, same plugins\nplugins: [scripts"))
    assert len(live.told) == 1


def test_a_scene_that_is_gone(live) -> None:
    """If the current scene is removed from the manifest, the game changes to its first scene."""
    text = (live.folder / "game.yaml").read_text()
    live.save("game.yaml", text.replace("  main:\n", "  first:\n"))
    live.app.frame()
    assert live.resource("Scenes").current == "first"
    assert live.world.alive(live.entity("hero"))


@pytest.mark.parametrize(
    ("setting", "windowed", "on"),
    [
        ("auto", True, True),
        ("auto", False, False),
        ("always", False, True),
        ("poll", False, True),
        ("never", True, False),
    ],
)
def test_when_a_game_is_watched(setting: str, windowed: bool, on: bool) -> None:
    """By default a game is watched for edits if it runs in a window."""
    assert is_watched(setting, windowed=windowed) is on


def test_headless_games_are_not_watched(rish_app: Callable[..., Any], yard: Path) -> None:
    """A headless game is not watched."""
    app = rish_app(yard, installed=("scripts", "render"))
    reload = app.world[app.world.resource_classes["scripts.Reload"]]
    assert not reload.on
    assert not reload.watchers


def test_games_in_a_window_are_watched(rish_app: Callable[..., Any], yard: Path) -> None:
    """A game in a window is watched by default, and not with `never`."""

    class Window(NullBackend):
        """A backend with a window."""

        capabilities = NullBackend.capabilities | {"window"}

    for setting, on in (("auto", True), ("never", False)):
        overrides = [f"settings.scripts.reload={setting}"]
        options = {"backend": Window(), "headless": False, "overrides": overrides}
        app = rish_app(yard, installed=("scripts", "render"), **options)
        reload = app.world[app.world.resource_classes["scripts.Reload"]]
        assert reload.on is on
        assert app.world[Assets].watched is on
        app.close()
        assert not reload.on
        assert not reload.watchers


def test_a_recording_learns_of_it(live) -> None:
    """Each successful reload is an intervention with the names of its files."""
    live.edit("rules.py", ("1", "2"))
    live.edit("rules.py", ("2", "("))
    assert [reason for _, reason in live.world[Interventions].reasons] == ["reload of rules.py"]


DRAWER = """

def make_stars(device):
    return None


def rish_drawers():
    return {"software": {"stars": make_stars}}
"""


def test_what_was_made_at_the_start_is_said(live) -> None:
    """A new or changed drawer is reported once with its place, since drawers are created at the start."""
    text = (live.folder / "plugin.py").read_text()
    live.save("plugin.py", text + DRAWER)
    assert len(live.told) == 1
    assert "the drawer 'software/stars'" in live.told[0]
    assert "plugin.py:" in live.told[0]
    assert "next start" in live.told[0]
    live.edit("game.yaml", ("speed: 2", "speed: 3"))
    assert len(live.told) == 1
    live.edit("plugin.py", ("    return None", "    return 4"))
    assert len(live.told) == 2
    live.edit("walker.py", ('"""One step."""', '"""A step."""'))
    assert len(live.told) == 2


STEPS = ["rish_reload.renewal.reconcile", "rish_core.loop.schedule.Schedule.enable", "rish_ecs.world.World.redeclare",
         "rish_core.loop.layers.LayerStack.renew", "rish_ecs.world.World.renew"]  # fmt: skip


@pytest.mark.parametrize("step", STEPS)
def test_a_failure_halfway_leaves_the_game_as_it_was(live, step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the kernel fails while it replaces the game, the old state is restored and the failure reported."""
    world, before, systems = live.world, live.world.hash(), live.app.schedule.systems
    registry, manifest, kinds = live.app.registry, live.app.manifest, dict(live.world.tables)

    def fail(*_: Any, **__: Any) -> None:
        monkeypatch.undo()  # fail only once
        raise ValueError("a planted mistake")

    monkeypatch.setattr(step, fail)
    text, plugin = (live.folder / "game.yaml").read_text(), (live.folder / "plugin.py").read_text()
    plugin = plugin.replace("gravity: float", "lightness: float = 1\n    gravity: float").replace("heat", "cold")
    paths = [live.write("game.yaml", text.replace("hits: 9", "hits: 8")), live.write("plugin.py", plugin)]
    assert live.take(*paths) == set()
    assert len(live.told) == 1
    assert "could not be applied: ValueError: a planted mistake" in live.told[0]
    assert world.hash() == before
    assert (live.app.registry, live.app.manifest) == (registry, manifest)
    assert [bound.name for bound in live.app.schedule.systems] == [bound.name for bound in systems]
    assert list(world.tables) == list(kinds)
    live.app.frame()
    live.edit("game.yaml", ("hits: 8", "hits: 7"))
    assert len(live.told) == 1
    assert world.get(live.entity("hero"), live.kind("Crate")).hits == 7


def test_prefabs_take_overrides_of_classes_that_were_loaded_anew(live) -> None:
    """Instances of the old and the new class override a prefab's fields; other fields are those of the prefab."""
    from rish_core import spawn_prefab
    from rish_ecs import kind_of

    world = live.app.world
    old = next(cls for cls in world.tables if kind_of(cls).key == "game.Crate")
    live.edit("plugin.py", ('"""Something to hit."""', '"""Something else to hit."""'))
    new = next(cls for cls in world.tables if kind_of(cls).key == "game.Crate")
    assert new is not old
    for cls in (new, old):
        crate = world.get(spawn_prefab(world, "crate", cls(hits=7)), new)
        assert (crate.hits, crate.label) == (7, "oak")
    assert live.told == []


def test_a_manifest_that_is_saved_in_two_writes(live) -> None:
    """Entities missing in a partly written manifest are removed, and restored with their state at the next reload."""
    text = (live.folder / "game.yaml").read_text()
    crate = live.kind("Crate")
    live.world.set(live.entity("hero"), crate(hits=77))
    live.app.run(5)
    position = live.world.get(live.entity("hero"), Transform).position
    part = text[: text.index("    - {name: hero")]
    live.save("game.yaml", part)
    assert len(live.world.table(crate)) == 3
    live.save("game.yaml", text)
    hero = live.entity("hero")
    assert live.world.get(hero, crate).hits == 77
    assert live.world.get(hero, Transform).position == position
    assert live.world.get(live.entity("sign"), live.kind("Pointer")).target == hero
    live.save("game.yaml", part)
    live.save("game.yaml", part + "    - {Transform: {}}\n")
    live.save("game.yaml", text)
    assert live.world.get(live.entity("hero"), crate).hits == 9
    assert live.told == []


def test_after_a_restore_entities_begin_anew(live) -> None:
    """After a change of the past in between, no state is restored, since handles may mean other entities."""
    text = (live.folder / "game.yaml").read_text()
    live.world.set(live.entity("hero"), live.kind("Crate")(hits=77))
    live.save("game.yaml", text[: text.index("    - {name: hero")])
    live.world[Interventions].note("a seek")
    live.save("game.yaml", text)
    assert live.world.get(live.entity("hero"), live.kind("Crate")).hits == 9
