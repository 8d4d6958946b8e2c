"""Every mistake of a manifest is reported in one run, each with its place and a hint."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from damage import damaged_text
from long_runs import long
from rish_core.assets import LOADERS
from rish_core.errors import ManifestError
from rish_core.manifest.check import check_manifest, compile_manifest
from rish_core.manifest.manifest import parse_manifest, read_manifest
from rish_core.manifest.nodes import MAX_PROBLEMS

GOOD = """\
rish: 1
game: {title: Breezy Crates, size: [960, 540], seed: 7}
plugins: [render, "wind>=0.2"]
backend: software
settings:
  test: {gravity: [0, -5], steps: 8, masks: {a: [b]}}
input: {jump: [SPACE, gamepad.a], left: 1, fire: [mouse.left]}
layers: [sky, world, {hud: {space: screen, lit: false, parallax: [0, 0.5]}}]
prefabs:
  crate: {Transform: {}, Body: {mass: 2, form: circle}, Sprite: {layer: world, color: '#ff8800'}}
  heavy: {prefab: crate, name: lump, tags: [big], Body: {mass: 9}, children: [{name: lid, at: [0, 3]}]}
scenes:
  main:
    - {prefab: crate, count: 20, at: {grid: [20, 10], step: [40, 40]}}
    - {prefab: heavy, at: [1, 2], test.Body: {target: lid, spin: -90, path: [[0, 0], [1, 1]]}}
    - {prefab: pebble, at: {random: [0, 0, 10, 10]}, count: 3, parent: lump}
    - {Body: null, Sprite: {text: "hello", color: [1, 0.5, 0]}, children: []}
"""

MISTAKES = """\
rish: 1
game: {title: x, size: [960, 0], seed: -1, sead: 3}
plugin: [x]
plugins: ["1x", wind, wind, "wind=2"]
backend: 3
settings:
  test: {gravity: [0, x], titel: 3, steps: 99, masks: {a: b}}
  tset: {}
input: {jump: [SPCE, gamepad.a], players: [{go: LEFTT}, {go: [A, gamepad.z]}]}
layers: [sky, world, {hud: {space: screeen, lt: true}}, sky, {a: 1}]
prefabs:
  a: {prefab: b}
  b: {prefab: a}
  crate: {Transform: {position: [1, 2, 3]}, Body: {mass: -2, spin: x, form: sphere, velocity: 3, hits: 1.5}}
  tinted: {Sprite: {color: rde}, Body: {nope: 1, secret: 1, hits: 10, grid: [1]}, count: 3}
scene: mian
scenes:
  main:
    - {prefab: crat, count: -1}
    - {prefab: crate, count: 2000000, at: {grid: [20, 10]}}
    - {Bdoy: {}, frefab: x, Sprite: {layer: wrld, text: 12, mode: fil}}
    - {Body: {target: nobdy, mass: {each: [1, -2, x]}, velocity: {random: [[0, 0], [1]]}}, name: nobody}
    - 3
    - {tags: 3, name: 5, children: {a: 1}, at: [1], Body: 3, group: 1, parent: [1]}
    - {at: {grid: [2, 2], step: [1, 1]}, count: 5}
    - {Body: {mass: {eech: [1]}, fixed: {random: [1, 2]}, hits: {each: [1], hold: 0}, target: {each: [a]}}}
    - {name: p, parent: q}
    - {name: q, parent: p}
    - {name: twin, Body: {fixed: 1}}
    - {name: twin, Body: {target: twin}}
    - {Transform: {parent: twin}, test.Body: {}, Body: {}}
    - {children: [{parent: p}]}
    - {at: {grid: [0, 1.5], step: [1, x]}}
    - {at: [[1, 2], 3]}
    - {at: {random: [1, 2]}}
    - {at: {gird: 1}}
    - {at: [1e300, 2]}
  other: {}
  3d: []
"""

EXPECTED = """\
2:30: game.size[1]: 0 is out of range: 1 to 8192 px
2:40: game.seed: -1 is too small: the minimum is 0
2:44: game.sead: `game` has no key 'sead' (did you mean 'seed'?)
3:1: plugin: a manifest has no section 'plugin' (did you mean 'plugins'?)
4:11: plugins[0]: the text '1x' names no plugin
4:23: plugins[2]: 'wind' is listed twice, first in line 4
4:29: plugins[3]: the text 'wind=2' names no plugin
5:10: backend: must be text, not the number 3
7:23: settings.test.gravity[1]: must be a number, not the text 'x'
7:27: settings.test.titel: settings.test has no field 'titel' (did you mean 'title'?)
7:44: settings.test.steps: 99 is out of range: 1 to 64
7:59: settings.test.masks.a: must be a list
8:3: settings.tset: no plugin 'tset' is loaded (did you mean 'test'?)
9:16: input.jump[0]: no key or button is called 'SPCE' (did you mean 'SPACE'?)
9:49: input.players[0].go: no key or button is called 'LEFTT' (did you mean 'LEFT'?)
9:66: input.players[1].go[1]: no key or button is called 'gamepad.z' (did you mean 'gamepad.y'?)
10:36: layers[2].hud.space: must be 'world' or 'screen', not the text 'screeen'
10:45: layers[2].hud.lt: a layer has no option 'lt' (did you mean 'lit'?)
10:57: layers[3]: the layer 'sky' is listed twice
10:66: layers[4].a: must be a mapping of options
13:15: prefabs.b.prefab: the prefab 'a' contains itself: a → b → a
14:33: prefabs.crate.Transform.position: must be 2 numbers in units, not a list of 3
14:58: prefabs.crate.Body.mass: -2 is out of range: 0 kg or more
14:68: prefabs.crate.Body.spin: must be a number in degrees/s, not the text 'x'
14:77: prefabs.crate.Body.form: must be one of box, circle, not the text 'sphere'
14:95: prefabs.crate.Body.velocity: must be 2 numbers in units/s, not the number 3
14:104: prefabs.crate.Body.hits: must be a whole number, not the number 1.5
15:28: prefabs.tinted.Sprite.color: 'rde' is no color (did you mean 'red'?)
15:41: prefabs.tinted.Body.nope: Body has no field 'nope'
15:50: prefabs.tinted.Body.secret: Body has no field 'secret'
15:67: prefabs.tinted.Body.hits: 10 is out of range: 0 to 9
15:77: prefabs.tinted.Body.grid: must be 4 numbers, not a list of 1
15:83: prefabs.tinted.count: 'count' belongs to an entry
16:8: scene: no scene is called 'mian' (did you mean 'main'?)
19:16: scenes.main[0].prefab: no prefab is called 'crat' (did you mean 'crate'?)
19:29: scenes.main[0].count: -1 is out of range: 0 to 1,000,000 copies
20:30: scenes.main[1].count: 2000000 is out of range
20:43: scenes.main[1].at: a grid needs the step
21:8: scenes.main[2].Bdoy: no component is called 'Bdoy' (did you mean 'Body'?)
21:18: scenes.main[2].frefab: an entry has no key 'frefab' (did you mean 'prefab'?)
21:45: scenes.main[2].Sprite.layer: no layer is called 'wrld' (did you mean 'world'?). Layers: sky, world, hud
21:57: scenes.main[2].Sprite.text: must be text, not the number 12: put it into quotes, '12'
21:67: scenes.main[2].Sprite.mode: must be one of fill, line, not the text 'fil' (did you mean 'fill'?)
22:23: scenes.main[3].Body.target: no entity of this scene is called 'nobdy' (did you mean 'nobody'?)
22:47: scenes.main[3].Body.mass.each[1]: -2 is out of range: 0 kg or more
22:51: scenes.main[3].Body.mass.each[2]: must be a number in kg, not the text 'x'
22:84: scenes.main[3].Body.velocity.random[1]: must be 2 numbers in units/s, not a list of 1
23:7: scenes.main[4]: must be an entry such as {prefab: crate} or {Transform: {}}, not the number 3
24:14: scenes.main[5].tags: must be a list of words
24:23: scenes.main[5].name: must be a name
24:36: scenes.main[5].children: must be a list of entries, not a mapping
24:48: scenes.main[5].at: must be 2 numbers, [x, y], not a list of 1
24:59: scenes.main[5].Body: must be a mapping of fields
24:69: scenes.main[5].group: must be the name of a group
24:80: scenes.main[5].parent: must be the name of an entity, not a list of 1
25:49: scenes.main[6].count: 5 copies, but `at` has 4 places
26:22: scenes.main[7].Body.mass: must be a number in kg, or {each: [...]} or {random: [low, high]}
26:41: scenes.main[7].Body.fixed: can't be random: it must be true or false
26:83: scenes.main[7].Body.hits.hold: must be a whole number from 1, not the number 0
26:95: scenes.main[7].Body.target: all copies must refer to the same entity: write one name
27:7: scenes.main[8].parent: 'p' is its own ancestor
29:34: scenes.main[10].Body.fixed: must be true or false, not the number 1
31:28: scenes.main[12].Transform.parent: 2 entities are called 'twin': give them different names
31:50: scenes.main[12].Body: Body is given twice, under two names
32:28: scenes.main[13].children[0].parent: a child's parent is the entry that contains it: delete this line
33:19: scenes.main[14].at.grid: must be two whole numbers from 1
33:39: scenes.main[14].at.step[1]: must be a number, not the text 'x'
34:21: scenes.main[15].at[1]: must be 2 numbers, [x, y], not the number 3
35:21: scenes.main[16].at.random: must be 4 numbers
36:12: scenes.main[17].at: must be [x, y], a list of such places, {grid: [nx, ny], step: [dx, dy]}
37:13: scenes.main[18].at[0]: the number 1e+300 is too large
38:10: scenes.other: must be a list of entries
39:3: scenes.3d: '3d' is not a valid name
"""


def test_a_good_manifest_has_no_mistakes(problems):
    """A manifest that uses every feature has no mistakes."""
    assert problems(GOOD) == []


def test_every_mistake_is_reported_in_one_go(problems):
    """Seventy mistakes in one file are all reported with file, line, column, path and sentence, and nothing else is."""
    found = problems(MISTAKES)
    expected = [f"game.yaml:{line}" for line in EXPECTED.splitlines()]
    wrong = [(f, e) for f, e in zip(found, expected, strict=False) if not f.startswith(e)]
    assert not wrong
    assert len(found) == len(expected), found[len(expected) :]


def test_compiling_raises_all_of_them(registry):
    """`compile_manifest` raises ManifestError with the same list that `check_manifest` returns."""
    manifest = parse_manifest(MISTAKES)
    with pytest.raises(ManifestError) as caught:
        compile_manifest(manifest, registry)
    assert caught.value.problems == check_manifest(manifest, registry)


def test_settings_become_an_instance_of_the_plugins_class(compiled, kinds):
    """Settings become an instance of the plugin's class: given fields are converted, others have their defaults."""
    settings = compiled("settings: {test: {gravity: [0, -5], steps: 8, masks: {a: [b]}}}").settings["test"]
    assert isinstance(settings, kinds.Settings)
    assert settings.gravity.tolist() == [0, -5]
    assert (settings.steps, settings.title, settings.masks) == (8, "none", {"a": ["b"]})
    assert compiled("").settings["test"].steps == 4


def test_a_check_stops_after_a_hundred_mistakes(registry):
    """A check stops after a hundred mistakes and reports that it stopped, so that its time is limited."""
    entries = "".join(f"    - {{Ball: {{}}, wrong{k}: 1}}\n" for k in range(5000))
    keys = "".join(f"  wrong{k}: 1\n" for k in range(5000))
    for text in (f"rish: 1\nscenes:\n  main:\n{entries}", f"rish: 1\nsettings:\n{keys}", f"rish: 1\ngame:\n{keys}"):
        problems = check_manifest(parse_manifest(text), registry)
        assert MAX_PROBLEMS < len(problems) <= MAX_PROBLEMS + 2
        assert any(problem.what == f"{MAX_PROBLEMS} mistakes; checking stopped here" for problem in problems)


def test_assets_must_exist_inside_the_games_folder(tmp_path, registry):
    """Missing assets and paths outside the game's folder are reported at their place."""
    pytest.importorskip("rish_core.assets")
    (tmp_path / "crate.png").write_bytes(b"")
    (tmp_path / "game.yaml").write_text(
        "rish: 1\nscenes:\n  main:\n    - {Sprite: {image: crate.png}}\n    - {Sprite: {image: crat.png}}\n"
        "    - {Sprite: {image: ../secret.png}}\n    - {Sprite: {image: ''}}\n"
        "    - {Sprite: {image: /etc/passwd}}\n"
        '    - {Sprite: {image: "no_such_package:x.png"}}\n'
    )
    found = check_manifest(read_manifest(tmp_path), registry)
    assert [(p.place.line, p.path) for p in found] == [(n, f"scenes.main[{n - 4}].Sprite.image") for n in (5, 6, 8, 9)]


def test_too_many_entities_are_refused(problems):
    """Too many entities are refused before any is made, also with nested copies."""
    text = "rish: 1\nprefabs:\n  p0: {}\n" + "".join(
        f"  p{i}: {{children: [{{prefab: p{i - 1}, count: 1000}}]}}\n" for i in range(1, 6)
    )
    assert any("1,001,001 entities" in sentence for sentence in problems(text)) or problems(text)
    doubling = "rish: 1\nprefabs:\n  p0: {}\n" + "".join(
        f"  p{i}: {{children: [{{prefab: p{i - 1}}}, {{prefab: p{i - 1}}}]}}\n" for i in range(1, 60)
    )
    assert any("the maximum is" in sentence for sentence in problems(doubling))
    lines = "".join("    - {count: 1000000}\n" for _ in range(3))
    assert any("spawns 3,000,000 entities" in s for s in problems(f"rish: 1\nscenes:\n  main:\n{lines}"))


def test_prefabs_may_not_be_nested_without_end(problems):
    """A chain of a thousand prefabs is refused in either order, and so is a prefab that contains itself."""
    chain = [f"  p{i}: {{prefab: p{i - 1}}}\n" for i in range(1, 1000)]
    for lines in (chain, chain[::-1]):
        assert any("too deep" in s for s in problems("rish: 1\nprefabs:\n  p0: {}\n" + "".join(lines)))
    assert any("contains itself" in s for s in problems("rish: 1\nprefabs: {a: {children: [{prefab: a}]}}"))


@pytest.mark.slow
def test_thousands_of_lines_are_fine(registry):
    """A manifest of 3,000 lines without mistakes is accepted."""
    lines = ["rish: 1", "prefabs:", "  crate: {Transform: {}, Body: {mass: 3}}", "scenes:", "  main:"]
    for i in range(1000):
        lines += [
            "    - prefab: crate",
            f"      Transform: {{position: [{i}, {i}], rotation: 30}}",
            "      Body: {mass: 2.5}",
        ]
    text = "\n".join(lines)
    assert check_manifest(parse_manifest(text), registry) == []


def no_traceback(path, registry, seed: int) -> None:
    """Check a mutated manifest: it is valid, or its mistakes have sentences."""
    path.write_bytes(damaged_text(GOOD.encode(), random.Random(seed)))
    for problem in check_manifest(read_manifest(path), registry):
        assert str(problem).startswith(str(problem.place))
        assert "Error" not in problem.what
        assert len(problem.what) < 600


@pytest.mark.slow
def test_damaged_manifests_never_end_in_a_traceback(tmp_path, registry):
    """Damaged manifests give sentences and never a traceback."""
    for seed in range(long(2000, 150)):
        no_traceback(tmp_path / "game.yaml", registry, seed)


def test_words_besides_files_are_named_only_where_they_help(tmp_path: Path) -> None:
    """A missing file is answered with the nearest file or word and all words; a damaged one only with its own error."""
    (tmp_path / "good.json").write_text("{}")
    (tmp_path / "bad.json").write_text("{")
    manifest = parse_manifest("rish: 1")
    manifest.root, manifest.loaders = tmp_path, LOADERS
    problem = manifest.asset_problem
    assert problem("good.json", ("box",)) is None
    assert problem("gud.json", ("box",)) == (
        "there is no file 'gud.json' (did you mean 'good.json'?). Besides files: box"
    )
    assert problem("boxx", ("box",)) == "there is no file 'boxx' (did you mean 'box'?). Besides files: box"
    damaged = problem("bad.json", ("box",))
    assert damaged is not None
    assert damaged.startswith("bad.json:1:2: ")
    assert "box" not in damaged
