"""Lights of particles."""

from __future__ import annotations

import logging
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rish_core import Stage, system
from rish_frame import LightPoints
from rish_particles import emit
from rish_particles.components.notices import Notices
from rish_particles.curves import ramp
from rish_particles.preset import Emission, ParticleLight, Pulse

ONCE = Emission(pulses=(Pulse((1.0, 1.0)),))


def test_lights_shine_from_particles(yard: Any):
    """Particles emit at most `maximum` lights of their preset, and each frame has only its own lights."""
    yard.put(yard.add(life=(9.0, 9.0), emission=Emission(rate=600), light=ParticleLight(radius=50, maximum=4)), 7, 8)
    yard.run(10)
    lights = yard.world[LightPoints]
    assert len(lights) == 4
    assert lights.x == pytest.approx(7, abs=0.1)
    assert lights.radius.tolist() == [50] * 4


def test_a_light_is_as_bright_as_its_particle_is_opaque_and_of_its_color(yard: Any):
    """A light's intensity follows its particle's opacity; its color is the particle's, in linear light."""
    light = ParticleLight(intensity=2.0, color=(1.0, 0.5, 1.0, 1.0))
    name = yard.add(life=(2.0, 2.0), light=light, opacity_over_life=ramp((1.0,), (0.0,)))
    emit(yard.world, name, (0, 0), count=1, color=(1, 1, 0, 1))
    yard.run(61)
    lights = yard.world[LightPoints]
    assert lights.intensity[0] == pytest.approx(1.0, abs=0.02)
    assert lights.color[0] == pytest.approx([1, 0.2140, 0, 1], abs=1e-3)


def test_lights_of_local_particles_are_where_these_are_seen(yard: Any):
    """Lights of local particles are at their world places, and their radius scales with the emitter."""
    name = yard.add(life=(9.0, 9.0), local=True, speed=(60.0, 60.0), emission=ONCE, light=ParticleLight(radius=10))
    yard.put(name, 100, 50, place={"rotation": np.pi / 2, "scale": (2, 2)})
    yard.run(31)
    lights = yard.world[LightPoints]
    assert (lights.x[0], lights.y[0]) == pytest.approx((100, 50 + 2 * 30), abs=2.5)
    assert lights.radius[0] == pytest.approx(20)


def test_screen_layers_shed_no_light_into_the_world(new_yard: Any):
    """Particles of a screen layer emit no lights, since their places are not world coordinates."""
    yard = new_yard("render, particles", layers="[world, {hud: {space: screen}}]")
    yard.put(yard.add(life=(9.0, 9.0), emission=ONCE, light=ParticleLight()), layer="hud")
    yard.run(3)
    assert yard.live() == 1
    assert len(yard.world[LightPoints]) == 0


def test_a_game_without_lighting_gives_one_message(new_yard: Any, caplog: pytest.LogCaptureFixture):
    """Without a plugin for lights, one log line names the one to add, and the particles are drawn unlit."""
    with caplog.at_level(logging.INFO, "rish.particles"):
        yard = new_yard("render, particles")
        yard.put(yard.add(life=(9.0, 9.0), emission=Emission(rate=60), light=ParticleLight()))
        yard.run(5)
    assert caplog.text.count("has a light, but no plugin draws lights: add 'lighting' to plugins in game.yaml") == 1
    assert yard.live() == 5


def test_who_reads_lights_lights(rish_app: Any):
    """Any plugin with a system that reads LightPoints counts as one for lights, whatever its name."""
    import rish_particles.plugin as particles

    @system(Stage.EXTRACT, reads=LightPoints)
    def glow(world: Any, dt: float) -> None:
        """Declare a read of the lights."""

    for plugins, lit in (({}, False), ({"lamp": SimpleNamespace(rish_systems=lambda: [glow])}, True)):
        app = rish_app(plugins={"particles": particles, **plugins})
        assert app.world[Notices].lit == lit
