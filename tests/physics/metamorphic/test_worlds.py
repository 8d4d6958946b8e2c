"""Random worlds keep the promises of physics that hold for every world. With RISH_LONG=1 there are two thousand.

`play.py` checks one seed and prints all that differs.
"""

from __future__ import annotations

import pytest
from pairs_relation import check_pairs
from rewrite_relation import check_rewrite
from sleep_relation import SNAPSHOTS, check_sleep

from long_runs import long

SEEDS = range(long(2000, 50))
PARTS = [SEEDS[k::5] for k in range(5)]
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
    for seed in seeds:
        check_rewrite(seed)
