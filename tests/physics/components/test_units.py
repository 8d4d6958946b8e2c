"""Settings are in metres, kernels use world units."""

from __future__ import annotations

import numpy as np

from rish_physics import PhysicsSettings
from rish_physics.components.units import Scaled, scaled_of


def test_lengths_are_multiplied_exactly_and_nothing_else_is():
    """Lengths are multiplied by 64, exactly, and no other settings are."""
    one, many = PhysicsSettings(), PhysicsSettings()
    one.units_per_meter, many.units_per_meter = 1.0, 64.0
    a, b = Scaled(one), Scaled(many)
    for name in ("gravity_y", "slop", "margin", "push_speed", "sleep_speed", "max_speed", "reach"):
        assert getattr(b, name) == np.float32(64) * getattr(a, name), name
        assert isinstance(getattr(b, name), np.float32)
    assert b.density == a.density / np.float32(4096)
    assert b.sleep_time == a.sleep_time


def test_it_is_made_anew_only_when_a_setting_changes():
    """The scaled settings are computed again only if a setting changes, also if gravity is changed in place."""
    settings = PhysicsSettings()
    first = scaled_of(settings)
    assert scaled_of(settings) is first
    settings.slop = 0.01
    second = scaled_of(settings)
    assert second is not first
    settings.gravity[1] = -1.0
    assert scaled_of(settings).gravity_y == -64
