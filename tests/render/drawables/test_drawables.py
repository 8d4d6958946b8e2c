"""Things of several kinds are put into one order and cut into as few batches as the order allows."""

from __future__ import annotations

import numpy as np

from rish_frame import Batch, Pass
from rish_render.drawables.colors import rgba_bytes
from rish_render.drawables.drawables import Drawables, Runs, SortedThings, Stretch, emit


def things(kind, layer, z, state=None, height=None):
    """Return drawables whose batches only store their rows."""
    n = len(layer)

    def make(rows, number):
        chosen = np.arange(n)[rows]
        return Batch(kind, {"rows": chosen, "state": np.array(number)}, count=len(chosen))

    return Drawables(
        np.array(layer, np.int64),
        np.array(z, np.float32),
        np.array(height if height is not None else [0] * n, np.float32),
        np.array(state if state is not None else [0] * n, np.int64),
        make,
    )


def drawn(*kinds, layers=(True, True), y_sorted=(False, False), others=()):
    """Return (kind, rows) of each batch."""
    pass_ = Pass("main", batches=list(others))
    emit(kinds, np.array(layers), np.array(y_sorted), pass_, {})
    return [(b.kind, b.arrays["rows"].tolist()) for b in pass_.ordered() if "rows" in b.arrays]


def test_equal_things_stay_together_in_their_order():
    """Things of equal layer, z and state are one batch, in the order of the rows."""
    assert drawn(things("a", [0, 0, 0], [0, 0, 0])) == [("a", [0, 1, 2])]


def test_layers_come_before_z():
    """A low layer is below a higher one whatever its z; neighbors of one state are one batch across layers."""
    assert drawn(things("a", [1, 0, 0], [0, 9, 5])) == [("a", [2, 1, 0])]
    other = things("b", [0], [99])
    assert drawn(things("a", [1, 0, 0], [0, 9, 5]), other) == [("a", [2, 1]), ("b", [0]), ("a", [0])]


def test_kinds_take_turns_where_z_says_so():
    """Kinds are interleaved by z; at equal z they keep the order given."""
    assert drawn(things("a", [0, 0], [0, 2]), things("b", [0, 0], [0, 1])) == [
        ("a", [0]),
        ("b", [0, 1]),
        ("a", [1]),
    ]


def test_a_new_state_cuts():
    """Things of different states go into different batches."""
    assert drawn(things("a", [0, 0, 0], [0, 0, 0], state=[1, 1, 2])) == [("a", [0, 1]), ("a", [2])]


def test_only_the_layers_of_the_pass():
    """Things on layers that the pass does not draw are left out."""
    assert drawn(things("a", [0, 1], [0, 0]), layers=(False, True)) == [("a", [1])]


def test_sorted_by_height():
    """On a y-sorted layer the lower of two things at equal z comes later."""
    heap = things("a", [0, 0, 0], [0, 0, 0], height=[5, 9, 1])
    assert drawn(heap, y_sorted=(True, False)) == [("a", [1, 0, 2])]


def test_a_strangers_batch_cuts_a_run():
    """A batch of another plugin splits the run of things around its z."""
    stranger = Batch("lines", {}, z=1.0, count=0)
    assert drawn(things("a", [0, 0, 0], [0, 1, 2]), others=[stranger]) == [("a", [0, 1]), ("a", [2])]


def test_the_same_question_gives_the_same_batches():
    """The same things give the same batch objects."""
    kept: dict = {}
    heap = [things("a", [0, 0], [0, 0])]
    first, second = Pass("main"), Pass("main")
    emit(heap, np.ones(1, np.bool_), np.zeros(1, np.bool_), first, kept)
    emit(heap, np.ones(1, np.bool_), np.zeros(1, np.bool_), second, kept)
    assert first.batches[0] is second.batches[0]
    assert first.batches[0].version == 0


def test_a_strangers_batch_between_two_layers_cuts():
    """A batch of another plugin splits a run even if it is on a layer on which we draw nothing."""
    stranger = Batch("lines", {}, layer=1, z=5.0, count=0)
    heap = things("a", [0, 2], [0, 0])
    assert drawn(heap, layers=(True,) * 3, y_sorted=(False,) * 3, others=[stranger]) == [("a", [0]), ("a", [1])]


def test_sorted_things_are_parted_by_others():
    """Things that are already sorted are cut if another kind is between them, and joined otherwise."""
    runs = Runs(
        np.array([0, 0, 1]), np.array([0, 2, 0], np.float32), np.zeros(3, np.float32), np.array([7, 7, 7]),
        np.array([0, 3, 5]), np.array([3, 2, 4]),
    )  # fmt: skip

    def make(rows, state):
        return Batch("s", {"rows": np.arange(9)[rows]}, count=state)

    assert drawn(SortedThings(lambda: runs, make)) == [("s", list(range(9)))]
    assert drawn(SortedThings(lambda: runs, make), things("a", [0], [1])) == [
        ("s", [0, 1, 2]),
        ("a", [0]),
        ("s", [3, 4, 5, 6, 7, 8]),
    ]


def test_sorted_things_on_other_layers_are_not_asked_for_their_runs():
    """A pass that shows none of the layers of sorted things draws the others as if these did not exist."""

    def find():
        raise AssertionError("the runs are not needed")

    elsewhere = SortedThings(find, lambda some, state: Batch("s", {}), [Stretch(0, 1, 0, 1, 0.0)], [1])
    below = things("a", [0, 1], [0, 0])
    assert drawn(elsewhere, below, layers=(True, False)) == drawn(below, layers=(True, False)) == [("a", [0])]


def test_what_changes_in_every_frame_is_not_called_static():
    """A batch gets a version only once it is used again."""
    kept: dict = {}
    for _ in range(2):
        pass_ = Pass("main")
        emit([things("a", [0], [0])], np.ones(1, np.bool_), np.zeros(1, np.bool_), pass_, kept)
        assert pass_.batches[0].version is None


def test_colors_become_bytes():
    """Colors are rounded to the nearest byte; opacity multiplies alpha only."""
    got = rgba_bytes(np.array([[1, 0.5, 0, 1]], np.float32), np.array([0.5], np.float32))
    assert got.tolist() == [[255, 128, 0, 128]]
