"""Lifts, coins and the flag."""

from __future__ import annotations

from rish_core import Transform, Vec2, field
from rish_jit import maths
from rish_render import Text
from rish_scripts import Script

from .hero import Hero


class Lift(Script):
    """Moves to and fro between its place and its place plus `travel`; it carries whoever stands on it."""

    travel: Vec2 = field((0, 100), unit="units")
    period: float = field(4, unit="s", low=0.1, doc="of the way there and back")
    time: float = field(0, unit="s")
    share: float = field(0, doc="how far it has come, 0 to 1")

    def on_fixed_update(self, dt):
        """Move by what the share has grown."""
        self.time += dt
        share = 0.5 - 0.5 * maths.cos(2 * maths.PI * self.time / self.period)
        self.get(Transform).position += self.travel * (share - self.share)
        self.share = share


class Coin(Script):
    """A sensor: it notices the hero, who collects it."""

    def on_sensor_begin(self, visit):
        """Vanish, and be counted."""
        if self.has(Hero, visit.visitor):
            self.get(Hero, visit.visitor).collect()
            self.despawn()


class Goal(Script):
    """A sensor at the end of the level."""

    def on_sensor_begin(self, visit):
        """Show how it ended."""
        if self.has(Hero, visit.visitor):
            coins = self.get(Hero, visit.visitor).coins
            self.get(Text, self.named("message")).text = f"You made it, with {coins} coins!"
