"""State removed by one edit of a manifest is restored by the next edit that names it again."""

from __future__ import annotations

import pytest
from edits import BASE, EDITS, GATES, Door, Key, begin, read, shown

from rish_core import Name, Origin, Transform, named
from rish_reload import reconcile
from rish_scripts.reload.undo import Undo

TAKEN = {
    name: EDITS[name]
    for name in (
        "no child in a prefab", "fewer copies", "no copies", "fewer children", "fewer of both", "a component less",
        "no first entry", "nothing left",
    )
} | {"a part": ("".join(line + "\n" for line in BASE.splitlines()[:1]), GATES)}  # fmt: skip


@pytest.mark.parametrize(("scene", "prefabs"), TAKEN.values(), ids=list(TAKEN))
def test_what_an_edit_took_comes_back_with_its_state(scene: str, prefabs: str) -> None:
    """Values, added and removed components and despawned entities are restored by the following edit."""
    before, between = read(BASE, GATES), read(scene, prefabs)
    world = begin(before)
    hero = named(world, "hero")
    world.set(hero, Door(hits=100, label="mine"), Transform(position=(50, 60)), Key(teeth=12))
    origin = world[Origin]
    threes = origin.entities[origin.entry == 4].copy()
    world.add(int(threes[1]), Key(teeth=3))
    world.remove(int(threes[0]), Door)
    world.despawn(int(threes[2]))
    knob = int(origin.entities[origin.entry == 1][1])
    world.set(knob, Key(teeth=50))
    expected = shown(world)
    state = world.snapshot()
    assert reconcile(world, before, between).lost
    undo = Undo(world, before, state)
    assert undo
    undo.give_back(world, before, reconcile(world, between, before))
    assert shown(world) == expected


def test_what_comes_back_follows_its_text() -> None:
    """A field whose text changed gets the new value of the text; other fields are restored."""
    before, nothing, after = read(BASE, GATES), read(*EDITS["nothing left"]), read(*EDITS["a field"])
    world = begin(before)
    world.set(named(world, "hero"), Door(hits=100, label="mine"))
    state = world.snapshot()
    reconcile(world, before, nothing)
    undo = Undo(world, before, state)
    undo.give_back(world, after, reconcile(world, nothing, after))
    door = world.get(named(world, "hero"), Door)
    assert (door.hits, door.label) == (3, "mine")


def test_references_between_what_comes_back() -> None:
    """References set by the game are restored if their entity is; otherwise they are as in the text."""
    scene = "    - {name: a, Door: {to: b}}\n    - {name: b, Door: {}}\n    - {name: c, Door: {to: a}}\n"
    before, part = read(scene), read("    - {name: a, Door: {}}\n")
    world = begin(before)
    b, c = named(world, "b"), named(world, "c")
    other = world.spawn(Name(value="other"))
    world.set(b, Door(to=c))
    world.set(c, Door(to=other))
    state = world.snapshot()
    reconcile(world, before, part)
    world.despawn(other)
    Undo(world, before, state).give_back(world, before, reconcile(world, part, before))
    a, b, c = (named(world, name) for name in "abc")
    assert [world.get(one, Door).to for one in (a, b, c)] == [b, c, a]
