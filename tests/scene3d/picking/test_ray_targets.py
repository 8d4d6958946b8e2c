"""Things that move: their boxes and hits beside those of things that are made anew."""

from __future__ import annotations

import numpy as np

from picked_things import Drawn, at, mesh_of, model_of
from rish_scene3d.clips.skeleton_poses import Poses3D
from rish_scene3d.models.model import Piece, SkinData
from rish_scene3d.picking import ray_targets as module
from rish_scene3d.picking.casting import cast

F32 = np.float32
CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], F32) / 2
FACES = [[0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1],
         [2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]]  # fmt: skip


def _placed(random: np.random.Generator, count: int) -> np.ndarray:
    made = np.zeros((count, 3, 4), F32)
    made[:, :, :3], made[:, :, 3] = random.normal(size=(count, 3, 3)), random.uniform(-5, 5, (count, 3))
    return made


def _same(one: Drawn, other: Drawn, random: np.random.Generator) -> None:
    """Compare boxes and hits of two lists of things."""
    assert np.array_equal(one.things.boxes, other.things.boxes)
    origins = random.normal(size=(80, 3)) * 8
    ways = random.uniform(-4, 4, (80, 3)) - origins
    ways /= np.linalg.norm(ways, axis=1, keepdims=True)
    found, expected = (cast(each.things, origins, ways, np.full(80, np.inf)) for each in (one, other))
    assert np.array_equal(found.entities, expected.entities)
    assert np.array_equal(found.distances, expected.distances)
    assert (found.entities > 0).any()


def test_things_that_move_are_followed() -> None:
    """After any moves, boxes and hits are the same as those of things made anew; also where the tree is built again."""
    random = np.random.default_rng(5)
    meshes, model = [mesh_of(CUBE, FACES)], model_of(Piece(0, -1, 0))
    drawn = Drawn(meshes, [(model, _placed(random, 20))])
    tree = drawn.things.tree
    for step in range(3):
        rows = np.unique(random.integers(0, 20, 6))
        drawn.move(rows, _placed(random, len(rows)))
        _same(drawn, Drawn(meshes, [(model, drawn.matrices)]), random)
        assert drawn.things.tree is tree, step
    for _ in range(module._MAX_MOVES + 1):
        drawn.move(np.arange(20), _placed(random, 20))
    assert drawn.things.tree is not tree
    _same(drawn, Drawn(meshes, [(model, drawn.matrices)]), random)


def test_poses_are_followed() -> None:
    """After joints, nodes and weights have moved, boxes and hits are the same as those of things made anew."""
    random = np.random.default_rng(6)
    joints = np.zeros((8, 4), np.uint16)
    joints[4:, 0] = 1
    weights = np.zeros((8, 4), F32)
    weights[:, 0] = 1
    targets = random.normal(size=(2, 3, 8, 3)).astype(F32)
    meshes = [mesh_of(CUBE, FACES, joints=joints, weights=weights, targets=targets), mesh_of(CUBE, FACES),
              mesh_of(CUBE, FACES, targets=targets)]  # fmt: skip
    rest = [at(0, 0, 0), at(1, 0, 0)]
    skin = SkinData(np.array([0, 1], np.int32), np.stack(rest), 0)
    model = model_of(
        Piece(0, 0, 0, skin=0, morph=0), Piece(1, 1, 0), Piece(2, 0, 0, morph=2), rest=rest, skins=(skin,),
        weights=np.zeros(4, F32),
    )  # fmt: skip

    def posed(*entities: int) -> Poses3D:
        k = np.arange(len(entities), dtype=np.int32)
        return Poses3D(
            np.array(entities), 2 * k, 2 * k, 4 * k, _placed(random, 2 * len(k)), _placed(random, 2 * len(k)),
            random.normal(size=4 * len(k)).astype(F32), int(random.integers(1 << 30)),
        )  # fmt: skip

    drawn = Drawn(meshes, [(model, _placed(random, 6))])
    for entities in ((2, 3), (3, 5, 6), ()):
        poses = posed(*entities)
        drawn.pose(poses)
        _same(drawn, Drawn(meshes, [(model, drawn.matrices)], poses), random)
        drawn.move(np.array([1, 2]), _placed(random, 2))
        _same(drawn, Drawn(meshes, [(model, drawn.matrices)], poses), random)
