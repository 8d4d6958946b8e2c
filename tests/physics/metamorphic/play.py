"""Checks seeds and prints what differs: `uv run python tests/physics/metamorphic/play.py [RELATION] SEED ...`.

RELATION is the name of one relation; all are checked without it. A range of seeds is `FIRST-END`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[2] / "helpers"))

from energy_relation import check_energy
from pairs_relation import check_pairs
from rewrite_relation import check_rewrite
from sleep_relation import check_sleep
from symmetry_relation import check_crowd_symmetry, check_pairs_symmetry

RELATIONS: dict[str, Callable[[int], Any]] = {
    "sleep": check_sleep, "pairs": check_pairs, "rewrite": check_rewrite, "energy": check_energy,
    "symmetry": check_pairs_symmetry, "crowds": check_crowd_symmetry,
}  # fmt: skip


def main(arguments: list[str]) -> int:
    """Check the seeds; return the number of those that fail, at most 100."""
    names = [name for name in arguments if name in RELATIONS] or list(RELATIONS)
    seeds = list[int]()
    for text in arguments:
        if text not in RELATIONS:
            first, _, end = text.partition("-")
            seeds += range(int(first), int(end) if end else int(first) + 1)
    failed = 0
    for name in names:
        for seed in seeds:
            try:
                RELATIONS[name](seed)
            except AssertionError as error:
                failed += 1
                print(f"{name}, seed {seed}:\n{error}\n")
    print(f"{failed} of {len(names) * len(seeds)} checks failed")
    return min(failed, 100)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
