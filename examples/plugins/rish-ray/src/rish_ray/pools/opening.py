"""Chooses a pool."""

from __future__ import annotations

from importlib.util import find_spec

from rish_core import UsageError

from .local import LocalPool
from .ray_pool import RayPool
from .work import Make, Pool

POOLS = ("local", "ray")


def open_pool(make: Make, workers: int | None = None, kind: str | None = None) -> Pool:
    """Return a pool. make: see `Make`. workers: how many; None: one for each processor.

    kind: `local`: processes of this machine; `ray`; None: Ray if it is installed. Raises UsageError.
    """
    if workers is not None and workers < 1:
        raise UsageError("a pool needs at least one worker")
    has_ray = find_spec("ray") is not None
    kind = kind or ("ray" if has_ray else "local")
    if kind == "ray" and not has_ray:
        raise UsageError("Ray is not installed", hint="Install it with `pip install 'ray>=2.40'`, or use --pool local")
    return RayPool(make, workers) if kind == "ray" else LocalPool(make, workers)
