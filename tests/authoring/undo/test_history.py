"""Undo and redo of anything that tools change."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from counted_calls import calls_of
from long_runs import long
from rish_authoring import History
from rish_authoring.undo.history import OUTSIDE
from rish_core import (
    Chars,
    Entity,
    Interventions,
    Name,
    Str,
    Tags,
    Transform,
    UsageError,
    Vec2,
    World,
    component,
    field,
    resource,
)
from rish_ecs import kind_of, table
from rish_ecs.snapshots import reinstate


@component
class Box:
    """Numbers, texts and a reference."""

    size: Vec2 = field((1, 2))
    label: Str = "box"
    note: Chars = ""
    items: list[int] = field((7,))
    target: Entity = 0


@component
class Flag:
    """A component without fields."""


@table
class Line:
    """Rows that are not entities."""

    x: float = 0.0


@resource
class Score:
    """A resource."""

    points: int = 0
    names: tuple[str, ...] = ()


def fresh(count: int = 20) -> World:
    """Return a world with entities of several shapes, some of them despawned."""
    world = World([Transform, Name, Tags, Box, Flag, Line])
    world.put(Score())
    world.put(Interventions())
    for k in range(count):
        world.spawn(Transform(position=(k, 0)), *([Box(note=f"note {k}", items=[k] * (k % 4))] if k % 2 else [Flag()]))
    world.despawn(world[Transform].entities[3:8:4].copy())
    return world


def edit(rng: random.Random, world: World) -> None:
    """Change something."""
    alive = sorted(world[Transform].entities.tolist())
    one = rng.choice(alive) if alive else world.spawn(Transform())
    match rng.randrange(11):
        case 0:
            world.spawn(Transform(parent=one), Box(note="new", target=one))
        case 1:
            world.spawn_many(3, Transform(), Flag)
        case 2 if len(alive) > 4:
            world.despawn(rng.sample(alive, 3))
        case 3:
            world.add(one, Box(items=[1, 2, 3], label=f"label {rng.random()}"))
        case 4:
            world.remove(one, Box, Flag)
        case 5:
            world.set(one, Transform(position=(rng.random(), 1), rotation=rng.random()))
        case 6 if world.has(one, Box):
            world.set(one, Box(note="a longer note than before", items=list(range(rng.randrange(6)))))
        case 7:
            world.add(one, Name(value=f"n{rng.randrange(9)}"), Tags(values=["a", f"t{rng.randrange(9)}"]))
        case 8:
            world[Score].points += 1
            world[Score].names = (*world[Score].names, "x")
        case 9:
            world[Line].append(2, x=rng.random())
        case _:
            if rng.random() < 0.5:
                row = world[Transform].row_of(one)
                world[Transform].column("scale")[row] = rng.random()
                world[Transform].mark(row)
            else:
                world[Line].keep_rows(np.arange(len(world[Line])) % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize("seed", long(range(4), [0, 3]))
def test_200_edits_undone_give_the_first_hash_and_done_again_the_last(seed):
    """Each undone and redone step has the hash that it had before, with valid handles, in any order of steps."""
    rng, world = random.Random(seed), fresh()
    history = History(world)
    hashes, alive = [world.hash()], [world[Transform].entities.tolist()]
    while len(history.done) < 200:
        with history.group("edit"):
            for _ in range(rng.choice([1, 1, 3])):
                edit(rng, world)
        if len(history.done) == len(hashes):
            hashes.append(world.hash())
            alive.append(world[Transform].entities.tolist())
    at = 200
    for _ in range(300):
        forward = rng.random() < 0.5
        done = history.redo() if forward else history.undo()
        at += (1 if forward else -1) if done is not None else 0
        assert world.hash() == hashes[at]
        assert world[Transform].entities.tolist() == alive[at]
        assert world.alive(np.array(alive[at], np.int64)).all()
    while history.undo() is not None:
        pass
    assert world.hash() == hashes[0]
    while history.redo() is not None:
        pass
    assert world.hash() == hashes[-1]
    snapshot = world.snapshot()
    other = fresh()
    other.restore(snapshot)
    assert other.hash() == hashes[-1]


def test_a_handle_is_alive_again_after_undo():
    """The handle of a despawned entity, kept in another entity's field, refers to it again after undo."""
    world = fresh(0)
    one = world.spawn(Transform(position=(1, 2)))
    two = world.spawn(Box(target=one))
    history = History(world)
    with history.group("delete"):
        world.despawn(one)
    assert not world.alive(one)
    assert history.undo().name == "delete"
    assert tuple(world.get(world.get(two, Box).target, Transform).position) == (1, 2)


def test_queries_see_undone_entities():
    """Queries, signatures and tables agree after undo and redo."""
    world = fresh(0)
    one = world.spawn(Transform())
    history = History(world)
    with history.group("add"):
        world.add(one, Box())
    history.undo()
    assert len(world.query(Transform, Box)) == 0
    assert len(world.query(Transform, without=Box)) == 1
    history.redo()
    assert world.query(Transform, Box).entities.tolist() == [one]


def test_a_drag_is_one_step():
    """Consecutive groups with the same key become one step whose size does not grow; another key makes another step."""
    world = fresh()
    one = int(world[Transform].entities[0])
    history, first = History(world), world.hash()
    sizes: list[int] = []
    for x in range(50):
        with history.group("move", merge=("drag", 1)):
            world.set(one, Transform(position=(x, x)))
        sizes.append(history.nbytes)
    with history.group("move", merge=("drag", 2)):
        world.set(one, Transform(position=(7, 7)))
    assert [entry.name for entry in history.done] == ["move", "move"]
    assert len(set(sizes[1:])) == 1
    history.undo()
    assert tuple(world.get(one, Transform).position) == (49, 49)
    history.undo()
    assert world.hash() == first


def test_seal_ends_a_drag():
    """After `seal` or an undo the next group makes a step of its own, even with the same key."""
    world = fresh()
    history = History(world)
    for x in range(2):
        with history.group("move", merge="drag"):
            world[Score].points = x + 1
        history.seal()
    assert len(history.done) == 2


def test_a_merged_group_may_change_structure():
    """Merged groups that change different rows are still undone as one step."""
    world = fresh()
    history, first = History(world), world.hash()
    for _ in range(3):
        with history.group("paint", merge="stroke"):
            world.spawn(Transform(), Box())
    last = world.hash()
    assert len(history.done) == 1
    history.undo()
    assert world.hash() == first
    history.redo()
    assert world.hash() == last


def test_an_error_undoes_its_group():
    """If a group raises an error, the world is as before and there is no step."""
    world = fresh()
    history, first = History(world), world.hash()

    def fails():
        with history.group("bad"):
            world.spawn(Box())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fails()
    assert world.hash() == first
    assert not history.done


def test_groups_within_groups_are_one_step():
    """A group within a group belongs to the outer one; a group without changes makes no step."""
    world = fresh()
    history = History(world)
    with history.group("outer"):
        world.spawn(Box())
        with history.group("inner"):
            world.spawn(Box())
    with history.group("nothing"):
        pass
    assert [entry.name for entry in history.done] == ["outer"]


def test_a_tool_can_follow_its_selection():
    """Followed values such as a selection are restored with each step; a change of selection alone is a step."""
    world, selection = fresh(), list[int]()
    history = History(world)
    history.follow("selection", lambda: tuple(selection), lambda value: selection.__setitem__(slice(None), value))
    with history.group("select"):
        selection.append(5)
    with history.group("spawn"):
        selection[:] = [world.spawn(Box())]
    history.undo()
    assert selection == [5]
    history.undo()
    assert selection == []
    history.redo()
    history.redo()
    assert world.alive(selection[0])


def test_changes_outside_of_groups_become_a_step_of_their_own():
    """What code changes without a group is a separate step, so no step is applied to rows that have moved."""
    world = fresh()
    history, first = History(world), world.hash()
    entities = world[Transform].entities.copy()
    with history.group("move"):
        world.set(int(entities[-1]), Transform(position=(9, 9)))
    world.despawn(int(entities[0]))
    assert history.undo().name == OUTSIDE
    assert history.undo().name == "move"
    assert world.hash() == first


def test_the_oldest_steps_are_dropped_at_the_limit():
    """A history keeps at most `limit` bytes, but always the last step."""
    world = fresh()
    history = History(world, limit=20_000)
    for k in range(50):
        with history.group(f"step {k}"):
            world.spawn_many(20, Box())
    assert history.nbytes <= 20_000
    assert history.done[-1].name == "step 49"
    assert history.done[0].name != "step 0"


def test_a_new_step_drops_the_undone_ones():
    """After an undo, a new step replaces those that could be done again."""
    world = fresh()
    history = History(world)
    for k in range(2):
        with history.group(f"{k}"):
            world[Score].points = k + 1
    history.undo()
    with history.group("other"):
        world[Score].points = 9
    assert history.redo() is None
    assert [entry.name for entry in history.done] == ["0", "other"]


@pytest.fixture
def own_box() -> Iterator[None]:
    """Give the class of this module its own declaration back after the test."""
    kind = kind_of(Box)
    yield
    reinstate([kind], [])


def renewed(**fields: Any) -> type:
    """Return the class Box as edited code declares it. fields: annotations and defaults instead of its own."""
    known = {"size": (Vec2, (1, 2)), "label": (Str, "box"), "note": (Chars, ""), "items": (list[int], (7,)),
             "target": (Entity, 0)}  # fmt: skip
    every = {name: given for name, given in {**known, **fields}.items() if given is not None}
    body = {name: field(default) for name, (_, default) in every.items()}
    hints = {name: hint for name, (hint, _) in every.items()}
    return component(type("Box", (), {"__module__": __name__, "__doc__": "A box.", "__annotations__": hints, **body}))


@pytest.mark.parametrize(("fields", "order"), [
    ({}, (Flag,)), ({"size": (Vec2, (9, 9))}, (Flag,)), ({}, ()), ({"note": None}, (Flag,)),
    ({"size": (Str, "")}, (Flag,)), ({"more": (float, 2.5), "words": (list[int], (3, 4))}, (Flag,)),
])  # fmt: skip
@pytest.mark.usefixtures("own_box")
def test_steps_follow_a_reload(fields: dict[str, Any], order: tuple[type, ...]) -> None:
    """After a reload of other code all steps are undone and done again; only fields that are gone are left out."""
    world, rng = fresh(), random.Random(5)
    history, states = History(world), list[Any]()
    for k in range(40):
        states.append(world.snapshot())
        with history.group(str(k)):
            edit(rng, world)
    states.append(world.snapshot())
    count = len(history.done)
    for _ in range(5):
        history.undo()
    box = renewed(**fields)
    world.redeclare([box, *order, Transform, Tags, Name, Line] if order else [Transform, Name, Tags, box, Flag, Line])
    now = world.hash()
    assert len(history.undone) == 5
    while history.redo() is not None:
        pass
    assert len(history.done) == count
    while history.undo() is not None:
        pass
    kept = [name for name in ("size", "label", "note", "items", "target") if name not in fields]
    first = states[0].tables[kind_of(box).key]
    last = world.snapshot().tables[kind_of(box).key]
    assert last.handles.tolist() == first.handles.tolist()
    for name in kept:
        for one, other in zip(_arrays(first.fields[name]), _arrays(last.fields[name]), strict=True):
            assert one.tolist() == other.tolist()
    for _ in range(count - 5):
        history.redo()
    assert world.hash() == now


def _arrays(values: Any) -> Any:
    return values if isinstance(values, tuple) else (values,)


@pytest.mark.usefixtures("own_box")
def test_a_reload_that_changes_rows_drops_the_steps():
    """If a reload spawned or removed entities, old steps are dropped, since they describe other rows."""
    world = fresh()
    history = History(world)
    with history.group("spawn"):
        world.spawn(Box())
    world.redeclare([Transform, Name, Tags, renewed(), Flag, Line])
    world.spawn(Transform())
    assert history.undo() is None


@pytest.mark.usefixtures("own_box")
def test_a_reload_drops_what_lies_behind_a_change_of_declarations():
    """Steps after one that has switched plugins are undone after a reload of code too; that one and former ones not."""
    world = fresh()
    history = History(world)
    orders = ([Transform, Name, Tags, Box, Flag, Line], [Name, Transform, Tags, Box, Flag, Line])
    for x in (1, 2, 3):
        with history.group(f"move {x}"):
            if x == 2:
                history.redeclare(lambda forward: world.redeclare(orders[forward]))
            world.set(world.table(Transform).entities[:3], Transform(position=(x, 0)))
    world.redeclare([Transform, Name, Tags, renewed(), Flag, Line])
    entry = history.undo()
    assert entry is not None
    assert entry.name == "move 3"
    assert world.table(Transform).read_row("position", 0).tolist() == [2, 0]
    assert history.undo() is None


def test_steps_can_be_compared():
    """Steps that change the same are equal to themselves only, so that a tool can look for the one it knows."""
    world = fresh()
    history = History(world)
    for x in (1, 2):
        with history.group("move"):
            world.set(world.table(Box).entities[:3], Box(size=(x, x)))
    first, second = history.done
    assert first != second
    assert second in history.done


def test_a_history_refuses_a_running_stage():
    """Within a stage nothing can be recorded or undone."""
    from rish_core import Stage

    world = fresh()
    history = History(world)
    world.stage = Stage.UPDATE
    with pytest.raises(UsageError, match="within a stage"):
        history.undo()


def test_steps_are_noted_for_recordings():
    """Each step, undo and redo is counted as a change from outside the recorded input."""
    world = fresh()
    history = History(world)
    before = world[Interventions].count
    with history.group("spawn"):
        world.spawn(Box())
    history.undo()
    history.redo()
    assert world[Interventions].count == before + 3


@pytest.mark.slow
def test_a_step_of_one_field_is_small_and_quick():
    """A step of one field takes under 1 kB, and undoing it makes as many calls with 3,000 entities as with 100."""
    calls: list[int] = []
    for count in (100, 3_000):
        world = fresh(count)
        history = History(world)
        for k in range(2):  # what is imported or built at the first time does not count
            with history.group("move"):
                world.set(int(world[Box].entities[5]), Transform(position=(k + 1, 1)))
            assert history.done[-1].nbytes < 1000
            made = calls_of(history.undo)
        calls.append(made)
    assert calls[0] == calls[1]


def with_an_undone_step() -> tuple[World, History, int]:
    """Return a world with a box whose growth was undone."""
    world = fresh()
    history = History(world)
    handle = world.spawn(Box())
    history.take_outside()
    with history.group("grow"):
        world.set(handle, Box(size=(3, 3)))
    history.undo()
    return world, history, handle


def test_a_step_that_is_taken_back_leaves_the_redo_list() -> None:
    """Taking back a merged step restores the World and what could be done again; another key takes back nothing."""
    world, history, handle = with_an_undone_step()
    before = world.hash()
    for x in range(4):
        with history.group("drag", merge="drag"):
            world.set(handle, Box(size=(9, x)))
    assert not history.undone
    assert not history.take_back("other")
    assert history.take_back("drag")
    assert world.hash() == before
    assert [entry.name for entry in history.undone] == ["grow"]
    history.redo()
    assert world.get(handle, Box).size.tolist() == [3, 3]
    assert not history.take_back("drag")


def test_a_group_without_changes_leaves_the_redo_list() -> None:
    """Setting what is there already makes no step, and what was undone can still be done again."""
    world, history, handle = with_an_undone_step()
    with history.group("nothing", merge="drag"):
        world.set(handle, Box(size=world.get(handle, Box).size))
    assert [entry.name for entry in history.undone] == ["grow"]
