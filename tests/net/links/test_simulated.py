"""The simulated link."""

from __future__ import annotations

from itertools import pairwise

import pytest

from rish_core import UsageError
from rish_net.links.simulated import LinkQuality, SimulatedWay


def test_a_quality_is_read_from_words() -> None:
    """Delay, jitter and loss are given as people write them."""
    assert LinkQuality.parse("80ms 20ms 5%") == LinkQuality(80, 20, 0.05)
    assert LinkQuality.parse("12.5ms") == LinkQuality(12.5)
    named = LinkQuality.parse("8ms cut=1s-2.5s reorder=10% duplicates=2% loss=3%")
    assert named == LinkQuality(8, 0, 0.03, 0.02, 0.1, (1000, 2500))


@pytest.mark.parametrize("text", ["", "5%", "80", "80ms 101%", "1ms 2ms 3ms", "fast", "1ms 2% 3%", "1ms cut=3s-2s"])
def test_other_words_are_refused(text: str) -> None:
    """A quality that can't be read is an error with an example."""
    with pytest.raises(UsageError, match="80ms 20ms 5%"):
        LinkQuality.parse(text)


def test_packets_are_late_lost_and_doubled_as_asked() -> None:
    """Delays are within the jitter, and the shares of lost and doubled packets are about those asked for."""
    way = SimulatedWay(LinkQuality(50, 10, 0.2, 0.1), 1)
    for number in range(2000):
        way.send(number.to_bytes(2), float(number))
    arrived = [(int.from_bytes(data), now) for now in range(2100) for data in way.arrived(now)]
    assert all(40 <= now - sent <= 61 for sent, now in arrived)
    assert 0.17 < 1 - len({sent for sent, _ in arrived}) / 2000 < 0.23
    assert [sent for sent, _ in arrived] != sorted(sent for sent, _ in arrived)
    assert len(arrived) > len(set(arrived))


def test_packets_change_places_with_the_next_one() -> None:
    """Of packets that are reordered, none gets lost, and each arrives after the one that was sent next."""
    way = SimulatedWay(LinkQuality(50, reorder=0.1), 2)
    for number in range(2000):
        way.send(number.to_bytes(2), float(number))
    arrived = [int.from_bytes(data) for data in way.arrived(9999)]
    late = [number for number, following in pairwise(arrived) if number > following]
    assert sorted(arrived) == list(range(len(arrived)))
    assert len(arrived) > 1995
    assert 0.07 < len(late) / 2000 < 0.13


def test_a_cut_loses_everything_for_its_time() -> None:
    """Between the two times of a cut nothing arrives, before and after it everything does."""
    way = SimulatedWay(LinkQuality(10, cut=(100, 200)), 3)
    for number in range(400):
        way.send(number.to_bytes(2), 1000.0 + number)
    arrived = [int.from_bytes(data) for data in way.arrived(9999)]
    assert arrived == [*range(100), *range(200, 400)]
