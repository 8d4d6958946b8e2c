"""Settings are in meters, kernels use world units."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rish_core import UsageError
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
    third = scaled_of(settings)
    assert third.gravity_y == -64
    settings.slop = 0.01
    assert scaled_of(settings) is third


def test_a_choice_may_be_written_as_text():
    """A rule for mixing surfaces is a member or its text; another text is refused with the choices."""
    settings = PhysicsSettings()
    settings.friction_mix = "average"
    assert scaled_of(settings).friction_mix == 1
    settings.friction_mix = "middle"
    with pytest.raises(UsageError, match="average"):
        scaled_of(settings)


def test_a_change_has_another_fingerprint():
    """Each setting that may move a body at rest changes the fingerprint of motion, and those of shapes the other."""
    base = Scaled(PhysicsSettings())
    changes: dict[str, Any] = {
        "gravity": (0, -5), "friction_mix": "min", "substeps": 8, "sleeping": False, "contact_hertz": 20.0,
        "time_scale": 0.5, "hit_speed": 9.0,
    }  # fmt: skip
    for name, value in changes.items():
        settings = PhysicsSettings()
        setattr(settings, name, value)
        assert (Scaled(settings).motion() == base.motion()) == (name in ("time_scale", "hit_speed")), name
        assert Scaled(settings).shapes({}) == base.shapes({}), name
    settings = PhysicsSettings()
    settings.density = 2.0
    assert Scaled(settings).shapes({}) != base.shapes({}) != base.shapes({"a": "none"})
