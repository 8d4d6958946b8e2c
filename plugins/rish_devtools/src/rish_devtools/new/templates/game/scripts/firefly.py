"""Fireflies: they wander about, glow and fade, and go out when a lantern catches them."""

from rish_core import Entity, Transform, event, field
from rish_jit import maths
from rish_render import Shape
from rish_scripts import Script, Vector, wait


@event(script="on_caught")
class Caught:
    """A firefly came too near to a lantern; `on_caught` of the scripts of both entities is called."""

    firefly: Entity
    lantern: Entity


class Firefly(Script):
    """Flies in random directions, and turns back at the edge of the meadow."""

    speed: float = field(38, unit="units/s", low=0)
    heading: float = field(0, unit="rad", angle=True)
    phase: float = field(0, doc="of its glow, so that each has its own")
    free: bool = True

    def on_create(self):
        """Choose a random direction and a random phase of the glow."""
        dice = self.world.random("fireflies")
        self.heading = dice.uniform(-3, 3)
        self.phase = dice.uniform(0, 6)

    def on_update(self, dt):
        """Move, and change the brightness."""
        place, shape = self.get(Transform), self.get(Shape)
        self.heading += self.world.random("fireflies").uniform(-5, 5) * dt
        here = place.position + Vector((maths.cos(self.heading), maths.sin(self.heading))) * self.speed * dt
        if not (20 < here.x < 620 and 50 < here.y < 320):
            self.heading = maths.atan2(180 - here.y, 320 - here.x)
        place.position = here
        shape.opacity = 0.65 + 0.35 * maths.sin(3 * self.world.time + self.phase)

    def on_caught(self, caught):
        """Start the sequence in which the firefly goes out."""
        self.free = False
        self.begin(self.going_out)

    def going_out(self):
        """Return the steps of the sequence."""
        return (self.flare, wait(0.35), self.vanish)

    def flare(self):
        """Stop, and grow for a moment."""
        self.speed = 0
        self.get(Shape).radius = 7

    def vanish(self):
        """Spawn another firefly at a random place, and despawn this one."""
        dice = self.world.random("fireflies")
        self.spawn("firefly", at=(dice.uniform(40, 600), dice.uniform(90, 300)))
        self.despawn()
