"""Root motion: the way of a joint moves the entity, over ends of clips, backwards, turned, and in fades."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from long_runs import long
from rish_animation import PlayMode, Span
from rish_scene3d import Animator3D, play_3d
from rish_scene3d.clips.clip_library import ClipLibrary3D
from rish_scene3d.clips.root_motion import RootMotion

HERO = "{name: hero, Transform3D: {%s}, Model3D: {asset: robot.glb}, Animator3D: {%s}}"


def hips(game):
    """Return the drawn matrix of the hips."""
    skeleton = next(iter(game.world[ClipLibrary3D].skeletons.values()))
    return game.nodes("hero")[skeleton.model.names.index("hips")]


def test_the_entity_walks_and_the_hips_stay_above_it(stage3d):
    """A walk of 1.2 m a second moves the entity, over the end of the clip too; the hips only rise and sink."""
    game = stage3d(HERO % ("", "clip: walk, root: hips"))
    for ticks in (15, 45, 90):
        game.run(ticks)
        way = game.world.tick / 60 * 1.2
        assert np.allclose(game.value("hero"), [0, 0, way], atol=1e-4)
        assert np.allclose(hips(game)[[0, 2], 3], 0, atol=1e-5)
        assert 0.96 < hips(game)[1, 3] < 1.04


def test_the_way_turns_and_grows_with_the_entity(stage3d):
    """A turned entity walks where it looks, and one of double size twice as far."""
    game = stage3d(HERO % ("rotation: [0, 90, 0], scale: [2, 2, 2]", "clip: walk, root: hips")).run(30)
    assert np.allclose(game.value("hero"), [1.2, 0, 0], atol=1e-4)


def test_backwards_is_the_same_way_back(stage3d):
    """With a negative speed the entity walks backwards, over the beginning of the clip too."""
    game = stage3d(HERO % ("", "clip: walk, root: hips, speed: -1.5")).run(80)
    assert np.allclose(game.value("hero"), [0, 0, -2.4], atol=1e-3)


def test_a_turn_turns_the_entity(stage3d):
    """A quarter turn of the hips turns the entity at each pass, and the hips look ahead."""
    game = stage3d(HERO % ("", "clip: turn, root: hips")).run(120)
    turn = np.array(game.value("hero", field="rotation"))
    assert np.allclose(np.abs(turn), [0, 1, 0, 0], atol=2e-3)
    assert np.allclose(hips(game)[:, :3] @ [0, -1, 0], [0, 0, 1], atol=1e-4)


def test_lift_takes_the_height_too(stage3d):
    """With `lift` the hips stay at their height, and the entity rises and sinks."""
    game = stage3d(HERO % ("", "clip: walk, root: hips, lift: true")).run(8)
    assert abs(hips(game)[1, 3] - 1) < 1e-5
    assert abs(game.value("hero")[1] - 0.03 * (math.cos(4 * math.pi * 8 / 60) - 1)) < 1e-3


def test_in_a_fade_each_clip_moves_with_its_share(stage3d):
    """While a walk fades into a clip that stands, the steps become shorter, until there are none."""
    game = stage3d(HERO % ("", "clip: walk, root: hips")).run(30)
    play_3d(game.world, game.find("hero"), "idle", fade=0.5)
    steps = []
    for _ in range(40):
        before = game.value("hero")[2]
        game.run(1)
        steps.append(game.value("hero")[2] - before)
    wanted = [0.02 * max(0.0, 1 - k / 30) for k in range(1, 41)]
    assert np.allclose(steps, wanted, atol=1e-5)


def test_a_layer_that_covers_the_root_stops_it(stage3d):
    """A higher layer over the whole body hides the walk and its way; one with a mask of the arm does not."""
    layer = "{name: over, Animator3D: {target: hero, clip: idle, layer: 1%s}}"
    covered = stage3d(HERO % ("", "clip: walk, root: hips"), layer % "").run(30)
    assert covered.value("hero")[2] == 0
    masked = stage3d(HERO % ("", "clip: walk, root: hips"), layer % ", mask: chest").run(30)
    assert abs(masked.value("hero")[2] - 0.6) < 1e-4


def test_a_root_that_is_no_joint_is_told(stage3d, caplog):
    """A wrong root from code is logged with the choices, and nothing moves the entity."""
    game = stage3d(HERO % ("", "clip: walk"))
    table = game.world.table(Animator3D)
    table.root[0] = game.world.intern("hip")
    table.mark()
    game.run(5)
    assert any("no joint 'hip'" in record.message and "hips" in record.message for record in caplog.records)
    assert game.value("hero") == [0, 0, 0]


def slow_way(rows, interval, begin, end, seconds, mode):
    """Return (x, z, angle) of the way from one unwrapped time to another, in many small steps."""
    x = z = angle = 0.0
    steps = 4000
    times = [begin + (end - begin) * k / steps for k in range(steps + 1)]

    def place(time):
        if mode is PlayMode.PING_PONG:
            time = time % (2 * seconds)
            time = min(time, 2 * seconds - time)
        else:
            time = time % seconds
        at = min(time / interval, len(rows) - 1.0)
        k = min(int(at), len(rows) - 2)
        return rows[k] + (rows[k + 1] - rows[k]) * (at - k)

    for a, b in itertools.pairwise(times):
        if mode is PlayMode.LOOP and math.floor(a / seconds) != math.floor(b / seconds):
            continue  # the jump from the end to the beginning
        p, q = place(a), place(b)
        dx, dz = q[0] - p[0], q[2] - p[2]
        c, s = math.cos(-p[3]), math.sin(-p[3])
        dx, dz = dx * c + dz * s, dz * c - dx * s
        x, z = x + dx * math.cos(angle) + dz * math.sin(angle), z + dz * math.cos(angle) - dx * math.sin(angle)
        angle += q[3] - p[3]
    return np.array([x, z, angle])


@pytest.mark.slow
@settings(max_examples=long(25, 8), deadline=None)
@given(begin=st.floats(0.05, 0.95), way=st.floats(-2.6, 2.6), mode=st.sampled_from([PlayMode.LOOP, PlayMode.PING_PONG]))
def test_ways_over_several_passes_are_those_of_small_steps(begin, way, mode):
    """A way over any number of passes, forwards or backwards, is that of many small steps put together."""
    rows = np.array([[0, 0, 0, 0], [0.2, 0, 0.5, 0.4], [0.1, 0, 0.9, 0.7]], float)
    root = RootMotion(rows, 0.5, (0.0, 0.0))
    period = 2.0 if mode is PlayMode.PING_PONG else 1.0
    end = begin + way
    passes = math.floor(end / period)
    values = (begin, end - passes * period, passes, way >= 0, False)
    found = root.during(Span(*(np.array([value]) for value in values)), 1.0, mode)[0]
    assert np.allclose(found[[0, 2, 3]], slow_way(rows, 0.5, begin, end, 1.0, mode), atol=5e-3)
