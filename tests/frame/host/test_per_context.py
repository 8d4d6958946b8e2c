"""PerContext: what drawers keep for each device."""

from __future__ import annotations

import gc

from rish_frame import PerContext


class Device:
    """Something that a drawer draws with."""


def test_each_device_has_one_object():
    """The object of a device is created once, and another device has another one."""
    first, second = Device(), Device()
    lists = PerContext(lambda device: [device is first])
    assert lists(first) is lists(first)
    assert lists(first) == [True]
    assert lists(second) == [False]


def test_the_object_goes_with_its_device():
    """A device that is dropped takes its object along."""
    lists, device = PerContext(lambda _: []), Device()
    lists(device)
    del device
    gc.collect()
    assert len(lists._objects) == 0
