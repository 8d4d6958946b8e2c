"""All light sources, from components and LightPoints, as the numbers that drawers get."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from rish_core import Stage, Transform, system
from rish_frame import LightPoints
from rish_lighting import Light
from rish_lighting import formulas as f
from rish_lighting.lamps.lamps import collect_ambient, collect_lamps


def lamps_of(made):
    """Return the current lamps of a game."""
    return collect_lamps(made.world, shadows=True, rows=8)


def test_colors_are_decoded_once(hall):
    """Colors are decoded from sRGB once (half becomes a fifth); opacity and intensity multiply them."""
    made = hall("- {at: [5, 6], Transform: {}, Light: {color: [0.5, 1, 0, 0.5], intensity: 3}}")
    lamps = lamps_of(made)
    np.testing.assert_allclose(lamps.table[0, [f.RED, f.GREEN, f.BLUE]], [0.21404 * 1.5, 1.5, 0], rtol=1e-3)
    assert lamps.table[0, [f.X, f.Y, f.RADIUS, f.HALF]].tolist() == [5, 6, 160, 40]


def test_a_light_shines_where_its_entity_points(hall):
    """A light points along the x axis of its Transform, rotated by `direction` and by parents."""
    made = hall(
        "- {Transform: {rotation: 90}, children: [{Transform: {}, Light: {kind: spot, direction: 90, angle: 60}}]}"
    )
    row = lamps_of(made).table[0]
    np.testing.assert_allclose(row[[f.AXIS_X, f.AXIS_Y]], [-1, 0], atol=1e-6)
    assert row[f.OUTER] == pytest.approx(np.cos(np.pi / 6))
    assert row[f.INNER] > row[f.OUTER]


@pytest.mark.parametrize("light", ["enabled: false", "intensity: 0", "radius: 0"])
def test_what_does_not_shine_is_no_lamp(hall, light):
    """A light that is off or has no intensity or radius is not a lamp."""
    made = hall(f"- {{Transform: {{}}, Light: {{{light}}}}}")
    assert not len(lamps_of(made))


def test_lights_of_anyone_are_lamps(hall):
    """Rows of LightPoints added by any plugin in a frame are lamps; invalid numbers are skipped."""

    @system(Stage.LATE, writes=LightPoints)
    def glow(world, dt):
        """Add three fireflies, one of them with invalid numbers."""
        x = np.array([20, 30, 40], np.float32)
        world[LightPoints].append(3, x=x, y=x, radius=10.0, intensity=2.0)
        world[LightPoints].column("x")[2] = np.nan

    stranger = SimpleNamespace(rish_systems=lambda: [glow])
    made = hall("- {Ambient: {}}", plugins="render, lighting, flies", extra={"flies": stranger}, run=3)
    lamps = lamps_of(made)
    assert lamps.table[:, f.X].tolist() == [20, 30]
    assert lamps.table[0, f.RED] == 2
    assert made.pixels("light.light.1")[96 // 2 - 10, 10, 0] > made.pixels("light.light.1")[4, 70, 0] + 0.5


def test_without_an_ambient_the_setting_holds(hall):
    """Without an Ambient component the setting is used; one that is disabled means darkness."""
    plain = collect_ambient(hall("- {Transform: {}, Light: {}}").world, (1, 1, 1, 1))
    assert plain[0].color.tolist() == [1, 1, 1]
    assert collect_ambient(hall("- {Ambient: {enabled: false}}").world, (1, 1, 1, 1)) == []


def test_lamps_of_a_scene_that_is_only_warmed_up_stand_where_they_will(hall):
    """New lamps in a warm-up have no matrices yet; these are computed, and nothing out of range is read."""
    made = hall("- {at: [5, 6], Transform: {}, Light: {}}")
    places = np.arange(6000, dtype=np.float32).reshape(3000, 2)
    made.world.spawn_many(3000, Transform(position=places), Light(intensity=1.0))
    made.world.end_frame()
    np.testing.assert_array_equal(lamps_of(made).table[-3000:, [f.X, f.Y]], places)
