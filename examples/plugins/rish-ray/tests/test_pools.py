"""Pools: every job is done once, also when workers are killed."""

from __future__ import annotations

import os
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import pytest

from long_runs import only_long
from rish_ray import Died, LocalPool, RayPool, WorkFailed
from rish_system import is_running

EVALUATE = partial(partial, eval)
"""Jobs are texts in Python. Nothing of the tests has to be imported by a worker."""
KILL = "__import__('os').kill(__import__('os').getpid(), 9)"


def once(path: Path) -> str:
    """Return a job that kills its worker the first time, and gives 7 the next time."""
    return f"7 if __import__('os').path.exists({str(path)!r}) else (open({str(path)!r}, 'w').close(), {KILL})"


@pytest.mark.slow
def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    """A job whose worker was killed is done by another one; a job that kills each of its workers is given up."""
    jobs = ["1", once(tmp_path / "killed"), "3", KILL, "5"]
    with LocalPool(EVALUATE, 2) as pool:
        assert dict(pool.results(jobs)) == {0: 1, 1: 7, 2: 3, 3: Died(3), 4: 5}
        with pytest.raises(WorkFailed, match="division by zero"):
            list(pool.results(["1 / 0"]))
        workers = pool.process_ids
        assert len(workers) == 2
    assert not any(is_running(worker) for worker in workers)
    assert os.getpid() not in workers


@only_long
@pytest.mark.skipif(find_spec("ray") is None, reason="Ray is not installed")
def test_ray_loses_nothing_either(tmp_path: Path) -> None:
    """An actor of Ray that is killed is replaced, and its job is done again."""
    with RayPool(EVALUATE, 2) as pool:
        assert dict(pool.results(["1", once(tmp_path / "killed"), KILL])) == {0: 1, 1: 7, 2: Died(3)}
