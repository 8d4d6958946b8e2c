"""Small parts of many games: lifetimes, timers, followers, and places that wrap around.

from rish_basics import Expired, Follow, Lifetime, Timer, TimerFired, Wrap
"""

from __future__ import annotations

from .components import Follow, Lifetime, Timer, Wrap
from .events import Expired, TimerFired

__all__ = ["Expired", "Follow", "Lifetime", "Timer", "TimerFired", "Wrap"]
