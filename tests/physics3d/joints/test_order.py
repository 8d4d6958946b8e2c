"""Joints are arranged in blocks that are solved at once."""

from __future__ import annotations

import numpy as np

from rish_physics3d.solver.joints.order import arrange_joints


def test_joints_of_a_block_share_no_body_that_moves() -> None:
    """Each joint of random graphs is in one lane, and no two of a block push the same body."""
    for seed in range(20):
        rng = np.random.default_rng(seed)
        form = np.zeros((60, 4), np.int32)
        form[:, 0] = rng.integers(0, 7, 60)
        form[:, 1] = rng.integers(0, 12, 60)
        form[:, 2] = (form[:, 1] + rng.integers(1, 12, 60)) % 12
        moves = rng.random(12) < 0.8
        moves[0] = False
        order = arrange_joints(form, moves)
        assert sorted(order[order >= 0].tolist()) == list(range(60))
        for block in order.reshape(-1, 8):
            ends = form[block[block >= 0], 1:3].ravel()
            pushed = ends[moves[ends]]
            assert len(np.unique(pushed)) == len(pushed)
