"""The hero: the keys walk and jump, and the component Character keeps it on the ground and out of walls."""

from __future__ import annotations

from rish_core import Transform, field
from rish_physics import Character, teleport_bodies
from rish_render import Text
from rish_scripts import Script


class Hero(Script):
    """Walks and jumps. Its fields are columns: they are saved, shown, and set in game.yaml."""

    speed: float = field(190, unit="units/s", low=0)
    acceleration: float = field(1400, unit="units/s²", low=0)
    gravity: float = field(1500, unit="units/s²", low=0)
    fall_speed: float = field(700, unit="units/s", low=0, doc="the fastest fall")
    jump_speed: float = field(510, unit="units/s", low=0, doc="for 87 units: speed² / (2 gravity)")
    coyote_time: float = field(0.1, unit="s", low=0, doc="in which it may still jump after it left the ground")
    jump_buffer: float = field(0.12, unit="s", low=0, doc="in which a press before the landing counts")
    since_ground: float = 9
    since_press: float = 9
    coins: int = field(0, low=0)
    start_x: float = 0
    start_y: float = 0

    def on_create(self):
        """Remember where to begin again."""
        self.start_x, self.start_y = self.get(Transform).position

    def on_fixed_update(self, dt):
        """Set the velocity; the physics moves the hero, and takes out of the velocity what stops it."""
        me = self.get(Character)
        x, y = me.velocity
        wanted = self.input.axis("left", "right") * self.speed
        x += min(max(wanted - x, -self.acceleration * dt), self.acceleration * dt)
        y = max(y - self.gravity * dt, -self.fall_speed)
        self.since_ground = 0 if me.grounded else self.since_ground + dt
        self.since_press = 0 if self.input.pressed("jump") else self.since_press + dt
        if self.since_press <= self.jump_buffer and self.since_ground <= self.coyote_time:
            y, self.since_press, self.since_ground = self.jump_speed, 9, 9
        elif y > 0 and not self.input.down("jump"):
            y = min(y, 0.4 * self.jump_speed)  # a short press is a low jump
        me.velocity = (x, y)
        me.drop = self.input.down("down")
        if wanted:
            self.get(Transform, self.named("eyes")).position = (4 if wanted > 0 else -4, 8)
        if self.get(Transform).position.y < -60:
            self.begin_again()

    def begin_again(self):
        """Go back to the start after a fall."""
        teleport_bodies(self.world, self.entity, (self.start_x, self.start_y))
        self.get(Character).velocity = (0, 0)

    def collect(self):
        """Count a coin, and show the count."""
        self.coins += 1
        self.get(Text, self.named("score")).text = str(self.coins)
