"""Reading manifests: sections, includes, overrides."""

from __future__ import annotations

import pytest

from rish_core.manifest.manifest import parse_manifest, read_manifest
from rish_ecs import Place, how_to_update


def test_the_sections_become_fields():
    """All sections are read into fields, and the keys of plugins are kept."""
    manifest = parse_manifest("""\
rish: 1
game: {title: T, size: [320, 200], seed: 5}
backend: software
plugins: [render, "wind>=0.2, <1"]
layers: [sky, {hud: {space: screen, parallax: [0, 1]}}]
input: {jump: [SPACE, gamepad.a], go: LEFT, one: 1}
scenes: {first: [], second: []}
""")
    assert manifest.problems == []
    assert (manifest.title, manifest.seed) == ("T", 5)
    assert manifest.foreign_keys() == [("backend",), ("game", "size")]
    assert (manifest.value_at(("backend",)), manifest.value_at(("game", "size", 1))) == ("software", 200)
    assert (manifest.value_at(("game", "sizes")), manifest.value_at(("game", "size", 2))) == (None, None)
    assert [(wish.name, wish.spec) for wish in manifest.plugins] == [("render", ""), ("wind", ">=0.2, <1")]
    assert manifest.plugins[1].place == Place("game.yaml", 4, 19)
    assert (manifest.layers[1].options, manifest.layers[1].more) == ({"space": "screen"}, {"parallax": [0, 1]})
    assert [binding.key for binding in manifest.input["jump"]] == ["SPACE", "gamepad.a"]
    assert [binding.key for binding in manifest.input["one"]] == ["1"]
    assert manifest.start == "first"


def test_the_start_scene_is_named_or_main_or_the_first():
    """The start scene is the one of `scene:`, otherwise `main`, otherwise the first."""
    assert parse_manifest("rish: 1\nscene: b\nscenes: {a: [], b: []}").start == "b"
    assert parse_manifest("rish: 1\nscenes: {a: [], main: []}").start == "main"
    assert parse_manifest("rish: 1\nscenes: {a: [], b: []}").start == "a"
    assert parse_manifest("rish: 1").start == ""


def test_the_scene_of_a_run_without_a_player_is_named():
    """`demo` names it; an override of `scene` counts for such a run too, and a scene that is not there is a mistake."""
    text = "rish: 1\ndemo: play\nscenes: {title: [], play: []}\n"
    assert (parse_manifest(text).start, parse_manifest(text).demo) == ("title", "play")
    assert parse_manifest(text, overrides=["scene = title"]).demo == "title"
    assert parse_manifest("rish: 1\nscenes: {title: []}\n").demo == ""
    (problem,) = parse_manifest(text.replace("demo: play", "demo: paly")).problems
    assert "no scene is called 'paly'" in problem.what
    assert "play" in problem.what
    assert (problem.path, problem.place.line) == ("demo", 2)


def test_the_format_version_must_be_there_and_known():
    """A missing or unknown format version is reported with the solution."""
    assert "begin with `rish: 1`" in str(parse_manifest("game: {}").problems[0])
    assert how_to_update("rish-core") in str(parse_manifest("rish: 2").problems[0])
    assert "whole number" in str(parse_manifest("rish: one").problems[0])


def test_a_file_that_is_no_mapping_is_reported_once():
    """A file that is no mapping gives one mistake."""
    assert [p.what for p in parse_manifest("[1]").problems] == [
        "the file must be a mapping that begins with `rish: 1`, not a list of 1"
    ]
    assert len(parse_manifest("").problems) == 1


def test_a_folder_stands_for_its_game_yaml(tmp_path):
    """The path of a folder means its game.yaml; if it has none, games nearby are listed."""
    (tmp_path / "near").mkdir()
    (tmp_path / "near" / "game.yaml").write_text("rish: 1")
    assert read_manifest(tmp_path / "near").problems == []
    assert read_manifest(tmp_path / "near").root == tmp_path / "near"
    for path in (tmp_path, tmp_path / "nera"):
        (problem,) = read_manifest(path).problems
        assert "there is no such file. Games found nearby: near" in str(problem)


def test_included_files_add_their_sections(tmp_path):
    """Prefabs, scenes, settings and input of included files are merged, and places have the right file."""
    (tmp_path / "parts").mkdir()
    (tmp_path / "game.yaml").write_text("rish: 1\ninclude: [parts/a.yaml]\nprefabs: {own: {}}\n")
    (tmp_path / "parts" / "a.yaml").write_text("include: [parts/b.yaml]\nprefabs:\n  a: {}\nscenes: {main: []}\n")
    (tmp_path / "parts" / "b.yaml").write_text("prefabs: {b: {}}\ninput: {jump: SPACE}\n")
    manifest = read_manifest(tmp_path)
    assert manifest.problems == []
    assert list(manifest.prefabs) == ["own", "a", "b"]
    assert manifest.start == "main"
    assert "jump" in manifest.input
    assert [file.name for file in manifest.files] == ["game.yaml", "a.yaml", "b.yaml"]
    assert str(manifest.document.place("prefabs", "a")).endswith("a.yaml:3:6")


def test_mistakes_of_includes_are_reported_where_they_are_written(tmp_path):
    """Missing, outside, repeated, circular and invalid includes are reported at their place."""
    (tmp_path / "game.yaml").write_text(
        "rish: 1\ninclude: [a.yaml, nothere.yaml, ../up.yaml, /etc/passwd, a.yaml, game.yaml, 3, list.yaml]\n"
        "prefabs: {one: {}}\n"
    )
    (tmp_path / "a.yaml").write_text("prefabs: {one: {}, two: {}, two: {}}\ngame: {title: x}\nscenes: 5\n")
    (tmp_path / "list.yaml").write_text("[1, 2]")
    found = "\n".join(str(problem) for problem in read_manifest(tmp_path).problems)
    for expected in (
        "'one' is defined twice, first at",
        "the key 'two' occurs twice",
        "is not allowed in an included file",
        "scenes: must be a mapping",
        "there is no file",
        "'../up.yaml' leads out of its folder",
        "'/etc/passwd' is an absolute path",
        "'a.yaml' is included twice",
        "'game.yaml' is included twice",
        "include[6]: must be text",
        "an included file must be a mapping",
    ):
        assert expected in found, (expected, found)
    assert "without a folder" in str(parse_manifest("rish: 1\ninclude: [a.yaml]").problems[0])


def test_overrides_set_single_values():
    """`--set` changes keys and list items, and creates missing sections."""
    manifest = parse_manifest(
        "rish: 1\nscenes: {main: [{count: 1}, {count: 2}]}",
        overrides=[
            "game.seed=9",
            "settings.wind.gusts=[1, 2]",
            "scenes.main[1].count=7",
            "scenes.main.0.name=x",
        ],
    )
    assert manifest.problems == []
    assert manifest.seed == 9
    assert manifest.settings == {"wind": {"gusts": [1, 2]}}
    assert manifest.scenes["main"] == [{"count": 1, "name": "x"}, {"count": 7}]


NAMED = """rish: 1
scenes:
  other: [{name: hero, A: {x: 1}}]
  main:
    - {name: hero, prefab: p, B.y: 2, children: [{name: hat}]}
prefabs: {p: {A: {x: 5}}}
"""


@pytest.mark.parametrize(
    ("override", "path", "value"),
    [
        ("hero.A.x=3", ("scenes", "main", 0, "A", "x"), 3),
        ("hero.B.y=4", ("scenes", "main", 0, "B.y"), 4),
        ("hero.plug.C.z=[1, 2]", ("scenes", "main", 0, "plug.C", "z"), [1, 2]),
        ("hat.A.x=6", ("scenes", "main", 0, "children", 0, "A", "x"), 6),
        ("p.A.x=7", ("prefabs", "p", "A", "x"), 7),
        ("hero.arm.Body.mass=4", ("scenes", "main", 0, "arm.Body", "mass"), 4),
        ("hero.arm.hand.physics.Body.mass=5", ("scenes", "main", 0, "arm.hand.physics.Body", "mass"), 5),
        ("layers.hud.visible=false", ("layers", 1, "hud", "visible"), False),
        ("layers.world.paused=true", ("layers", 0, "world", "paused"), True),
    ],
)
def test_overrides_name_entities_and_layers(override: str, path: tuple[str | int, ...], value: object):
    """A first name that is no section is an entity, first of the start scene, or a prefab; layers are named too."""
    manifest = parse_manifest(NAMED, overrides=[override])
    assert manifest.problems == []
    assert manifest.value_at(path) == value


@pytest.mark.parametrize(
    ("override", "said"),
    [("nobody.A.x=1", "no entity of a scene and no prefab"), ("layers.fog.visible=true", "no layer")],
)
def test_overrides_of_unknown_entities_and_layers_are_mistakes(override: str, said: str):
    """An entity or layer that does not exist is one mistake with the option as its place."""
    [problem] = parse_manifest(NAMED, overrides=[override]).problems
    assert said in str(problem)
    assert str(problem).startswith(f"--set {override}")


def test_wrong_overrides_are_reported_like_other_mistakes():
    """Mistakes in overrides have the option as their place."""
    overrides = [
        "game.seed=x",
        "game.seed",
        "=3",
        "rish.x=1",
        "scenes.main[5].count=1",
        "game.size=[1",
        "scenes.main.x=1",
    ]
    found = [str(p) for p in parse_manifest("rish: 1\nscenes: {main: []}", overrides=overrides).problems]
    for expected in (
        "--set game.seed=x: game.seed: must be a whole number",
        "--set game.seed: must look like",
        "--set =3: must look like",
        "--set rish.x=1: rish.x: the number 1 has no items or keys",
        "--set scenes.main[5].count=1: scenes.main[5]: has only 0 items",
        "--set game.size=[1: game.size: is not valid YAML",
        "--set scenes.main.x=1: scenes.main.x: has only 0 items",
    ):
        assert any(sentence.startswith(expected) for sentence in found), (expected, found)


def test_a_plugin_may_fill_in_what_the_author_left_out():
    """A plugin can add sections to a manifest from code, with plain data."""
    manifest = parse_manifest("rish: 1")
    manifest.settings.setdefault("wind", {"direction": -1})
    manifest.prefabs["gust"] = {"Transform": {}}
    assert manifest.settings["wind"] == {"direction": -1}
    assert manifest.data["prefabs"]["gust"].values_at["Transform"].name == "game.yaml"
