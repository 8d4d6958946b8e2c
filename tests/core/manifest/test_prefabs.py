"""Prefabs inherit, override and contain one another."""

from __future__ import annotations

import pytest

from rish_core.common.transform import Transform
from rish_core.manifest.scenes import spawn_scene

BOOK = """
prefabs:
  base:
    Body: {mass: 2, hits: 3, velocity: [1, 1]}
    Sprite: {text: hello}
    tags: [a]
    children: [{name: lid, at: [0, 1], Body: {}}]
  light: {prefab: base, Body: {mass: 0.5}, Sprite: null, tags: [b], name: feather}
  open: {prefab: light, Sprite: {}, children: [{name: lid, Body: {hits: 5}}, {name: hinge}]}
scenes:
  main:
    - {prefab: open, Body: {velocity: [9, 9]}, at: [7, 7]}
    - {prefab: light, name: other}
    - {prefab: pebble}
"""


def test_fields_are_merged_one_by_one(compiled, kinds):
    """Fields are merged one by one over several generations, and those of the heir win."""
    plans = compiled(BOOK).prefabs
    assert plans["light"].steps[0].parts[kinds.Body] == {"mass": 0.5, "hits": 3, "velocity": [1, 1]}
    assert plans["base"].steps[0].parts[kinds.Body]["mass"] == 2
    scene = compiled(BOOK).scenes["main"]
    assert scene.steps[0].parts[kinds.Body] == {"mass": 0.5, "hits": 3, "velocity": [9, 9]}


def test_null_takes_a_component_away_and_a_mapping_brings_it_back(compiled, kinds):
    """`Sprite: null` removes an inherited component; if none is inherited it adds one with defaults."""
    plans = compiled(BOOK).prefabs
    assert kinds.Sprite not in plans["light"].steps[0].parts
    assert plans["open"].steps[0].parts[kinds.Sprite] == {}
    assert compiled("prefabs: {x: {Body: null}}").prefabs["x"].steps[0].parts[kinds.Body] == {}


def test_names_and_tags_are_inherited(compiled, kinds):
    """An inherited name is replaced, and inherited tags are kept and extended."""
    scene = compiled(BOOK).scenes["main"]
    named = {step.node.name: step for step in scene.steps if step.parent < 0}
    assert list(named) == ["feather", "other", ""]
    assert named["feather"].parts[kinds.Tags] == {"values": ("a", "b")}
    assert named["other"].node.prefab == "light"


def test_a_child_of_an_inherited_name_changes_that_child(compiled, kinds):
    """A child with an inherited name changes that child; other children are added after the inherited ones."""
    steps = compiled(BOOK).prefabs["open"].steps
    assert [step.node.name for step in steps] == ["feather", "lid", "hinge"]
    assert steps[1].parts[kinds.Body] == {"hits": 5}
    assert steps[1].node.at is not None
    assert all(Transform in step.parts for step in steps)


def test_a_plugins_prefabs_take_part_and_the_manifest_wins(compiled, kinds):
    """A manifest can use, inherit from, and redefine the prefabs of plugins."""
    assert compiled(BOOK).prefabs["pebble"].steps[0].parts[kinds.Body] == {"mass": 0.5}
    assert kinds.Body not in compiled("prefabs: {pebble: {}}").prefabs["pebble"].steps[0].parts
    assert compiled("prefabs: {rock: {prefab: pebble}}").prefabs["rock"].steps[0].parts[kinds.Body] == {"mass": 0.5}


def test_mistakes_in_a_plugins_prefab_name_the_plugins(registry):
    """A mistake in a plugin's prefab is reported as one of the plugins, not with a line of the manifest."""
    import dataclasses

    from rish_core.manifest.check import check_manifest
    from rish_core.manifest.manifest import parse_manifest

    broken = dataclasses.replace(registry, prefabs={"bad": {"Body": {"mas": 1}}})
    (problem,) = check_manifest(parse_manifest("rish: 1"), broken)
    assert str(problem).startswith("prefabs of the plugins: prefabs.bad.Body.mas: Body has no field 'mas'")


def test_heirs_of_one_prefab_do_not_disturb_one_another(play, kinds):
    """Spawning a prefab or its heirs does not change the prefab."""
    world, game = play(BOOK)
    spawn_scene(world, game, "main")
    spawn_scene(world, game, "main")
    # each scene has two roots with a lid each, a hinge without a body, and a pebble
    assert world[kinds.Body].mass.tolist() == [0.5, 1, 0.5, 1, 0.5] * 2


DOTTED = """
prefabs:
  base:
    Body: {mass: 2, hits: 3}
    Sprite: {text: hello}
    children:
      - {name: lid, at: [0, 1], Body: {hits: 5}, children: [{name: knob, Body: {}}]}
scenes:
  main:
"""


def test_dotted_names_reach_fields_and_children(compiled, kinds):
    """Dotted keys mean the same as nested mappings, and are merged with those beside them."""
    short = compiled(
        DOTTED + "    - {prefab: base, Body.mass: 7, lid.Body.hits: 1, lid.Body: {mass: 4}, lid.knob.Body.mass: 9,"
        " lid.Sprite: {}, Sprite: null}\n"
    )
    long = compiled(
        DOTTED + "    - {prefab: base, Body: {mass: 7}, Sprite: null, children: [{name: lid, Body: {hits: 1, mass: 4},"
        " Sprite: {}, children: [{name: knob, Body: {mass: 9}}]}]}\n"
    )
    found, expected = ([(step.node.name, step.parts) for step in each.scenes["main"].steps] for each in (short, long))
    assert found == expected
    assert found[1][1][kinds.Body] == {"hits": 1, "mass": 4}


@pytest.mark.parametrize(
    ("use", "place"),
    [
        ("", [1, 2]),
        (", children: [{name: hole}]", [1, 2]),
        (", hole.Transform.rotation: 3", [1, 2]),
        (", hole.Transform.position: [5, 6]", [5, 6]),
        (", children: [{name: hole, Transform: {position: [5, 6]}}]", [5, 6]),
        (", children: [{name: hole, Transform: null}]", [0, 0]),
        (", children: [{name: hole, at: [7, 8]}]", [7, 8]),
        (", children: [{name: hole, at: [7, 8], Transform: {position: [5, 6]}}]", [7, 8]),
    ],
)
def test_the_last_that_says_the_place_of_a_child_wins(play, use, place):
    """An entry that changes a child moves it, by `at` or by a position; in one entry `at` is the place."""
    book = f"prefabs: {{lid: {{children: [{{name: hole, at: [1, 2]}}]}}}}\nscenes: {{main: [{{prefab: lid{use}}}]}}"
    world, game = play(book)
    spawn_scene(world, game, "main")
    assert world[Transform].position.tolist() == [[0, 0], place]


def test_dotted_names_in_prefabs_and_with_a_plugins_name(compiled, kinds):
    """Dotted keys work in prefabs; `plugin.Component` takes precedence over a child with the plugin's name."""
    plans = compiled(DOTTED.replace("scenes:", "  heir: {prefab: base, lid.knob.test.Body.mass: 3}\nscenes:")).prefabs
    assert plans["heir"].steps[2].parts[kinds.Body] == {"mass": 3}


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ld.Body.mass: 1", "main[0].ld: no child that is inherited is called 'ld' (did you mean 'lid'?). Names: lid"),
        ("lid.knb.Body.mass: 1", "main[0].lid.knb: no child that is inherited is called 'knb' (did you mean 'knob'?)"),
        ("lid.Body.mas: 1", "main[0].lid.Body.mas: Body has no field 'mas' (did you mean 'mass'?)"),
        ("lid.Bdy.mass: 1", "main[0].lid.Bdy: no component is called 'Bdy'"),
        ("lid.Body.mass: heavy", "main[0].lid.Body.mass: must be a number"),
        ("Body: {mass: 1}, Body.mass: 2", "main[0].Body.mass: Body.mass is given twice in this entry"),
        ("lid.mass: 1", "main[0].lid.mass: 'lid.mass' is not a valid key: write Component.field"),
        ("lid..Body: {}", "is not a valid key"),
        (".mass: 1", "is not a valid key"),
        ("Body.: 1", "is not a valid key"),
        ("Sprite: null, Sprite.text: a", "Sprite is given twice in this entry"),
    ],
)
def test_dotted_names_that_lead_nowhere_are_mistakes(problems, line, said):
    """Each wrong dotted key is one mistake with its place; a misspelt child creates no new child."""
    found = problems("rish: 1" + DOTTED + f"    - {{prefab: base, {line}}}\n")
    assert len(found) == 1, found
    assert said in found[0]
