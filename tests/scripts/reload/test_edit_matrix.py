"""The edit matrix: everything that an author may change while the game runs takes effect without a restart.

Each row is one saved file: the replacements, the parts of the state that may change, and a condition that is true
afterwards. Every part that is not named keeps its hash.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

from rish_core import Input, Interventions, Layers, LayerStack, Scenes, Transform, spawn_prefab, tagged


class Edit(NamedTuple):
    """One live change. parts: of the state that may change. holds: a condition that is true after one more frame."""

    name: str
    file: str
    changes: list[tuple[str, str]]
    parts: set[str]
    holds: Callable[[Any], bool]


TOLD = {"game.Walker.reloads"}
"""A value that changes with every edit of code in this game, because its script counts its reloads."""
SPAWNED = {
    "entities", "core.Origin:entities", "core.Origin.scene", "core.Origin.entry", "core.Origin.copy",
    "core.Transform:entities", "core.Transform.position", "core.Transform.rotation", "core.Transform.scale",
    "core.Transform.parent",
}  # fmt: skip
CRATES = {"game.Crate:entities", "game.Crate.hits", "game.Crate.label", "game.Crate.heat"}
NAMES = {"core.Name:entities", "core.Name.value"}


def column(live: Any, kind: str, field: str) -> list[Any]:
    """Return the current values of a column of a component."""
    table = live.world.table(live.kind(kind))
    return [table.read_row(field, row) for row in range(len(table))]


def of(live: Any, name: str, kind: str) -> Any:
    """Return a component of a named entity."""
    return live.world.get(live.entity(name), live.kind(kind))


def systems(live: Any) -> list[str]:
    """Return the names of the game's own systems in their order."""
    return [bound.name for bound in live.app.schedule.systems if bound.plugin == "game"]


CODE = [
    Edit("a system does something else", "plugin.py", [("rules.STEP", "100")], TOLD,
         lambda live: live.resource("game.Score").points == 111),
    Edit("a constant beside the plugin", "rules.py", [("1", "50")], TOLD,
         lambda live: live.resource("game.Score").points == 61),
    Edit("a method of a script", "walker.py", [("steps += 1", "steps += 7")], TOLD,
         lambda live: of(live, "hero", "Walker").steps == 8),
    Edit("a new method of a script", "walker.py",
         [("    def on_reload", "    def on_fixed_update(self, dt):\n        self.speed = 5\n\n    def on_reload")],
          TOLD,
         lambda live: of(live, "hero", "Walker").speed == 5),
    Edit("a new system", "plugin.py",
         [("def hear(", "@system(Stage.UPDATE, writes=Score, after='count')\ndef double(world, dt):\n"
           "    world[Score].points *= 2\n\n\ndef hear("), ("[count, warm]", "[count, warm, double]")], TOLD,
         lambda live: live.resource("game.Score").points == 24),
    Edit("a system is taken out", "plugin.py", [("[count, warm]", "[warm]")], TOLD,
         lambda live: live.resource("game.Score").points == 11 and systems(live) == ["game.warm"]),
    Edit("a system is renamed", "plugin.py", [("def count(", "def add_up("), ("[count, warm]", "[add_up, warm]")], TOLD,
         lambda live: systems(live) == ["game.add_up", "game.warm"] and live.resource("game.Score").points == 12),
    Edit("systems change their places", "plugin.py", [("[count, warm]", "[warm, count]")], TOLD,
         lambda live: systems(live) == ["game.warm", "game.count"]),
    Edit("a system moves to another stage", "plugin.py",
         [("@system(Stage.UPDATE, writes=Score)", "@system(Stage.PRE, writes=Score)")], TOLD,
         lambda live: systems(live)[0] == "game.count" and live.resource("game.Score").points == 12),
    Edit("a field's default", "plugin.py", [("heat: float = 0.25", "heat: float = 7.5")], TOLD,
         lambda live: live.kind("Crate")().heat == 7.5 and column(live, "Crate", "heat")[0] == 2.25),
    Edit("a prefab of the code", "plugin.py", [('{"hits": 2}', '{"hits": 5}')], TOLD,
         lambda live: live.world.get(spawn_prefab(live.world, "pebble"), live.kind("Crate")).hits == 5),
    Edit("a handler of a layer", "plugin.py", [("return False", "return True")], TOLD,
         lambda live: live.world[LayerStack].layer("hud").on_event(live.world, None) is True),
    Edit("a layer of the code", "plugin.py",
         [('[Layer("hud"', '[Layer("console", overlay=True), Layer("hud"')], TOLD | {"Layers:resource"},
         lambda live: live.world[Layers].order == ["sky", "world", "hud", "console"]),
    Edit("a new component", "plugin.py",
         [("@event", "@component\nclass Key:\n    teeth: int = 3\n\n\n@event"),
          ("[Crate, Lamp, Pointer]", "[Crate, Lamp, Pointer, Key]")], TOLD,
         lambda live: live.world.add(live.entity("hero"), live.kind("Key")(teeth=4)) is None
         and of(live, "hero", "Key").teeth == 4),
    Edit("a new resource", "plugin.py",
         [("@table", "@resource\nclass Clock2:\n    ticks: int = 3\n\n\n@table"),
          ("[Score, Marks]", "[Score, Marks, Clock2]")],
         TOLD | {"game.Clock2:resource"}, lambda live: live.resource("game.Clock2").ticks == 3),
    Edit("a new event", "plugin.py",
         [("@resource\nclass Score", "@event\nclass Miss:\n    by: float = 0.0\n\n\n@resource\nclass Score"),
          ("return [Hit]", "return [Hit, Miss]")], TOLD,
         lambda live: live.world.emit(live.kind("Miss"), by=2) is None and len(live.world.events(live.kind("Miss")))
          == 1),
]  # fmt: skip

FIELDS = [
    Edit("a field is added to a component", "plugin.py",
         [("heat: float = 0.25", "heat: float = 0.25\n    paint: Str = 'red'")], TOLD | {"game.Crate.paint"},
         lambda live: set(column(live, "Crate", "paint")) == {"red"}),
    Edit("a field is removed", "plugin.py", [("    color: Str = \"white\"\n", "")], TOLD | {"game.Lamp.color"},
         lambda live: list(live.kind("Lamp").__kind__.fields) == ["glow"] and column(live, "Lamp", "glow")
          == [0.5, 0.5]),
    Edit("a field is renamed", "plugin.py", [("color: Str = \"white\"", "tone: Str = field('', was='color')")],
         TOLD | {"game.Lamp.color", "game.Lamp.tone"}, lambda live: column(live, "Lamp", "tone") == ["white"] * 2),
    Edit("a field is retyped", "plugin.py", [("hits: int = field(1, low=0)", "hits: float = field(1, low=0)")],
         TOLD | {"game.Crate.hits"}, lambda live: column(live, "Crate", "hits")[:4] == [3.0, 3.0, 3.0, 9.0]),
    Edit("texts are spelled out", "plugin.py", [("color: Str", "color: Chars")],
         TOLD | {"game.Lamp.color"}, lambda live: column(live, "Lamp", "color") == ["white", "white"]),
    Edit("a field's range", "plugin.py", [("field(1, low=0)", "field(1, low=0, high=99)")], TOLD,
         lambda live: live.kind("Crate").hits.high == 99),
    Edit("a field is for the eye from now on", "plugin.py",
     [("heat: float = 0.25", "heat: float = field(0.25, view=True)")],
         TOLD | {"game.Crate.heat"}, lambda live: column(live, "Crate", "heat")[0] == 2.25),
    Edit("a field of a script is added", "walker.py", [("steps: int = 0", "steps: int = 0\n    tired: bool = True")],
         TOLD | {"game.Walker.tired"}, lambda live: of(live, "hero", "Walker").tired is True),
    Edit("a field of a script is renamed", "walker.py",
         [("steps: int = 0", "paces: int = field(0, was='steps')"), ("self.steps +=", "self.paces +="),
          ("import Script", "import Script\nfrom rish_core import field")],
         TOLD | {"game.Walker.steps", "game.Walker.paces"}, lambda live: of(live, "hero", "Walker").paces == 2),
    Edit("a field of a resource is added", "plugin.py", [("points: int = 10", "points: int = 10\n    lives: int = 3")],
         TOLD | {"game.Score:resource"}, lambda live: live.resource("game.Score").lives == 3),
    Edit("a field of a resource is renamed", "plugin.py",
         [("points: int = 10", "total: int = field(0, was='points')"), (".points +=", ".total +=")],
         TOLD | {"game.Score:resource"}, lambda live: live.resource("game.Score").total == 12),
    Edit("a field of an event is added", "plugin.py", [("power: int = 0", "power: int = 0\n    side: int = 4")], TOLD,
         lambda live: live.world.emit(live.kind("Hit")) is None and live.world.events(live.kind("Hit")).side.tolist()
          == [4]),
    Edit("a field of a table is added", "plugin.py",
     [("    x: float = 0.0", "    x: float = 0.0\n    y: float = 1.0")], TOLD,
         lambda live: live.world[live.kind("Marks")].append(2) == slice(0, 2)
          and live.world[live.kind("Marks")].y.tolist() == [1, 1]),
    Edit("a vector becomes longer", "plugin.py",
         [("glow: float = 1.0", "glow: float = 1.0\n    at: Vec2 = (1, 2)")], TOLD | {"game.Lamp.at"},
         lambda live: column(live, "Lamp", "at")[1].tolist() == [1, 2]),
]  # fmt: skip

TEXT = [
    Edit("a field of a prefab", "game.yaml", [("{hits: 3, label: oak}", "{hits: 6, label: oak}")], {"game.Crate.hits"},
         lambda live: column(live, "Crate", "hits")[:4] == [6, 6, 6, 9]),
    Edit("a text of a prefab", "game.yaml", [("label: oak", "label: a long plank")], {"game.Crate.label"},
         lambda live: column(live, "Crate", "label")[:4] == ["a long plank"] * 3 + ["pine"]),
    Edit("a field of an entry", "game.yaml", [("{hits: 9}", "{hits: 4}")], {"game.Crate.hits"},
         lambda live: of(live, "hero", "Crate").hits == 4),
    Edit("a field is taken out of an entry", "game.yaml", [("Crate: {hits: 9}", "Crate: {}")], {"game.Crate.hits"},
         lambda live: of(live, "hero", "Crate").hits == 1),
    Edit("a child in a prefab", "game.yaml", [("{hits: 1}", "{hits: 2}")], {"game.Crate.hits"},
         lambda live: of(live, "bulb", "Crate").hits == 2),
    Edit("an entry moves", "game.yaml", [("position: [5, 5]", "position: [6, 5]")], {"core.Transform.position"},
         lambda live: of(live, "hero", "Transform").position.tolist() == [6, 5]),
    Edit("one of several places", "game.yaml", [("[30, 20]]", "[40, 20]]")], {"core.Transform.position"},
         lambda live: [40, 20] in live.world[Transform].position.tolist()
          and [20, 20] in live.world[Transform].position.tolist()),
    Edit("the step of a grid", "game.yaml", [("step: [10, 10]", "step: [12, 10]")], {"core.Transform.position"},
         lambda live: live.world[Transform].position[:3].tolist() == [[0, 0], [12, 0], [24, 0]]),
    Edit("more copies", "game.yaml", [("grid: [3, 1]", "grid: [5, 1]"), ("count: 3", "count: 5")], SPAWNED | CRATES,
         lambda live: len(live.world.table(live.kind("Crate"))) == 12),
    Edit("fewer copies", "game.yaml", [("grid: [3, 1]", "grid: [2, 1]"), ("count: 3", "count: 2")], SPAWNED | CRATES,
         lambda live: len(live.world.table(live.kind("Crate"))) == 9),
    Edit("values in turn", "game.yaml", [("each: [1, 2]", "each: [1, 7]")], {"game.Crate.hits"},
         lambda live: column(live, "Crate", "hits")[-4:] in ([1, 7, 1, 7],
          [1, 1, 7, 1]) or 7 in column(live, "Crate", "hits")),
    Edit("a new entry in the middle", "game.yaml",
         [("    - {name: sign", "    - {name: chest, Transform: {}, Crate: {hits: 8}}\n    - {name: sign")],
         SPAWNED | CRATES | NAMES, lambda live: of(live, "chest", "Crate").hits == 8),
    Edit("an entry is taken out", "game.yaml",
         [("    - {name: sign, Transform: {}, Pointer: {target: hero}}\n", "")],
         SPAWNED | NAMES | {"game.Pointer:entities", "game.Pointer.target"},
         lambda live: len(live.world.table(live.kind("Pointer"))) == 0),
    Edit("a component is added to an entry", "game.yaml",
     [("Walker: {speed: 2}", "Walker: {speed: 2}, Lamp: {glow: 3}")],
         {"game.Lamp:entities", "game.Lamp.glow", "game.Lamp.color"}, lambda live: of(live, "hero", "Lamp").glow == 3),
    Edit("a component is taken from an entry", "game.yaml", [(", Walker: {speed: 2}", "")],
         {"game.Walker:entities", "game.Walker.speed", "game.Walker.steps", "game.Walker.reloads"},
         lambda live: not live.world.has(live.entity("hero"), live.kind("Walker"))),
    Edit("another reference", "game.yaml", [("target: hero", "target: picture")], {"game.Pointer.target"},
         lambda live: of(live, "sign", "Pointer").target == live.entity("picture")),
    Edit("tags", "game.yaml", [("tags: [player]", "tags: [player, strong]")], {"core.Tags.values"},
         lambda live: tagged(live.world, "strong").tolist() == [live.entity("hero")]),
    Edit("a new prefab", "game.yaml", [("scenes:\n", "  post: {Transform: {}, Crate: {hits: 44}}\nscenes:\n")], set(),
         lambda live: live.world.get(spawn_prefab(live.world, "post"), live.kind("Crate")).hits == 44),
    Edit("a new scene", "game.yaml", [("  other: []", "  other: []\n  third: []")], {"Scenes:resource"},
         lambda live: live.world[Scenes].names == ("main", "other", "third")),
    Edit("a setting", "game.yaml", [("gravity: 9.0", "gravity: 12.5")], {"game.Settings:resource"},
         lambda live: (live.resource("game.Settings").gravity, live.resource("game.Settings").wind) == (12.5, 2.0)),
    Edit("a key", "game.yaml", [("jump: [SPACE]", "jump: [UP]")], {"core.Input:resource"},
         lambda live: live.world[Input].actions["jump"] == ["UP"]),
    Edit("a new action", "game.yaml", [("jump: [SPACE]", "jump: [SPACE], duck: [DOWN]")], {"core.Input:resource"},
         lambda live: live.world[Input].knows("duck")),
    Edit("the order of layers", "game.yaml", [("[sky, world, hud]", "[world, sky, hud]")], {"Layers:resource"},
         lambda live: live.world[Layers].order == ["world", "sky", "hud"]),
    Edit("an option of a layer", "game.yaml",
     [("[sky, world, hud]", "[{sky: {parallax: [0.5, 1]}}, world, hud]")], set(),
         lambda live: live.world[LayerStack].layer("sky").options["parallax"] == (0.5, 1)),
    Edit("another picture for a sprite", "game.yaml",
     [("image: ball.png", "image: rish_yard.png")], {"render.Sprite.image"},
         lambda live: live.world.text(live.world[live.kind("Sprite")].image[0]) == "rish_yard.png"),
    Edit("a uniform of a material", "game.yaml", [("amount: 0.5", "amount: 0.75")], {"render.RenderSettings:resource"},
         lambda live: live.resource("render.Shaders").loaded["tint"].shader.defaults["amount"] == 0.75),
]  # fmt: skip

ASSETS = [
    Edit("a shader", "tint.frag", [("p.color * amount", "p.color * amount * 0.5")], set(),
         lambda live: "* 0.5" in live.resource("render.Shaders").loaded["tint"].shader.source),
    Edit("a default in a shader", "tint.frag", [("= 0.1", "= 0.2"), ("p.color * amount", "p.color")], set(),
         lambda live: live.resource("render.Shaders").loaded["tint"].shader.version == 1),
]  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("edit", [*CODE, *FIELDS, *TEXT, *ASSETS], ids=lambda edit: edit.name)
def test_an_edit_takes_effect(live, edit: Edit) -> None:
    """The edit is reloaded without a message, has its effect, and changes nothing else."""
    app, tick, before = live.app, live.world.tick, live.world[Interventions].count
    live.write("rish_yard.png", (live.folder / "ball.png").read_bytes())
    parts = live.edit(edit.file, *edit.changes)
    assert live.told == []
    assert parts <= edit.parts
    assert edit.parts - parts <= SPAWNED  # with so few rows, some columns of zeros hash the same with padding as before
    assert live.world[Interventions].count == before + 1
    assert live.world.tick == tick
    app.frame()
    assert edit.holds(live)
    assert live.told == []
    assert live.reload.problems == []


def test_the_matrix_is_large() -> None:
    """There are at least forty live changes of code, fields, manifest and assets."""
    assert len([*CODE, *FIELDS, *TEXT, *ASSETS]) + 1 >= 40


def test_a_picture(live) -> None:
    """An image that is saved again is drawn in the next frame, and changes no state."""
    from rish_core import Assets

    assert live.world[Assets].load("ball.png")[0, 0].tolist() == [255, 0, 0, 255]
    version = live.resource("render.Pictures").version
    assert live.save("ball.png", (live.folder / "ball.png").read_bytes()) == set()
    assert live.told == []
    other = np.full((4, 4, 4), 255, np.uint8)
    from PIL import Image

    Image.fromarray(other).save(live.folder / "ball.png")
    assert live.take(live.folder / "ball.png") == set()
    assert live.world[Assets].load("ball.png")[0, 0].tolist() == [255, 255, 255, 255]
    assert live.resource("render.Pictures").version > version
