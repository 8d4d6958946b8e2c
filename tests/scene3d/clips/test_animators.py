"""Animator3Ds play clips: times, markers, ends, cross-fades, layers, and what is drawn between ticks."""

from __future__ import annotations

import numpy as np
import pytest

from rish_core import StaleEntity, UnknownName
from rish_scene3d import Animator3D, FadingClips3D, Model3D, Poses3D, is_playing_3d, play_3d
from rish_scene3d.clips.clip_library import ClipLibrary3D
from rish_space3d import Transform3D

HERO = "{name: hero, Transform3D: {}, Model3D: {asset: robot.glb}, Animator3D: {%s}}"
CLIPS = """
clips:
  go: {animation: walk, markers: {0: left, 0.5: right}}
  hello: {animation: wave, mode: once, next: go, markers: {0.25: up}}
  sway: {animation: turn, mode: ping-pong, markers: {0.5: middle}}
"""


def node(game, name):
    """Return the number of a node of the hero's model."""
    asset = int(game.world.table(Model3D).asset[0])
    return game.world[ClipLibrary3D].skeleton(game.world, asset).model.names.index(name)


def test_a_clip_of_the_model_moves_its_nodes(stage3d):
    """Without a file of clips, animations are called as in the model, and begin again at their end."""
    game = stage3d(HERO % "clip: walk").run(15)
    assert np.allclose(game.nodes("hero")[node(game, "hips"), :, 3], [0, 0.97, 0.3], atol=1e-3)
    game.run(60)
    assert np.allclose(game.nodes("hero")[node(game, "hips"), :, 3], [0, 0.97, 0.3], atol=1e-3)
    assert game.events == []


def test_the_first_animation_is_played_if_none_is_named(stage3d):
    """An empty clip is the first of the file of clips, or the first animation of the model."""
    assert is_playing_3d(stage3d(HERO % "").run(1).world, 1 << 32)
    game = stage3d(HERO % "clips: c.anim.yaml", c__anim__yaml=CLIPS).run(2)
    assert game.nodes("hero")[node(game, "hips"), 2, 3] > 0.01


def test_markers_are_reached_in_every_pass(stage3d):
    """Each pass of a clip has each of its markers once, over the end of the clip as well."""
    game = stage3d(HERO % "clips: c.anim.yaml, clip: go", c__anim__yaml=CLIPS).run(121)
    assert [(event[0], event[-1]) for event in game.events] == [
        (0, "left"), (29, "right"), (59, "left"), (89, "right"), (119, "left")
    ]  # fmt: skip


def test_backwards_markers_come_in_the_other_order(stage3d):
    """With a negative speed a clip begins at its end, where a marker at 0 counts."""
    game = stage3d(HERO % "clips: c.anim.yaml, clip: go, speed: -1", c__anim__yaml=CLIPS).run(70)
    assert [event[-1] for event in game.events] == ["left", "right", "left"]


def test_a_clip_that_ends_is_followed_by_the_next(stage3d):
    """A clip that is played once tells its end, and the one that its file names comes next, without losing time."""
    game = stage3d(HERO % "clips: c.anim.yaml, clip: hello", c__anim__yaml=CLIPS).run(70)
    assert [event[1:] for event in game.events if event[1] == "AnimatorFinished"] == [("AnimatorFinished", "hello")]
    assert [event[2:] for event in game.events if event[1] == "AnimatorMarker"] == [("hello", "up"), ("go", "left")]
    assert game.value("hero", Animator3D, "clip") == "go"
    assert abs(game.value("hero", Animator3D, "time") - 10 / 60) < 1e-5


def test_a_clip_played_once_stays_at_its_last_pose(stage3d):
    """Without a follower the animator stops, and the pose stays that of the end."""
    game = stage3d(HERO % "clip: turn, mode: once").run(90)
    assert not is_playing_3d(game.world, game.find("hero"))
    hips = game.nodes("hero")[node(game, "hips"), :, :3]
    assert np.allclose(hips @ [0, -1, 0], [1, 0, 0], atol=1e-5)  # local -y is forward; a quarter left is x


def test_ping_pong_goes_there_and_back(stage3d):
    """A clip with this mode turns round at its end, and its markers occur on both ways."""
    game = stage3d(HERO % "clips: c.anim.yaml, clip: sway", c__anim__yaml=CLIPS).run(90)
    assert [event[0] for event in game.events] == [29, 89]
    hips = game.nodes("hero")[node(game, "hips"), :, :3]
    assert np.allclose(hips @ [0, -1, 0], [np.sin(np.pi / 4), 0, np.cos(np.pi / 4)], atol=2e-3)


def test_play_fades_from_one_clip_to_the_other(stage3d):
    """During a fade both clips play; half-way the pose is half-way between them; then the old one is forgotten."""
    game = stage3d(HERO % "clip: turn, mode: once").run(90)
    hero = game.find("hero")
    play_3d(game.world, hero, "idle", fade=0.5)
    game.run(15)
    forward = game.nodes("hero")[node(game, "hips"), :, :3] @ [0, -1, 0]
    assert np.allclose(forward, [np.sin(np.pi / 4), 0, np.cos(np.pi / 4)], atol=2e-3)
    assert len(game.world[FadingClips3D]) == 1
    game.run(17)
    assert len(game.world[FadingClips3D]) == 0
    assert np.allclose(game.nodes("hero")[node(game, "hips"), :, :3] @ [0, -1, 0], [0, 0, 1], atol=1e-6)


def test_play_rules_are_those_of_animators(stage3d):
    """A clip that plays goes on, `after` waits, and a wrong entity changes nothing."""
    game = stage3d(HERO % "clip: walk", "{name: rock, Transform3D: {}}").run(10)
    world, hero = game.world, game.find("hero")
    play_3d(world, hero, "walk")
    game.run(1)
    assert abs(game.value("hero", Animator3D, "time") - 11 / 60) < 1e-5
    play_3d(world, hero, "wave", after=True)
    assert is_playing_3d(world, hero, "wave")
    game.run(60)
    assert game.value("hero", Animator3D, "clip") == "wave"
    with pytest.raises(UnknownName):
        play_3d(world, [hero, game.find("rock")], "idle")
    with pytest.raises(StaleEntity):
        play_3d(world, 12345 << 32, "idle")
    assert not is_playing_3d(world, game.find("rock"))


LAYERS = (
    HERO % "clip: walk",
    "{name: arm, Animator3D: {target: hero, clip: wave, layer: 1, mask: shoulder_r, weight: 1}}",
)


def test_a_layer_covers_only_the_joints_of_its_mask(stage3d):
    """A layer with a mask moves the joints below the named one, and lets all others go on as before."""
    both, one = stage3d(*LAYERS).run(20), None
    found = both.nodes("hero").copy()
    legs, arm = node(both, "thigh_l"), node(both, "upper_arm_r")
    one = stage3d(HERO % "clip: walk").run(20)
    alone = one.nodes("hero")
    assert np.allclose(found[legs], alone[legs], atol=1e-6)
    assert not np.allclose(found[arm], alone[arm], atol=0.1)
    assert np.allclose(found[node(one, "upper_arm_l")], alone[node(one, "upper_arm_l")], atol=1e-6)


def test_an_additive_layer_adds_what_differs_from_its_first_pose(stage3d):
    """A nod is added to a walk: the head turns by the nod's angle against the neck, and the rest is unchanged."""
    options = "layer: 1, additive: true, weight: 0.5, playing: false, time: 0.25"
    nod = f"{{name: nods, Animator3D: {{target: hero, clip: nod, {options}}}}}"
    found = stage3d(HERO % "clip: idle", nod).run(30)
    nodes = found.nodes("hero").copy()
    neck, head = nodes[node(found, "neck"), :, :3], nodes[node(found, "head"), :, :3]
    turn = neck.T @ head
    assert abs(np.arccos((np.trace(turn) - 1) / 2) - 0.25) < 2e-3


def test_frames_between_ticks_show_moments_between_them(stage3d):
    """At half of a tick, the pose is that of the clip half a tick earlier; over the end of a clip as well."""
    for ticks, wanted in ((20, (0.285, 0.2925, 0.3)), (67, (0.99, 0.9975, 0.005))):
        game = stage3d(HERO % "clip: walk, speed: 0.9").run(ticks)
        hips = node(game, "hips")
        z = [game.nodes("hero", alpha)[hips, 2, 3] / 1.2 for alpha in (0.0, 0.5, 1.0)]
        assert np.allclose(z, wanted, atol=1e-4)


def test_still_characters_are_not_posed_again(stage3d):
    """If nothing moves, nothing is made again; if one of two moves, the version rises and the other keeps its bits."""
    game = stage3d(
        HERO % "clip: walk, playing: false, time: 0.3",
        "{name: other, Transform3D: {}, Model3D: {asset: tube.glb}, Animator3D: {clip: bend, playing: false}}",
    ).run(3)
    version = game.draw(0.3).version
    game.run(2)
    assert [game.draw(alpha).version for alpha in (0.2, 0.6, 1.0)] == [version] * 3
    before = game.nodes("hero").copy()
    game.world.table(Animator3D).playing[1] = True
    game.world.table(Animator3D).mark()
    game.run(3)
    assert game.draw(0.5).version > version
    assert np.array_equal(game.nodes("hero"), before)


def test_poses_name_the_rows_of_each_character(stage3d):
    """Each animated model has nodes, joints and weights in the tables; other models have none."""
    game = stage3d(
        HERO % "clip: walk",
        "{name: cube, Transform3D: {}, Model3D: {asset: morph_cube.glb}, Animator3D: {}}",
        "{name: still, Transform3D: {}, Model3D: {asset: robot.glb}}",
    ).run(5)
    poses = game.draw()
    assert poses.entities.tolist() == sorted([game.find("hero"), game.find("cube")])
    assert poses.first_node.tolist() == [0, 42]
    assert poses.first_joint.tolist() == [0, -1]
    assert poses.first_weight.tolist() == [-1, 0]
    assert np.allclose(poses.morphs, [0, 1])
    game.run(60)
    assert game.world[Poses3D].morphs.tolist() in ([0, 1], [1, 0])


def test_unknown_names_are_told_once(stage3d, caplog):
    """A clip that comes from code and that no file has is logged with the choices, and moves nothing."""
    game = stage3d(HERO % "clip: walk").run(2)
    play_3d(game.world, game.find("hero"), "wlak")
    game.run(3)
    told = [record.message for record in caplog.records if "wlak" in record.message]
    assert len(told) == 1
    assert "walk" in told[0]
    assert len(game.draw().entities) == 0
    assert game.world.table(Transform3D).position.any() == False  # noqa: E712


def test_rules_play_clips(stage3d):
    """The action `animate_3d` of a rule plays a clip with its fade."""
    rules = "on:\n  scene main: [wait: 0.2, {animate_3d: hero, clip: wave, fade: 0.5}]\n"
    game = stage3d(HERO % "clip: walk", rules=rules).run(20)
    assert is_playing_3d(game.world, game.find("hero"), "wave")
    assert len(game.world[FadingClips3D]) == 1


def test_a_fade_that_is_stopped_stands_still(stage3d):
    """If the animator stops in the middle of a fade, every frame shows the same mixed pose, and later it goes on."""
    game = stage3d(HERO % "clip: walk").run(10)
    play_3d(game.world, game.find("hero"), "turn", fade=0.5)
    game.run(10)
    table = game.world.table(Animator3D)
    table.playing[0] = False
    table.mark()
    game.run(2)
    first = game.nodes("hero", 0.1).copy()
    assert np.array_equal(game.nodes("hero", 0.8), first)
    game.run(3)
    assert np.array_equal(game.nodes("hero", 0.5), first)
    table.playing[0] = True
    table.mark()
    game.run(25)
    assert len(game.world[FadingClips3D]) == 0
