"""The simulated link."""

from __future__ import annotations

import pytest

from rish_core import UsageError
from rish_net.links.simulated import LinkQuality, SimulatedWay


def test_a_quality_is_read_from_words() -> None:
    """Delay, jitter and loss are given as people write them."""
    assert LinkQuality.parse("80ms 20ms 5%") == LinkQuality(80, 20, 0.05)
    assert LinkQuality.parse("12.5ms") == LinkQuality(12.5)


@pytest.mark.parametrize("text", ["", "5%", "80", "80ms 101%", "1ms 2ms 3ms", "fast"])
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
