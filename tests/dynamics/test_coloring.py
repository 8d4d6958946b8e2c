"""Colors of contacts; whole blocks are tested by the packages that use them."""

from __future__ import annotations

import numpy as np

from rish_dynamics.coloring import lot


def test_the_color_at_which_the_search_begins_follows_no_pattern() -> None:
    """The first color for a pair is evenly distributed over eight, also for rows of neighbors.

    Of two pairs with a common body, each has the lower number equally often.
    """
    a = np.arange(1, 4001)
    for b in (a + 1, a + 100):
        lots = np.array([int(lot(int(x), int(y))) for x, y in zip(a, b, strict=True)])
        counts = np.bincount(lots, minlength=8)
        assert len(counts) == 8
        assert counts.min() > 400
        assert counts.max() < 600
        assert abs(int((lots[1:] > lots[:-1]).sum()) - int((lots[1:] < lots[:-1]).sum())) < 200
