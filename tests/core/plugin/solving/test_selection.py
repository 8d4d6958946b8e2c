"""The smallest refused part of a set, also where the refusal is not monotone."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from rish_core.plugin.solving.selection import smallest

NAMES = "abcdefgh"
CAUSES = st.lists(st.sets(st.sampled_from(NAMES), min_size=1, max_size=3), min_size=1, max_size=3)


@given(CAUSES, st.permutations(NAMES))
def test_one_cause_is_found_exactly(causes: list[set[str]], names: list[str]) -> None:
    """Of sets that break something, one that contains no other is returned, in the given order."""
    found = smallest(names, lambda kept: any(cause <= {*kept} for cause in causes))
    assert {*found} in causes
    assert not any(cause < {*found} for cause in causes)
    assert found == [name for name in names if name in found]


def test_a_name_that_heals_is_left_out() -> None:
    """A name that mends the refusal of others does not hide it, and is not part of the result."""

    def refused(kept: Sequence[str]) -> bool:
        return ("a" in kept and "healer" not in kept) or {"b", "c"} <= {*kept}

    assert smallest(["a", "healer", "b", "c"], refused) in (["a"], ["b", "c"])


def test_few_calls_are_needed() -> None:
    """One culprit among 64 is found with far fewer calls than names."""
    calls = 0

    def refused(kept: Sequence[str]) -> bool:
        nonlocal calls
        calls += 1
        return "47" in kept

    assert smallest([str(k) for k in range(64)], refused) == ["47"]
    assert calls < 20
