"""Components that many games need: lifetimes, timers, followers, and positions that wrap around a rectangle.

from rish_basics import Expired, Follow, Lifetime, Timer, TimerFired, Wrap
"""

from __future__ import annotations

from .components import Follow, Lifetime, Timer, Wrap
from .events import Expired, TimerFired

__all__ = ["Expired", "Follow", "Lifetime", "Timer", "TimerFired", "Wrap"]
