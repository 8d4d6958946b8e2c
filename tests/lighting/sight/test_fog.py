"""Fog of war: visible squares, remembered squares, and drawing."""

from __future__ import annotations

import numpy as np
import pytest

import plain_sight as reference
import rish_jit
from rish_core import Edges, Transform
from rish_ecs import RishError
from rish_lighting import Fog, Sight
from rish_lighting.sight.fog import FogView
from rish_lighting.sight.fog_kernels import fill

from ..conftest import BACKENDS
from ..test_standing import Counted

FLOOR = "- {at: [80, 48], Transform: {}, Shape: {size: [160, 96], color: '#c0a070'}}"
WALL = "- {at: [90, 48], Transform: {}, Shape: {size: [8, 60], color: '#406040'}, Occluder: {size: [8, 60]}}"
EYE = "- {at: [40, 48], Transform: {}, Sight: {radius: 60}}"
FOG = "- {FogOfWar: {high: [160, 96], cell: 4, seconds: 0}}"
SCENE = f"{FLOOR}\n{WALL}\n{EYE}\n{FOG}"


def walk(hall, x, y, frames=2):
    """Move the viewer and run some frames."""
    world = hall.world
    world.get(int(world.query(Sight, Transform).entities[0]), Transform).position = (x, y)
    hall.app.run(frames=frames)


def test_squares_are_set_whose_middles_lie_within():
    """A square is set if its middle is inside the polygon, by the even-odd rule, for random polygons."""
    rng = np.random.default_rng(2)
    for _ in range(20):
        turn = np.sort(rng.uniform(0, 2 * np.pi, 12))
        points = np.stack([np.cos(turn), np.sin(turn)], axis=1) * rng.uniform(2, 14, (12, 1)) + (9, 7)
        out = np.zeros((16, 20), np.uint8)
        fill(points, np.array([0, 12]), out)
        y, x = np.mgrid[0:16, 0:20] + 0.5
        (x0, y0), (x1, y1) = points.T[..., None, None], np.roll(points, -1, axis=0).T[..., None, None]
        crossed = ((y0 > y) != (y1 > y)) & (x0 + (y - y0) * (x1 - x0) / np.where(y1 == y0, 1, y1 - y0) <= x)
        np.testing.assert_array_equal(out, crossed.sum(axis=0) % 2)


def test_what_is_seen_lies_within_sight_and_not_behind_walls(hall):
    """Points in front of the wall are visible; points behind it or out of reach are not."""
    fog = hall(SCENE).world[Fog]
    assert fog.is_seen([(60, 48), (120, 48), (40, 90), (-5, 48)]).tolist() == [True, False, True, False]


@pytest.mark.slow
def test_squares_are_seen_as_rays_find_them(hall):
    """Visible squares equal those of the exact polygon, with random walls, except for middles on its border."""
    rng = np.random.default_rng(6)
    walls = "\n".join(
        f"- {{at: [{x:.1f}, {y:.1f}], Transform: {{rotation: {turn:.0f}}}, Occluder: {{size: [22, 5]}}}}"
        for x, y, turn in zip(rng.uniform(5, 155, 9), rng.uniform(5, 90, 9), rng.uniform(0, 180, 9), strict=True)
    )
    game = hall(f"{walls}\n- {{at: [70.5, 50.25], Transform: {{}}, Sight: {{radius: 70}}}}\n{FOG}")
    fog, table = game.world[Fog], game.world[Edges]
    edges = np.stack([table.column(name) for name in ("x0", "y0", "x1", "y1")], axis=1)
    row, column = np.mgrid[0 : fog.now.shape[0], 0 : fog.now.shape[1]]
    middles = np.stack([column.ravel(), row.ravel()], axis=1) * 4.0 + 2
    rim = reference.polygon((70.5, 50.25), edges, 70)
    lines = np.stack([rim, np.roll(rim, -1, axis=0)], axis=1) - (70.5, 50.25)
    wanted, sure = np.zeros(len(middles), np.bool_), np.zeros(len(middles), np.bool_)
    for k, middle in enumerate(middles - (70.5, 50.25)):
        far = np.hypot(*middle)
        leaves = min(reference.distance(middle / far, line) for line in lines)
        wanted[k], sure[k] = far <= leaves, abs(far - leaves) > 1e-3
    assert sure.mean() > 0.99
    np.testing.assert_array_equal(fog.now.ravel()[sure] > 0, wanted[sure])
    assert 0.2 < wanted.mean() < 0.8


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("lit", ["", "- {Ambient: {color: white}}"])
def test_where_nothing_moves_fog_is_not_drawn_again(hall, backend, lit):
    """Without movement fog is not drawn again, and it is drawn once after the viewer moved."""
    game = hall(f"{SCENE}\n{lit}", backend, run=4)
    before = game.pixels().copy()
    with Counted(game.app.host.backend) as kinds:
        game.app.run(frames=3)
        assert kinds == []
        np.testing.assert_array_equal(game.pixels(), before)
        walk(game, 130, 48)
        assert "light.fog" in kinds
    walk(game, 40, 48)
    assert not np.array_equal(game.pixels(), before)  # its former place is remembered


def test_nothing_is_compiled_once_fog_is_played_with(hall):
    """The kernels of fog are compiled before the first tick."""
    game = hall(f"{SCENE}\n- {{Ambient: {{color: white}}}}", run=0)
    game.app.run(frames=1)  # occluders are placed, walls collected
    before = rish_jit.compilations
    walk(game, 130, 48)
    assert rish_jit.compilations == before


@pytest.mark.gl
def test_no_program_of_fog_is_compiled_once_it_is_played_with(hall):
    """Both programs are compiled in advance, for an encoded frame and for one in linear light."""
    hall(SCENE, "arcade", run=0)
    (drawer,) = (each for kind, each in hall.backend("arcade", (160, 96)).drawers.items() if kind == "light.fog")
    assert [len(veil._screen._programs._made) for veil in drawer._veil._objects.values()] == [2]


def test_what_was_seen_stays_known_and_a_rewind_forgets_it(hall):
    """The memory of fog is state: snapshots, hashes and restores include it."""
    game = hall(SCENE)
    world, start, begun = game.world, game.world.snapshot(), game.world.hash()
    walk(game, 130, 48)
    assert world[Fog].was_seen([(60, 20), (130, 70)]).all()
    assert world[Fog].is_seen([(60, 48), (130, 70)]).tolist() == [False, True]
    assert world.hash() != begun
    after = world.snapshot()
    world.restore(start)
    assert world.hash() == begun
    assert world[Fog].was_seen([(60, 20), (130, 70)]).tolist() == [True, False]
    game.app.run(frames=1)
    world.restore(after)
    assert world[Fog].was_seen([(130, 70)]).all()


def test_without_memory_only_what_is_seen_now_is_known(hall):
    """With `memory: false` squares that were visible before are not remembered."""
    game = hall(SCENE.replace("seconds: 0", "seconds: 0, memory: false"))
    walk(game, 130, 48)
    assert not game.world[Fog].was_seen([(60, 48)])[0]
    game.world[Fog].forget()


def test_several_viewers_see_together_and_without_any_all_is_fog(hall):
    """Two viewers see more than one; if both are disabled nothing is visible, and the memory stays."""
    game = hall(f"{SCENE}\n- {{at: [130, 48], Transform: {{}}, Sight: {{radius: 40}}}}")
    fog = game.world[Fog]
    assert fog.is_seen([(60, 48), (130, 60)]).all()
    game.world.table(Sight).enabled = False
    game.app.run(frames=2)
    assert not game.world[Fog].now.any()
    assert game.world[Fog].was_seen([(60, 48), (130, 60)]).all()


def test_where_nothing_moves_nothing_is_worked_out(hall):
    """Without movement the arrays are not computed again."""
    game = hall(SCENE)
    now = game.world[Fog].now
    game.app.run(frames=3)
    assert game.world[Fog].now is now


def test_the_margin_shows_faces_of_walls_and_not_the_floor_in_their_shadow(hall):
    """A wall is visible to the depth of the margin; the floor beside the visible area stays black."""
    scene, shown = f"{FLOOR}\n{WALL}\n{EYE.replace('radius: 60', 'radius: 80')}", {}
    for margin in (0, 8):
        fog = FOG.replace("seconds: 0", f"seconds: 0, soft: 0, margin: {margin}")
        shown[margin] = hall(f"{scene}\n{fog}").world[FogView].shown[..., 0]
    assert shown[8][12, 22] > 0.7 > 0.3 > shown[0][12, 22]
    wall = np.zeros(shown[8].shape, np.bool_)
    wall[3:21, 20:25] = True  # and the adjacent squares, since edges are soft
    np.testing.assert_array_equal(shown[8][~wall], shown[0][~wall])


def test_without_a_fog_all_is_seen(hall):
    """In a game without fog every point is visible."""
    assert hall(f"{FLOOR}\n{EYE}").world[Fog].is_seen([(0, 0), (1e6, 0)]).all()


def test_a_fog_without_extent_is_refused(hall):
    """A fog with `high` below `low` is rejected, with its entity and a correction."""
    with pytest.raises(RishError, match="FogOfWar covers"):
        hall("- {FogOfWar: {low: [10, 10], high: [0, 0]}}")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("lit", ["", "- {Ambient: {color: '#8090a0'}}"])
def test_unseen_is_black_seen_before_dim_and_seen_now_clear(hall, backend, lit):
    """Hidden areas are black, remembered ones dim, visible ones clear, on each backend, with and without light."""
    scene = f"{SCENE}\n{lit}".replace("radius: 60", "radius: 40")
    game = hall(scene, backend)
    plain = hall(scene.replace(FOG, "").replace(EYE, ""), backend).app.host.backend.pixels()[48, 20]
    walk(game, 140, 48, frames=3)
    picture = game.app.host.backend.pixels()
    known, seen, unseen = picture[48, 20].astype(int), picture[48, 140].astype(int), picture[4, 90].astype(int)
    assert np.abs(seen - plain).max() <= 1
    assert unseen[:3].max() == 0
    assert 0 < known[:3].max() < plain[:3].max()
    assert np.ptp(known[:3]) < np.ptp(plain[:3].astype(int))


@pytest.mark.slow
@pytest.mark.gl
@pytest.mark.parametrize("settings", ["{}", "{lighting: {post: [vignette]}}"])
def test_both_backends_draw_the_same_fog(hall, settings):
    """Both backends draw the same fog, over an encoded frame and over one in linear light."""
    pictures = []
    for backend in ("software", "arcade"):
        game = hall(f"{SCENE}\n- {{Ambient: {{color: white}}}}", backend, settings)
        walk(game, 130, 40, frames=4)
        pictures.append(game.app.host.backend.pixels()[..., :3].astype(int))
    difference = np.abs(pictures[0] - pictures[1])
    assert difference.mean() < 0.5
    assert difference.max() <= 12


def test_fog_lifts_in_time_for_the_eye_only(hall):
    """With `seconds` only the drawing is delayed; queries and the hash are not."""
    games, reds = [], []
    for seconds in (1, 0):
        game = hall(SCENE.replace("seconds: 0", f"seconds: {seconds}"))
        walk(game, 130, 48)
        games.append(game.world[Fog].now)
        reds.append(game.app.host.backend.pixels()[48, 140, 0])
    np.testing.assert_array_equal(*games)
    assert reds[0] < reds[1]
