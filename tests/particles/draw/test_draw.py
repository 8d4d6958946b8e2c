"""From particles to sprite instances: same bytes as the plain packer, interpolation between ticks, culling, layers."""

from __future__ import annotations

import logging
from typing import Any

import numpy as np
import pytest

from rish_core import Transform
from rish_frame import INSTANCE, Frame, pack_sprites
from rish_frame.frame.instances import unpack_sprites
from rish_particles import Emitter, emit
from rish_particles.curves import ramp
from rish_particles.draw.draw import origin_of, pack_particles, place_particles
from rish_particles.preset import Emission, ParticleLook


class White:
    """A frame table in which every image is 64 by 32; the frame number depends on the x of the region."""

    def frame_of(self, world: Any, path: str, region: Any = (0, 0, 0, 0), /) -> tuple[int, int, int]:
        """Return the frame number, one higher for each 8 texels to the right, and the size."""
        return 10 + region[0] // 8 + region[1], 64, 32


@pytest.fixture
def seen(yard: Any) -> Any:
    """A yard with an image table; `draw` returns the batches."""
    frame = yard.world[Frame]
    frame.pictures = White()

    def draw(alpha: float = 1.0) -> list[Any]:
        frame.reset()
        yard.world.alpha = alpha
        place_particles(yard.world, 0.0)
        pack_particles(yard.world, 0.0)
        return frame.passes["main"].batches

    yard.draw = draw
    return yard


def test_instances_are_those_of_the_plain_packer(seen: Any):
    """Place, size, rotation, frame and color equal those of the plain packer, byte by byte."""
    preset = seen.add(
        life=(9.0, 9.0), size=(4.0, 9.0), angle=(-1.0, 1.0), speed=(5.0, 50.0), direction=(0.0, 6.0),
        colors=((1.0, 0.5, 0.2, 1.0), (0.0, 1.0, 1.0, 0.5)),
    )  # fmt: skip
    emit(seen.world, preset, (160, 90), count=80)
    found = seen.run(8).particles()
    (batch,) = seen.draw()
    expected = pack_sprites(
        found["x"], found["y"], found["size"], found["size"] / 2, found["angle"], 10,
        found["rgba"].view(np.uint8).reshape(-1, 4), batch.origin, batch.unit,
    )  # fmt: skip
    assert batch.arrays["instances"].dtype == INSTANCE
    assert np.array_equal(batch.arrays["instances"], expected)
    batch.check("a test")


def test_between_two_ticks_a_particle_is_on_its_way(seen: Any):
    """Between ticks a particle is drawn at p - velocity·(1 - alpha)·dt, and not before it was emitted."""
    emit(seen.world, seen.add(life=(9.0, 9.0), speed=(120.0, 120.0)), (100, 90), count=1)
    seen.run(4)
    places = []
    for alpha in (0.0, 0.5, 1.0):
        (batch,) = seen.draw(alpha)
        places.append(unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)["x"][0])
    assert places == pytest.approx([104, 105, 106], abs=0.02)


def test_curves_are_exact_at_0_half_and_1(seen: Any):
    """The drawn size and color match their curves exactly at 0, ½ and 1 of the life."""
    preset = seen.add(
        life=(2.0, 2.0), size=(8.0, 8.0), size_over_life=ramp((1.0,), (3.0,)),
        color_over_life=ramp((1.0, 0.0, 0.0, 1.0), (0.0, 0.0, 1.0, 0.2)),
    )  # fmt: skip
    emit(seen.world, preset, (100, 90), count=1)
    seen.run(1)
    for share, size, color in ((0.0, 8, (255, 0, 0, 255)), (0.5, 16, (128, 0, 128, 153)), (1.0, 24, (0, 0, 255, 51))):
        from rish_particles import Particles

        seen.world[Particles].age[:] = 2 * share
        (batch,) = seen.draw()
        assert unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)["w"][0] == pytest.approx(size)
        assert tuple(batch.arrays["instances"]["rgba"][0].tolist()) == color


def test_what_no_camera_sees_is_left_out(seen: Any):
    """Particles outside every camera's view are not drawn; the frame counts them as culled."""
    preset = seen.add(life=(9.0, 9.0))
    emit(seen.world, preset, [(100, 90), (5000, 90), (-50, 90), (-7, 90)], count=1)
    (batch,) = seen.run().draw()
    assert len(batch.arrays["instances"]) == 2
    assert seen.world[Frame].culled == 2


def test_aligned_particles_lie_along_their_way(seen: Any):
    """Aligned particles are turned along their velocity, and stretched in proportion to their speed."""
    look = ParticleLook(aligned=True, stretch=0.1)
    emit(seen.world, seen.add(life=(9.0, 9.0), speed=(0.0, 0.0), size=(8.0, 8.0), look=look, inherit=1.0), (90, 90),
         count=1, velocity=(0, 100))  # fmt: skip
    (batch,) = seen.run().draw()
    columns = unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)
    assert columns["rotation"][0] == pytest.approx(np.pi / 2, abs=1e-3)
    assert columns["w"][0] == pytest.approx(18, abs=0.1)


@pytest.mark.parametrize(("play", "frames"), [(-1.0, [10, 11, 12, 13]), (4.0, [10, 11, 12, 13])])
def test_sheets_play(seen: Any, play: float, frames: list[int]):
    """The cells of a sheet play once over the life, or at a number of cells a second."""
    emit(seen.world, seen.add(life=(1.0, 1.0), look=ParticleLook(cells=(8, 1), play=play)), (90, 90), count=1)
    found = []
    for _ in range(4):
        (batch,) = seen.run(1 if not found else 8).draw()
        found.append(int(batch.arrays["instances"]["frame"][0]))
    assert found[0] == 10
    assert found == sorted(found)
    assert found[-1] > 10


def test_local_particles_move_with_their_emitter(seen: Any):
    """Local particles follow the position, rotation and scale of their emitter."""
    emitter = seen.put(seen.add(life=(9.0, 9.0), size=(8.0, 8.0), local=True, emission=Emission(rate=60)), 50, 50)
    seen.run(2)
    seen.world.set(emitter, Transform(position=(120, 60), rotation=0.5, scale=(2, 2)))
    seen.run(1)
    (batch,) = seen.draw()
    columns = unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)
    assert columns["x"] == pytest.approx(120, abs=0.1)
    assert columns["w"] == pytest.approx(16, abs=0.1)
    assert columns["rotation"] == pytest.approx(0.5, abs=0.01)


def test_the_order_can_be_turned_round(seen: Any):
    """`sort` draws the oldest first, the newest first, or lower particles last."""
    drawn = {}
    for z, sort in enumerate(("oldest_first", "newest_first", "lower_last")):
        name = seen.add(sort, life=(9.0, 9.0), look=ParticleLook(sort=sort, z=z))
        emit(seen.world, name, [(90, 60), (91, 90), (92, 30)], count=1)
    for batch in seen.run().draw():
        columns = unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)
        drawn[batch.z] = columns["x"].round().tolist()
    assert drawn == {0: [90, 91, 92], 1: [92, 91, 90], 2: [91, 90, 92]}


def test_origins_reach_all_that_is_seen():
    """The packed positions reach everything visible, however wide the view is, in a unit no coarser than needed."""
    for reach in (10.0, 5000.0, 1e6):
        box = np.array([-reach, -reach, reach, reach])
        _, unit = origin_of(box)
        assert 4096 * unit > reach * 1.2
    assert origin_of(np.array([0, 0, 640, 360.0]))[1] <= 0.25


def test_without_a_renderer_one_line_is_logged(yard: Any, caplog: pytest.LogCaptureFixture):
    """Without a renderer one line is logged, and the game continues without drawing."""
    yard.put(yard.add(life=(9.0, 9.0), emission=Emission(rate=60)))
    with caplog.at_level(logging.WARNING):
        yard.run(5)
    assert caplog.text.count("add 'render' to plugins in game.yaml") == 1
    assert yard.world.has(yard.world.query(Emitter).entities[0], Emitter)


def test_a_game_with_a_renderer_shows_them(new_yard: Any):
    """With a renderer, the main pass contains a batch with the emitted particle."""
    yard = new_yard("render, particles")
    name = yard.add(life=(9.0, 9.0), size=(40.0, 40.0), look=ParticleLook(picture="rish_particles:pictures/dot.png"))
    emit(yard.world, name, (160, 90), count=1)
    yard.run(2)
    batches = [b for b in yard.world[Frame].passes["main"].batches if b.source == "particles"]
    assert [batch.count for batch in batches] == [1]


def shown(yard: Any) -> list[tuple[str, int, float]]:
    """Return the pass name, the count and the x of the first particle (0..1 of the width) of each visible batch."""
    found = []
    for pass_ in yard.world[Frame].passes.values():
        for batch in pass_.batches:
            if batch.source == "particles" and pass_.shows(batch.layer) and batch.count:
                x = unpack_sprites(batch.arrays["instances"], batch.origin, batch.unit)["x"][0]
                found.append((pass_.name, batch.count, (float(pass_.camera[0, 0] * x + pass_.camera[0, 3]) + 1) / 2))
    return found


CAMERA = "[{at: [5000, 90], Transform: {}, Camera: {}}]"


def test_on_a_screen_layer_particles_stay_where_they_are_on_the_screen(new_yard: Any):
    """On a screen layer, particles keep their place wherever the camera looks, and are drawn once."""
    yard = new_yard("render, particles", scene=CAMERA, layers="[world, {hud: {space: screen}}, top]")
    name = yard.add(life=(9.0, 9.0))
    for layer, x in (("hud", 80), ("world", 5000), ("top", 5080)):
        emit(yard.world, name, (x, 90), count=1, layer=layer)
    for _ in range(4):  # the renderer keeps its passes while nothing changes; they must get the same batches
        yard.run(1)
        found = sorted(shown(yard))
        assert [count for _, count, _ in found] == [1, 1, 1]
        assert sorted(round(place, 3) for _, _, place in found) == [0.25, 0.5, 0.75]


def test_what_is_beside_the_screen_is_left_out_of_a_screen_layer(new_yard: Any):
    """Particles outside the screen are left out of a screen layer, even if the camera looks at their place."""
    yard = new_yard("render, particles", scene=CAMERA, layers="[world, {hud: {space: screen}}]")
    emit(yard.world, yard.add(life=(9.0, 9.0)), [(5000, 90), (100, 90)], count=1, layer="hud")
    yard.run(2)
    assert [(count, round(place, 3)) for _, count, place in shown(yard)] == [(1, round(100 / 320, 3))]


def test_parallax_layers_follow_each_camera_on_its_own(new_yard: Any):
    """In every view, a particle on a layer with parallax 0.5 moves half as far as the camera."""
    scene = """
    - {at: [1000, 90], Transform: {}, Camera: {}}
    - {at: [2000, 90], Transform: {}, Camera: {viewport: [0.5, 0, 0.5, 1]}}
"""
    yard = new_yard("render, particles", scene=scene, layers="[{far: {parallax: [0.5, 1]}}, world]")
    emit(yard.world, yard.add(life=(9.0, 9.0)), [(500, 90), (1000, 90)], count=1, layer="far")
    yard.run(2)
    assert [(count, round(place, 2)) for _, count, place in shown(yard)] == [(1, 0.5), (1, 0.5)]
