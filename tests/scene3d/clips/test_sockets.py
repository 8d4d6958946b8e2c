"""Sockets hold entities at joints: below the model, elsewhere, at rest, and between ticks."""

from __future__ import annotations

import numpy as np

from rish_scene3d import Animator3D, Socket3D
from rish_scene3d.clips.clip_library import ClipLibrary3D
from rish_scene3d.clips.sockets import follow_joints
from rish_space3d import Transform3D, WorldMatrices3D, quaternions, world_matrices_3d

HERO = "{name: hero, Transform3D: {%s}, Model3D: {asset: robot.glb}, Animator3D: {%s}, children: [%s]}"
LAMP = "{name: lamp, Transform3D: {%s}, Socket3D: {joint: hand_r%s}}"


def joint(game, name):
    """Return the matrix of a joint of the hero as it is drawn at the tick, relative to the model."""
    skeleton = next(iter(game.world[ClipLibrary3D].skeletons.values()))
    return game.nodes("hero")[skeleton.model.names.index(name)].astype(float)


def matrix(game, name):
    """Return the world matrix of an entity in the tick."""
    return world_matrices_3d(game.world)[game.world.table(Transform3D).row_of(game.find(name))].astype(float)


def test_a_child_of_the_model_follows_its_joint(stage3d):
    """In every tick the entity is where the joint is drawn, and turned like it."""
    game = stage3d(HERO % ("position: [3, 0, 1], rotation: [0, 50, 0]", "clip: walk", LAMP % ("", "")))
    for _ in range(4):
        game.run(7)
        hero, hand = matrix(game, "hero"), joint(game, "hand_r")
        assert np.allclose(matrix(game, "lamp")[:, 3], hero[:, :3] @ hand[:, 3] + hero[:, 3], atol=1e-5)
        assert np.allclose(matrix(game, "lamp")[:, :3], hero[:, :3] @ hand[:, :3], atol=1e-5)


def test_offset_and_turn_are_along_the_axes_of_the_joint(stage3d):
    """An offset moves along the joint's axes, and a turn comes before the joint's own."""
    game = stage3d(HERO % ("", "clip: walk", LAMP % ("", ", offset: [0, 0.1, 0.2], turn: [90, 0, 0]"))).run(20)
    hand = joint(game, "hand_r")
    assert np.allclose(matrix(game, "lamp")[:, 3], hand[:, :3] @ [0, 0.1, 0.2] + hand[:, 3], atol=1e-5)
    turn = quaternions.to_matrix(quaternions.from_axis([1, 0, 0], np.pi / 2))
    assert np.allclose(matrix(game, "lamp")[:, :3], hand[:, :3] @ turn, atol=1e-5)


def test_an_entity_elsewhere_follows_the_joint_of_its_target(stage3d):
    """With a target the socket may have any parent, or none."""
    entries = (
        HERO % ("position: [3, 0, 1], rotation: [0, 50, 0]", "clip: walk", ""),
        LAMP % ("scale: [2, 2, 2]", ", target: hero"),
        "{name: cart, Transform3D: {position: [1, 2, 3], rotation: [20, 30, 0], scale: [2, 1, 1]},"
        " children: [{name: bell, Transform3D: {}, Socket3D: {joint: hand_r, target: hero}}]}",
    )
    game = stage3d(*entries).run(20)
    hero, hand = matrix(game, "hero"), joint(game, "hand_r")
    place = hero[:, :3] @ hand[:, 3] + hero[:, 3]
    assert np.allclose(matrix(game, "lamp")[:, 3], place, atol=1e-5)
    assert np.allclose(matrix(game, "lamp")[:, :3], 2 * hero[:, :3] @ hand[:, :3], atol=1e-5)
    assert np.allclose(matrix(game, "bell")[:, 3], place, atol=1e-5)


def test_a_model_at_rest_has_joints_too(stage3d):
    """Without an animator the socket is where the joint is at rest."""
    entry = "{name: hero, Transform3D: {}, Model3D: {asset: robot.glb}, children: [%s]}" % (LAMP % ("", ""))
    game = stage3d(entry).run(2)
    assert np.allclose(game.value("lamp"), [-0.22, 1.01, 0], atol=1e-5)


def test_the_first_frame_shows_no_flight(stage3d):
    """A new socket is at its joint in the first frame, wherever its Transform3D was."""
    game = stage3d(HERO % ("", "clip: walk", LAMP % ("position: [50, 0, 0]", ""))).run(1)
    game.world.alpha = 0.0
    game.app.draw()
    drawn = game.world[WorldMatrices3D].matrix[game.world.table(Transform3D).row_of(game.find("lamp"))]
    assert abs(drawn[0, 3] + 0.22) < 1e-4


def test_still_sockets_are_not_written(stage3d):
    """While the character stands still no Transform3D changes; a socket that somebody moves comes back."""
    game = stage3d(HERO % ("", "clip: walk, playing: false, time: 0.2", LAMP % ("", ""))).run(3)
    space = game.world.table(Transform3D)
    version = space.version
    follow_joints(game.world, game.world.dt)
    assert space.version == version
    before = game.value("lamp")
    space.position[space.row_of(game.find("lamp"))] = (9, 9, 9)
    space.mark()
    game.run(1)
    assert game.value("lamp") == before


def test_a_joint_that_is_unknown_is_told_once(stage3d, caplog):
    """A wrong joint from code is logged with the choices, and the entity stays where it is."""
    game = stage3d(HERO % ("", "clip: walk", LAMP % ("position: [1, 2, 3]", "")))
    sockets = game.world.table(Socket3D)
    sockets.joint[0] = game.world.intern("hand")
    sockets.mark()
    game.run(4)
    told = [record.message for record in caplog.records if "no joint 'hand'" in record.message]
    assert len(told) == 1
    assert "hand_" in told[0]
    assert game.value("lamp") == [1, 2, 3]


def test_layers_move_what_is_held(stage3d):
    """A socket follows the pose with all layers."""
    game = stage3d(
        HERO % ("", "clip: walk", LAMP % ("", "")),
        "{name: arm, Animator3D: {target: hero, clip: wave, layer: 1, mask: shoulder_r, weight: 0.7}}",
    ).run(25)
    assert np.allclose(game.value("lamp"), joint(game, "hand_r")[:, 3], atol=1e-5)
    assert len(game.world.table(Animator3D)) == 2
