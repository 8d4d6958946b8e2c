"""An edited text changes the entities that came from it, but only where the text has changed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from edits import BASE, EDITS, GATES, Door, Key, begin, read, shown

from rish_core.common.names import Name, Persistent, named
from rish_core.common.transform import Transform
from rish_core.manifest.plan import Origin
from rish_core.manifest.scenes import change_scene, spawn_prefab
from rish_ecs import World
from rish_reload.entities.live import reconcile


@pytest.mark.parametrize(("scene", "prefabs"), EDITS.values(), ids=EDITS)
def test_the_world_is_as_a_fresh_start_would_make_it(scene: str, prefabs: str) -> None:
    """If the game changed nothing, the edited world equals one that began with the new text."""
    before, after = read(BASE, GATES), read(scene, prefabs)
    world, fresh = begin(before), begin(after)
    done = reconcile(world, before, after)
    assert shown(world) == shown(fresh)
    assert bool(done) == ((scene, prefabs) != (BASE, GATES))
    assert not reconcile(world, after, after)


@pytest.mark.parametrize(("scene", "prefabs"), EDITS.values(), ids=EDITS)
def test_and_back_again(scene: str, prefabs: str) -> None:
    """After an edit is taken back the values are those of the beginning."""
    before, after = read(BASE, GATES), read(scene, prefabs)
    world, fresh = begin(before), begin(before)
    reconcile(world, before, after)
    reconcile(world, after, before)
    assert shown(world) == shown(fresh)


def test_two_edits_in_a_row() -> None:
    """After two edits in a row the world equals that of the last text."""
    texts = [read(*EDITS[name]) for name in ("more of both", "the other way round", "all at once", "fewer children")]
    for first, second in itertools.permutations(texts, 2):
        base = read(BASE, GATES)
        world = begin(base)
        reconcile(world, base, first)
        reconcile(world, first, second)
        assert shown(world) == shown(begin(second))


def test_what_the_game_made_of_it_stays() -> None:
    """Only fields whose text changed are written; the others keep the values of the game."""
    before, after = read(BASE, GATES), read(*EDITS["a field"])
    world = begin(before)
    hero = named(world, "hero")
    world.set(hero, Door(hits=100, label="mine"), Transform(position=(50, 60)))
    untouched = {name: digest for name, digest in world.hashes().items() if name != "doors.Door.hits"}
    assert reconcile(world, before, after).changed == 1
    assert world.get(hero, Door).hits == 3
    assert world.get(hero, Door).label == "mine"
    assert {name: digest for name, digest in world.hashes().items() if name != "doors.Door.hits"} == untouched


def test_what_is_gone_does_not_come_back() -> None:
    """An edit does not bring back entities or components that the game has removed."""
    before, after = read(BASE, GATES), read(*EDITS["a prefab"])
    world = begin(before)
    gates = world[Origin].entities[world[Origin].entry == 0].copy()
    world.despawn(int(gates[0]))
    world.remove(int(gates[1]), Door)
    count = len(world.entities)
    assert not reconcile(world, before, after)
    assert len(world.entities) == count


LOCKS = """lock: {Transform: {}, Door: {to: bolt}, children: [{name: bolt, Key: {teeth: 1}, Door: {to: frame}}]}
  gate:
    Transform: {}
    Door: {to: knob}
    name: frame
    children:
      - {name: knob, Key: {}, Door: {to: bolt}}
      - {name: left, prefab: lock}
      - {name: right, prefab: lock, count: 2, children: [{name: bolt, Key: {teeth: 2}}]}
      - {name: spy, Door: {to: hero}}"""
LEFT = "      - {name: left, prefab: lock}\n"
HOUSE = """\
    - {prefab: gate, count: 3, at: {grid: [3, 1], step: [9, 9]}}
    - {name: hero, Transform: {}, Door: {to: frame}}
    - {name: guest, Transform: {}, Door: {to: hero}}
"""


def gates(count: int) -> str:
    """Return the house with another number of gates."""
    return HOUSE.replace("count: 3, at: {grid: [3, 1]", f"count: {count}, at: {{grid: [{count}, 1]")


REFERENCES: dict[str, tuple[str, str]] = {
    "more copies": (gates(5), LOCKS),
    "fewer copies": (gates(1), LOCKS),
    "more copies within": (HOUSE, LOCKS.replace("count: 2", "count: 4")),
    "fewer copies within": (HOUSE, LOCKS.replace("count: 2", "count: 1")),
    "both": (gates(4), LOCKS.replace(": 2,", ": 3,")),
    "an entry before": ("    - {Transform: {}, Key: {}}\n" + HOUSE, LOCKS),
    "a child before": (HOUSE, LOCKS.replace("children:\n", "children:\n      - {name: mat, Key: {}}\n")),
    "another target": (HOUSE, LOCKS.replace("Door: {to: knob}", "Door: {to: spy}")),
    "a target within": (HOUSE, LOCKS.replace("Key: {}, Door: {to: bolt}", "Key: {}, Door: {to: right}")),
    "no child that was a target": (HOUSE, LOCKS.replace(LEFT, "")),
    "a child that becomes the target": (HOUSE, LOCKS.replace(
        "{name: knob,", "{name: knob, children: [{name: bolt, Key: {}}],")),
    "the inner prefab": (HOUSE, LOCKS.replace("lock: {Transform: {}, Door: {to: bolt}", "lock: {Transform: {}")),
    "the order of children": (HOUSE, LOCKS.replace(LEFT, "").replace(
        "      - {name: spy", LEFT + "      - {name: spy")),
    "no reference": (HOUSE.replace(", Door: {to: frame}", ""), LOCKS),
}  # fmt: skip


def targets(world: World) -> list[tuple[Any, ...]]:
    """Return which door refers to which entity, as entry and copy of both."""
    origin, doors = world[Origin], world[Door]
    rows = []
    for handle, target in zip(doors.entities.tolist(), doors.to.tolist(), strict=True):
        ends = [origin.row_of(each) if each else -1 for each in (handle, target)]
        rows.append(tuple((int(origin.entry[k]), int(origin.copy[k])) if k >= 0 else None for k in ends))
    return sorted(rows, key=repr)


@pytest.mark.parametrize(("scene", "prefabs"), REFERENCES.values(), ids=REFERENCES)
def test_references_within_prefabs_in_prefabs_keep_their_targets(scene: str, prefabs: str) -> None:
    """After an edit, and after it is taken back, the references equal those of a new world."""
    before, after = read(HOUSE, LOCKS), read(scene, prefabs)
    world, start = begin(before), targets(begin(before))
    reconcile(world, before, after)
    assert targets(world) == targets(begin(after))
    reconcile(world, after, before)
    assert targets(world) == start


def test_each_copy_refers_to_its_own_parts() -> None:
    """A reference in a nested prefab means the nearest entity of that name in the same copy."""
    world = begin(read(HOUSE, LOCKS))
    for handle in world[Door].entities.tolist():
        target = int(world[Door].to[world[Door].row_of(handle)])
        if target and world.has(handle, Name) and world.get(handle, Name).value in ("left", "right"):
            assert world.get(target, Transform).parent == handle
        if target and world.has(handle, Name) and world.get(handle, Name).value == "knob":
            left = world.get(target, Transform).parent
            assert world.get(left, Name).value == "left"
            assert world.get(left, Transform).parent == world.get(handle, Transform).parent


def test_copies_that_are_gone_shift_no_targets() -> None:
    """After the game despawned one of three gates, an edit finds the right parts of the other two."""
    before = read(HOUSE, LOCKS)
    after = read(HOUSE, LOCKS.replace("Door: {to: knob}", "Door: {to: spy}").replace("count: 2", "count: 3"))
    world = begin(before)
    frames = [h for h in world[Name].entities.tolist() if world.get(h, Name).value == "frame"]
    world.despawn(frames[1])
    reconcile(world, before, after)
    for frame in (frames[0], frames[2]):
        spy = int(world.get(frame, Door).to)
        assert world.get(spy, Name).value == "spy"
        assert world.get(spy, Transform).parent == frame
        inner = [h for h in world[Name].entities.tolist() if world.get(h, Name).value == "right"]
        mine = [h for h in inner if world.get(h, Transform).parent == frame]
        assert len(mine) == 3
        assert all(world.get(int(world.get(h, Door).to), Transform).parent == h for h in mine)


def test_what_a_system_spawned_follows_its_prefab() -> None:
    """Copies made by `spawn_prefab` follow an edit of their prefab, with their children."""
    before = read("    []\n", GATES)
    after = read(
        "    []\n", "gate: {Transform: {}, Door: {hits: 6}, children: [{name: knob, Key: {teeth: 8}}, {Key: {}}]}"
    )
    world = begin(before)
    one = spawn_prefab(world, "gate")
    many = spawn_prefab(world, "gate", n=3)
    done = reconcile(world, before, after)
    assert world[Door].hits.tolist() == [6, 6, 6, 6]
    assert done.spawned == 4
    assert sorted(world[Key].teeth.tolist()) == [3, 3, 3, 3, 8, 8, 8, 8]
    parents = [world.get(handle, Transform).parent for handle in world[Key].entities.tolist()]
    assert sorted(parents) == sorted([one, *many.tolist()] * 2)


def test_references_follow() -> None:
    """References follow edits to another name, to a new entity, away from a removed one, and within each copy."""
    text = (
        "    - {name: a, Transform: {}}\n    - {name: b, Transform: {}}\n    - {Transform: {}, Door: {to: a}}\n"
        "    - {count: 2, Transform: {}, Door: {to: knob}, children: [{name: knob, Key: {}}]}\n"
    )
    before = read(text)
    world = begin(before)
    a, b = named(world, "a"), named(world, "b")
    assert world[Door].to[0] == a
    after = read(text.replace("to: a", "to: b"))
    assert reconcile(world, before, after).changed == 1
    assert world[Door].to[0] == b
    third = read(text.replace("to: a", "to: c") + "    - {name: c, Transform: {}}\n")
    reconcile(world, after, third)
    assert world[Door].to[0] == named(world, "c")
    fourth = read(text.replace("Door: {to: a}", "Door: {}"))
    reconcile(world, third, fourth)
    assert world[Door].to[0] == 0
    fifth = read(text.replace("Door: {to: a}", "Door: {}").replace("count: 2, Tr", "count: 3, Tr"))
    reconcile(world, fourth, fifth)
    doors = world[Door]
    for handle, target in zip(doors.entities[1:].tolist(), doors.to[1:].tolist(), strict=True):
        assert world.get(target, Transform).parent == handle
    assert len(doors) == 4


def test_random_values_are_drawn_for_what_is_new_only() -> None:
    """Random values are drawn only for new copies, unless the range of the draw is edited."""
    text = "    - {count: 4, at: {random: [0, 0, 9, 9]}, Transform: {}, Door: {hits: {random: [1, 900]}}}\n"
    before, more = read(text), read(text.replace("count: 4", "count: 6"))
    world = begin(before)
    places, hits = world[Transform].position.copy(), world[Door].hits.copy()
    assert reconcile(world, before, more).spawned == 2
    assert (world[Transform].position[:4] == places).all()
    assert (world[Door].hits[:4] == hits).all()
    other = read(text.replace("count: 4", "count: 6").replace("[1, 900]", "[1000, 2000]"))
    assert reconcile(world, more, other).changed == 6
    assert (world[Door].hits >= 1000).all()
    assert (world[Transform].position[:4] == places).all()


def test_other_scenes_are_left_alone() -> None:
    """A scene that is not shown spawns nothing; persistent entities from it follow their entry."""
    scene = "    - {name: king, Transform: {}, Persistent: {}, Door: {hits: 2}}\n"
    before = read(scene)
    after = read(scene.replace("hits: 2", "hits: 3") + "    - {Transform: {}}\n")
    world = begin(before)
    change_scene(world, before, "other")
    assert len(world[Persistent]) == 1
    done = reconcile(world, before, after)
    assert (done.changed, done.spawned) == (1, 0)
    assert world[Door].hits.tolist() == [3]


def test_a_prefab_or_scene_that_is_gone_leaves_its_entities() -> None:
    """Entities whose prefab or scene was removed from the text stay."""
    before, after = read("    []\n", GATES), read("    []\n")
    world = begin(before)
    spawn_prefab(world, "gate")
    assert not reconcile(world, before, after)
    assert len(world[Door]) == 1
