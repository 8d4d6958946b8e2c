"""Ratings from the results of matches: the model of Bradley and Terry on the scale of Elo.

The chance of a player with the rating a against b is 1 / (1 + 10 ** ((b - a) / 400)). The ratings are those under which
the results are most likely (Hunter 2004, MM algorithms). Unlike ratings that change with each match, they do not depend
on the order of the matches.
"""

from __future__ import annotations

import numpy as np

from rish_jit import Array

MEAN = 1500.0
_ROUNDS = 1000
_ENOUGH = 1e-9


def elo(points: Array) -> Array:
    """Return the rating of each player, with the mean 1500.

    points: (n, n), what player i got against player j: 1 for a win, 0.5 for a draw. Each pair gets a draw in addition,
    so that a player who always won has a finite rating.
    """
    count = len(points)
    points = points + 0.5 * (1 - np.eye(count))
    games = points + points.T
    strength = np.ones(count)
    for _ in range(_ROUNDS):
        new = points.sum(axis=1) / (games / (strength[:, None] + strength[None, :])).sum(axis=1)
        new /= np.exp(np.log(new).mean())
        done = np.abs(new - strength).max() < _ENOUGH
        strength = new
        if done:
            break
    return MEAN + 400 * np.log10(strength)
