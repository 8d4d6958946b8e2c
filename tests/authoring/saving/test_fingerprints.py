"""Fingerprints of entities, against descriptions."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import numpy as np
import pytest

from rish_authoring.saving.fingerprints import Fingerprints, may_differ, unmatched
from rish_authoring.saving.worlds import Spawned
from rish_core import Tags, Transform, find, open_game

sys.path.insert(0, str(Path(__file__).parent))
from descriptions import described
from worlds_edited import TEXT, random_edit


@pytest.fixture
def twins(tmp_path):
    """The same game, opened twice."""
    (tmp_path / "game.yaml").write_text(TEXT, encoding="utf-8")
    apps = [open_game(tmp_path, headless=True, warm_up=False) for _ in range(2)]
    yield apps
    for app in apps:
        app.close()


def sides(apps):
    """Return both Worlds, and all entities of each."""
    found = [Spawned(app.world, "main") for app in apps]
    return found, [side.world[Transform].entities.tolist() for side in found]


def test_entities_without_an_equal_are_those_that_descriptions_tell_apart(twins):
    """After random edits of one World, the entities that have no equal in the other are those of other descriptions."""
    rng = random.Random(39)
    before = twins[1].world.snapshot()
    for _ in range(25):
        twins[0].world.restore(before)
        for _ in range(rng.randrange(4)):
            random_edit(rng, twins[0])
        (one, two), (mine, theirs) = sides(twins)
        missing, extra = unmatched(Fingerprints(one, mine), Fingerprints(two, theirs))
        first, second = described(one, mine), described(two, theirs)
        assert len(missing) == (first - second).total()
        assert len(extra) == (second - first).total()


def test_entities_that_need_no_look_are_equal(twins):
    """Each entity that is not among those that may differ has the components, values and targets of its twin."""
    rng = random.Random(40)
    for _ in range(12):
        random_edit(rng, twins[0])
        (one, two), _ = sides(twins)
        other = may_differ(one, two)
        for key in one.handles.keys() & two.handles.keys() - other:
            mine, theirs = described(one, [one.handles[key]]), described(two, [two.handles[key]])
            own = [next(iter(each)).rpartition(" (")[0] for each in (mine, theirs)]
            assert own[0] == own[1]


@pytest.mark.parametrize("value", [["a"], ["a", "b", "a"], ["b", "a", "a"], ["a", "a", "b"], [], ["ab"]])
def test_lists_with_other_items_or_another_order_differ(twins, value):
    """Two lists have the same fingerprint only if they have the same items in the same order."""
    others = [["a"], ["a", "b", "a"], ["b", "a", "a"], ["a", "a", "b"], [], ["ab"]]
    jims = [app.world[Transform].entities.tolist()[-1] for app in twins]
    (one, two), _ = sides(twins)
    twins[0].world.add(jims[0], Tags(values=value))
    for other in others:
        twins[1].world.add(jims[1], Tags(values=other))
        same = Fingerprints(one, jims[:1]).own == Fingerprints(two, jims[1:]).own
        assert bool(same) == (other == value)


def test_minus_zero_is_zero_and_nan_is_itself(twins):
    """Values that a text can't tell apart have the same fingerprint."""
    (one, two), _ = sides(twins)
    for first, second, same in [
        (0.0, -0.0, True),
        (np.nan, -np.nan, True),
        (1.0, np.nextafter(np.float32(1), 2), False),
    ]:
        handles = [find(app.world, "three") for app in twins]
        for app, handle, value in zip(twins, handles, (first, second), strict=True):
            app.world[Transform].column("position")[app.world[Transform].row_of(handle)] = (value, 0)
        mine, theirs = Fingerprints(one, handles[:1]).own, Fingerprints(two, handles[1:]).own
        assert (mine == theirs).tolist() == [same]
