"""panda3d's actors in the benchmark `scene3d`, with the joints and clips of `_scene3d_characters`."""

from __future__ import annotations

from typing import Any

import numpy as np
from direct.actor.Actor import Actor
from panda3d import core

from rish_gltf import Animation
from rish_scene3d import ModelData

from ._scene3d_characters import CHARACTERS, FPS, ROWS, model, moments
from ._task import Task


def _matrix(values: Any) -> Any:
    """Return a matrix (3, 4) for column vectors as one of panda3d, which has row vectors."""
    whole = np.eye(4)
    whole[:, :3] = values.T
    return core.LMatrix4f(*whole.ravel().tolist())


def _skeleton(of: ModelData) -> Any:
    """Return a character without meshes."""
    character = core.Character(of.name)
    bundle = character.get_bundle(0)
    joints: list[Any] = []
    top = core.PartGroup(bundle, "<skeleton>")
    for name, parent, place in zip(of.names, of.parents.tolist(), of.translations, strict=True):
        rest = np.eye(3, 4)
        rest[:, 3] = place
        above = joints[parent] if parent >= 0 else top
        joints.append(core.CharacterJoint(character, bundle, above, name, _matrix(rest)))
    return character


def _clip(of: ModelData, clip: Animation) -> Any:
    """Return a clip as a node: for each joint the angles of every thirtieth of a second, and where it is."""
    bundle, groups = core.AnimBundle(of.name, FPS, ROWS), []
    top = core.AnimGroup(bundle, "<skeleton>")
    for name, parent, place, channel in zip(
        of.names, of.parents.tolist(), of.translations.tolist(), clip.channels, strict=True
    ):
        group = core.AnimChannelMatrixXfmTable(groups[parent] if parent >= 0 else top, name)
        turns = [core.LQuaternionf(w, x, y, z) for x, y, z, w in channel.values.tolist()]
        for turn in turns:
            turn.normalize()
        angles = np.array([list(turn.get_hpr()) for turn in turns], np.float32)
        columns = {
            **dict(zip("hpr", angles.T, strict=True)),
            **{axis: [at] for axis, at in zip("xyz", place, strict=True)},
        }
        for letter, values in columns.items():
            group.set_table(letter, core.PTA_stdfloat([float(value) for value in values]))
        groups.append(group)
    return core.NodePath(core.AnimBundleNode(clip.name, bundle))


def actors(count: int) -> list[Any]:
    """Return so many actors in the middle of a fade between two clips, each at a time of its own."""
    of, (rows, shares) = model(), moments(count)
    whole, clips = core.NodePath(_skeleton(of)), {clip.name: _clip(of, clip) for clip in of.clips}
    made = [Actor(whole, clips) for _ in range(count)]
    for each, when, share in zip(made, rows.T.tolist(), shares.tolist(), strict=True):
        each.set_blend(animBlend=True, frameBlend=True)
        for name, row, part in zip(clips, when, (1 - share, share), strict=True):
            each.set_control_effect(name, part)
            each.get_anim_control(name).pose(row)
            each.get_anim_control(name).loop(False)
    return made


def characters() -> Task:
    """Bring the joints of all actors to the time of a frame, without their skins, which are not drawn."""
    clock = core.ClockObject.get_global_clock()
    clock.mode = core.ClockObject.M_slave
    crowd, now = actors(CHARACTERS), [0.0]
    parts = [each.get_part_bundle("modelRoot") for each in crowd]

    def run() -> None:
        now[0] += 1 / 60
        clock.set_frame_time(now[0])
        for part in parts:
            assert part.update()

    run.crowd = crowd  # pyright: ignore[reportFunctionMemberAccess]  # a bundle does not own its actor
    return Task(run)
