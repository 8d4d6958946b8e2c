"""Random worlds keep the promises of physics that hold for every world. With RISH_LONG=1 there are two thousand.

`play.py` checks one seed and prints all that differs.
"""

from __future__ import annotations

import pytest
from energy_relation import check_bounce, check_energy
from pairs_relation import check_pairs
from rewrite_relation import check_rewrite
from sleep_relation import SNAPSHOTS, check_sleep
from symmetry_relation import check_crowd_symmetry, check_pairs_symmetry

from long_runs import long

SEEDS = range(long(2000, 4))
PARTS = [SEEDS[k :: long(5, 2)] for k in range(long(5, 2))]
"""The seeds in parts, so that processes share them."""


@pytest.mark.slow
@pytest.mark.parametrize("seeds", PARTS, ids=str)
def test_sleeping_changes_nothing_but_the_time_of_a_tick(seeds: range) -> None:
    """A tick emits the same events whether resting bodies sleep or are awake, after any change."""
    slept = [check_sleep(seed) for seed in seeds]
    assert sum(slept) > 2 * SNAPSHOTS * len(slept), "too few bodies sleep for this test to say anything"


@pytest.mark.slow
@pytest.mark.parametrize("seeds", PARTS, ids=str)
def test_begin_and_end_tell_what_touches(seeds: range) -> None:
    """The pairs that began and did not end are those that touch or overlap, and the events of a pair alternate."""
    for seed in seeds:
        check_pairs(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seeds", PARTS, ids=str)
def test_rewriting_a_value_changes_nothing(seeds: range) -> None:
    """A world in which every column is rewritten to its present value in each tick keeps its hash."""
    for seed in seeds[::2]:
        check_rewrite(seed)


@pytest.mark.parametrize("seeds", PARTS, ids=str)
def test_energy_never_rises_without_a_source(seeds: range) -> None:
    """Bodies of any shape, mass, friction and restitution that fall in a closed arena never gain energy."""
    for seed in seeds:
        check_energy(seed)


@pytest.mark.parametrize("size", [(20, 60), (60, 20), (32, 32)], ids=str)
@pytest.mark.parametrize("x", [0.0, -200.3])
def test_an_elastic_box_that_falls_flat_leaves_the_floor_as_it_came(size: tuple[float, float], x: float) -> None:
    """With restitution 1 and no friction its speed is the same, and it does not spin, whatever its proportions."""
    check_bounce(size, x)


@pytest.mark.parametrize("seeds", PARTS, ids=str)
def test_pairs_are_the_same_in_a_mirror_elsewhere_and_in_another_order(seeds: range) -> None:
    """Two bodies that meet keep their momentum, and move alike if they are mirrored, moved, or spawned in reverse."""
    agree, free = (sum(counts) for counts in zip(*(check_pairs_symmetry(seed) for seed in seeds[::2]), strict=True))
    assert agree > 0.85 * free, f"only {agree} of {free} pairs agree"


@pytest.mark.slow
def test_crowds_are_alike_in_a_mirror_elsewhere_and_in_another_order() -> None:
    """Bodies that fall in a bin stay there, and have about as many contacts and as much energy left."""
    for seed in SEEDS[:: long(10, 8)]:
        check_crowd_symmetry(seed)
