"""Where jobs run: in processes of this machine, or on Ray."""

from __future__ import annotations

from .local import LocalPool
from .opening import POOLS, open_pool
from .ray_pool import RayPool
from .work import Died, Make, Pool, WorkFailed

__all__ = ["POOLS", "Died", "LocalPool", "Make", "Pool", "RayPool", "WorkFailed", "open_pool"]
