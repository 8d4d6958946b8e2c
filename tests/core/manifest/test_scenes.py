"""Scenes: spawning, references, changes of scene, and prefabs spawned by systems."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rish_core.common.names import Persistent, find, members, tagged
from rish_core.common.transform import Transform
from rish_core.manifest.plan import Origin
from rish_core.manifest.scenes import (
    COMPONENTS,
    Prefabs,
    Scenes,
    change_scene,
    clear_scene,
    in_scene,
    spawn_prefab,
    spawn_scene,
)
from rish_ecs import DeclarationError, Entity, Stage, UnknownName, UsageError, World, component, field

CRATES = """
prefabs:
  crate: {Transform: {}, Body: {mass: 2}}
scenes:
  main:
    - {prefab: crate, count: 6, at: {grid: [3, 2], step: [10, 20], origin: [5, 0]}}
    - {Body: {mass: 7}}
"""


def test_a_grid_is_spawned_row_by_row(play):
    """`at: {grid}` places copies from the origin to the right, then upwards."""
    world, game = play(CRATES)
    handles = spawn_scene(world, game, "main")
    assert len(handles) == 7
    expected = [[5, 0], [15, 0], [25, 0], [5, 20], [15, 20], [25, 20]]
    assert world[Transform].position.tolist() == expected


def test_every_entity_knows_the_line_that_it_came_from(play):
    """Origin holds the scene, step and copy of an entity; the step leads to the place in the text."""
    world, game = play(CRATES)
    spawn_scene(world, game, "main")
    origin = world[Origin]
    assert origin.entry.tolist() == [0] * 6 + [1]
    assert origin.copy.tolist() == [0, 1, 2, 3, 4, 5, 0]
    assert {world.text(number) for number in origin.scene.tolist()} == {"main"}
    assert game.scenes["main"].steps[1].node.mark.line == 7
    assert game.scenes["main"].steps[1].node.path == ("scenes", "main", 1)


def test_ten_thousand_copies_are_one_batched_spawn(play, monkeypatch):
    """`count: 10000` calls spawn_many once."""
    world, game = play("scenes: {main: [{Transform: {}, Body: {}, count: 10000, at: {random: [0, 0, 9, 9]}}]}")
    calls = []
    original = world.spawn_many
    monkeypatch.setattr(world, "spawn_many", lambda n, *parts: calls.append(n) or original(n, *parts))
    spawn_scene(world, game, "main")
    assert calls == [10000]


def test_a_run_of_single_entries_is_one_batched_spawn(play, monkeypatch, kinds):
    """Consecutive entries with the same components are spawned together, each with its own values."""
    lines = "\n".join(f"    - {{Transform: {{position: [{i}, 0]}}, Sprite: {{text: 't{i}'}}}}" for i in range(50))
    world, game = play(f"scenes:\n  main:\n{lines}\n    - {{Sprite: {{mode: line, color: red}}}}\n")
    calls = []
    original = world.spawn_many
    monkeypatch.setattr(world, "spawn_many", lambda n, *parts: calls.append(n) or original(n, *parts))
    handles = spawn_scene(world, game, "main")
    assert calls == [50]
    assert world[Transform].position[:, 0].tolist() == list(range(50))
    assert world.get(int(handles[7]), kinds.Sprite).text == "t7"
    assert world.get(int(handles[50]), kinds.Sprite).mode == "line"
    assert world[Origin].entry.tolist() == list(range(51))


def test_joined_entries_keep_at_count_and_defaults(play, kinds):
    """Entries that are spawned together keep their own fields, and defaults for the others."""
    world, game = play("""
scenes:
  main:
    - {Transform: {position: [1, 2]}, Body: {form: circle}, at: [3, 4]}
    - {Transform: {rotation: 180}, Body: {hits: 3}, count: 2, at: [[5, 6], [7, 8]]}
    - {Transform: {position: [9, 9]}, Body: {path: [[1, 1]]}}
""")
    spawn_scene(world, game, "main")
    assert world[Transform].position.tolist() == [[3, 4], [5, 6], [7, 8], [9, 9]]
    assert world[Transform].rotation.tolist() == pytest.approx([0, math.pi, math.pi, 0])
    assert world[kinds.Body].form.tolist() == [1, 0, 0, 0]
    assert world[kinds.Body].hits.tolist() == [1, 3, 3, 1]
    assert [len(row) for row in world[kinds.Body].path] == [0, 0, 0, 1]


def test_random_places_depend_on_the_seed_alone(play):
    """Random places depend only on the seed."""
    text = "scenes: {main: [{count: 40, at: {random: [0, 0, 100, 50]}}]}"
    found = []
    for seed in (1, 1, 2):
        world, game = play(text, seed)
        spawn_scene(world, game, "main")
        found.append(world[Transform].position.copy())
    assert np.array_equal(found[0], found[1])
    assert not np.array_equal(found[0], found[2])
    assert found[0].min() >= 0
    assert found[0][:, 0].max() <= 100
    assert found[0][:, 1].max() <= 50


def test_values_may_differ_from_copy_to_copy(play, kinds):
    """`each` takes values in turn, `hold` repeats them, and `random` draws between two limits."""
    world, game = play("""
scenes:
  main:
    - count: 6
      Transform: {rotation: {each: [0, 90]}}
      Body: {mass: {random: [2, 3]}, hits: {random: [1, 9]}, velocity: {random: [[0, 5], [1, 6]]},
             form: {each: [circle, box], hold: 3}}
      Sprite: {image: {each: [a.png, b.png]}, text: {each: [x, yy]},
               color: {each: ['#f00', '#0f0', '#00f'], hold: 2}}
""")
    spawn_scene(world, game, "main")
    body, sprite = world[kinds.Body], world[kinds.Sprite]
    assert world[Transform].rotation.tolist() == pytest.approx([0, math.pi / 2] * 3)
    assert body.form.tolist() == [1, 1, 1, 0, 0, 0]
    assert ((body.mass >= 2) & (body.mass <= 3)).all()
    assert len(set(body.mass.tolist())) == 6
    assert set(body.hits.tolist()) <= set(range(1, 10))
    assert (body.velocity[:, 1] >= 5).all()
    assert [world.text(n) for n in sprite.image.tolist()] == ["a.png", "b.png"] * 3
    assert sprite.color[:, 1].tolist() == [0, 0, 1, 1, 0, 0]


def test_names_tags_and_groups_are_components(play):
    """The lower-case keys become Name, Tags and Group, and prefabs pass theirs on."""
    world, game = play("""
prefabs:
  enemy: {tags: [enemy], group: wave}
scenes:
  main:
    - {prefab: enemy, name: boss, tags: [big]}
    - {prefab: enemy, count: 2}
""")
    handles = spawn_scene(world, game, "main")
    assert find(world, "boss") == handles[0]
    assert tagged(world, "enemy").tolist() == handles.tolist()
    assert tagged(world, "big").tolist() == [handles[0]]
    assert members(world, "wave").tolist() == handles.tolist()


def test_children_follow_each_copy(play):
    """Every copy of a parent gets its own children."""
    world, game = play("""
scenes:
  main:
    - {count: 3, children: [{count: 2, at: [[1, 0], [2, 0]], Body: {}}]}
""")
    handles = spawn_scene(world, game, "main")
    assert len(handles) == 9
    assert world[Transform].parent.tolist() == [0, 0, 0, *np.repeat(handles[:3], 2).tolist()]
    assert world[Transform].position[3:, 0].tolist() == [1, 2] * 3


def test_a_name_is_looked_up_in_the_same_copy_first(play, kinds):
    """A reference is first resolved in the same copy of a prefab, then in the scene."""
    world, game = play("""
prefabs:
  tank: {Body: {target: barrel}, children: [{name: barrel, Body: {target: player}}]}
scenes:
  main:
    - {prefab: tank, count: 3}
    - {name: player, Transform: {}}
    - {name: barrel}
    - {Transform: {}, parent: player}
""")
    handles = spawn_scene(world, game, "main")
    targets = {int(e): int(t) for e, t in zip(world[kinds.Body].entities, world[kinds.Body].target, strict=True)}
    tanks, barrels, player = handles[:3].tolist(), handles[3:6].tolist(), int(handles[6])
    assert [targets[tank] for tank in tanks] == barrels
    assert [targets[barrel] for barrel in barrels] == [player] * 3
    assert world.get(int(handles[8]), Transform).parent == player


def test_changing_the_scene_keeps_what_is_persistent(play, kinds):
    """A scene change despawns all entities without Persistent, except children of such, and spawns the new scene."""
    world, game = play("""
scenes:
  one:
    - {name: player, Persistent: {}, children: [{name: hat}]}
    - {name: holder, children: [{name: kept, Persistent: {}}]}
    - {count: 5, Body: {}}
  two:
    - {Body: {target: player}, count: 2}
""")
    change_scene(world, game, "one")
    assert world[Scenes].current == "one"
    new = change_scene(world, game, "two")
    assert [bool(find(world, name)) for name in ("player", "hat", "kept", "holder")] == [
        True,
        True,
        True,
        False,
    ]
    assert world.get(find(world, "kept"), Transform).parent == 0
    assert len(world[kinds.Body]) == 2
    assert world[kinds.Body].target.tolist() == [find(world, "player")] * 2
    assert world.alive(new).all()


@component
class Nest:
    """A component of a plugin whose entities form trees."""

    depth: int = 0
    parent: Entity = field(0, cascade=True)


def test_changing_the_scene_follows_the_parents_of_every_component():
    """What hangs below a Persistent entity by any component stays; a kept child of what goes has no parent there."""
    world = World([*COMPONENTS, Nest])
    hero, holder = world.spawn(Persistent, Nest), world.spawn(Nest)
    hat = world.spawn(Nest(parent=hero))
    feather = world.spawn(Transform(parent=hat))
    kept = world.spawn(Persistent, Nest(parent=holder))
    clear_scene(world)
    assert world.alive(np.array([hero, hat, feather, kept, holder])).tolist() == [True] * 4 + [False]
    assert world.get(kept, Nest).parent == 0
    assert world.get(hat, Nest).parent == hero


def test_a_scene_that_does_not_exist_is_refused_with_the_nearest_name(play):
    """An unknown scene is refused immediately with the nearest name; the current scene can be restarted."""
    world, game = play("scenes: {title: [], play: []}")
    assert world[Scenes].requested == "title"
    with pytest.raises(UnknownName, match="did you mean 'play'"):
        world[Scenes].go("plya")
    with pytest.raises(UnknownName, match="play"):
        change_scene(world, game, "plya")
    world[Scenes].go("play")
    assert world[Scenes].requested == "play"
    change_scene(world, game, "play")
    assert world[Scenes].requested == ""
    world[Scenes].restart()
    assert world[Scenes].requested == "play"


def test_a_system_spawns_a_prefab_in_one_call(play, kinds):
    """`spawn_prefab` overrides single fields, adds components, and takes arrays for many copies."""
    world, _ = play("prefabs: {ball: {Body: {mass: 2, velocity: [1, 1]}, children: [{name: light}]}}")
    one = spawn_prefab(world, "ball", Transform(position=(3, 4)), kinds.Body(velocity=(5, 6)), kinds.Sprite)
    assert isinstance(one, int)
    assert world.get(one, Transform).position.tolist() == [3, 4]
    assert world.get(one, kinds.Body).mass == 2
    assert world.get(one, kinds.Body).velocity.tolist() == [5, 6]
    assert world.has(one, kinds.Sprite)
    many = spawn_prefab(world, "ball", n=4, at=np.arange(8).reshape(4, 2), parent=one)
    assert many.dtype == np.int64
    assert [world.get(int(e), Transform).position.tolist() for e in many] == [[0, 1], [2, 3], [4, 5], [6, 7]]
    assert [world.get(int(e), Transform).parent for e in many] == [one] * 4
    assert len(world[Prefabs].spawn(world, "pebble", n=3)) == 3
    assert {world.text(n) for n in world[Origin].scene.tolist()} == {"prefab:ball", "prefab:pebble"}


def test_dotted_names_override_children(play, kinds):
    """Dotted keys override fields of the root and of children, with one value or one per copy."""
    world, _ = play(
        "prefabs: {tank: {Body: {mass: 2}, children: ["
        "{name: turret, at: [0, 3], Body: {}, children: [{name: gun, count: 2, Body: {}}]}]}}"
    )
    values = {"Body.mass": 5, "turret.gun.Body.mass": 7, "turret.Transform.position": (1, 1)}
    tank = spawn_prefab(world, "tank", kinds.Sprite, values, at=(9, 9))
    assert world.get(tank, kinds.Body).mass == 5
    assert world.get(tank, Transform).position.tolist() == [9, 9]
    assert world.get(find(world, "turret"), Transform).position.tolist() == [1, 1]
    assert world[kinds.Body].mass.tolist() == [5, 1, 7, 7]
    spawn_prefab(world, "tank", {"turret.gun.Body.mass": np.array([3, 4]), "turret.Body.mass": np.array([5, 6])}, n=2)
    assert world[kinds.Body].mass.tolist()[4:] == [2, 2, 5, 6, 3, 3, 4, 4]


@pytest.mark.parametrize(
    ("values", "error", "said"),
    [
        ({"turet.Body.mass": 1}, UnknownName, "no child of prefab:tank is called 'turet' (did you mean 'turret'?)"),
        ({"turret.Bdy.mass": 1}, UnknownName, "'turret.Bdy.mass' names no component (did you mean 'Body'?)"),
        ({"turret.Body.mas": 1}, UnknownName, "Body has no field 'mas' (did you mean 'mass'?)"),
        ({"mass": 1}, UnknownName, "'mass' names no component"),
        ({"": 1}, UnknownName, "names no component"),
        ({"turret.Body.mass": "heavy"}, DeclarationError, "Body.mass: "),
    ],
)
def test_wrong_dotted_names_are_refused(play, kinds, values, error, said):
    """A wrong dotted key is refused with the nearest name, and nothing is spawned."""
    world, _ = play("prefabs: {tank: {Body: {}, children: [{name: turret, Body: {}}]}}")
    with pytest.raises(error) as caught:
        spawn_prefab(world, "tank", values)
    assert said in str(caught.value)
    with pytest.raises(UsageError, match="mass is given twice"):
        spawn_prefab(world, "tank", kinds.Body(mass=1), {"Body.mass": 2})
    assert len(world.entities) == 0


def test_a_prefab_spawned_in_a_stage_exists_after_it(play, kinds):
    """In a system `spawn_prefab` returns handles immediately; entities and references exist after the stage."""
    world, _ = play("prefabs: {tank: {Body: {target: barrel}, children: [{name: barrel}]}}")
    world.stage = Stage.UPDATE
    handle = spawn_prefab(world, "tank", at=(1, 2))
    assert not world.alive(handle)
    world.flush()
    world.stage = None
    assert world.alive(handle)
    assert world.get(handle, kinds.Body).target == find(world, "barrel")


def test_wrong_calls_of_spawn_prefab_say_what_would_be_right(play, kinds):
    """Unknown prefabs, duplicate components, wrong shapes and negative counts are refused."""
    world, _ = play("prefabs: {ball: {}}")
    with pytest.raises(UnknownName, match="did you mean 'ball'"):
        spawn_prefab(world, "bal")
    with pytest.raises(UsageError, match="twice"):
        spawn_prefab(world, "ball", kinds.Body(), kinds.Body())
    with pytest.raises(UsageError, match=r"\(3, 2\)"):
        spawn_prefab(world, "ball", n=3, at=[1, 2, 3])
    with pytest.raises(UsageError, match="-1"):
        spawn_prefab(world, "ball", n=-1)


def test_a_prefab_by_itself_finds_outside_names_in_the_world(play, kinds):
    """A reference to an entity outside a prefab is resolved by name in the world when it is spawned."""
    world, game = play("""
prefabs: {missile: {Body: {target: player}}}
scenes: {main: [{name: player}]}
""")
    with pytest.raises(UnknownName, match="player"):
        spawn_prefab(world, "missile")
    spawn_scene(world, game, "main")
    assert world.get(spawn_prefab(world, "missile"), kinds.Body).target == find(world, "player")


def test_an_entry_without_copies_is_no_mistake(play, kinds):
    """`count: 0` spawns nothing, and references to it are 0."""
    world, game = play("scenes: {main: [{name: none, count: 0, children: [{}]}, {Body: {target: none}}]}")
    assert len(spawn_scene(world, game, "main")) == 1
    assert world[kinds.Body].target.tolist() == [0]


def test_in_scene_asks_for_the_current_scene() -> None:
    """`in_scene` holds only in the scenes that it names."""
    world = World()
    world.put(Scenes(current="title"))
    title, play = in_scene("title", "play"), in_scene("play")
    assert (title(world), play(world)) == (True, False)
    world[Scenes].current = "play"
    assert (title(world), play(world)) == (True, True)


def test_in_scene_needs_a_name() -> None:
    """`in_scene` without a name is refused."""
    with pytest.raises(UsageError, match="names no scene"):
        in_scene()
