"""The lantern: the player moves it, and it catches the fireflies that are near."""

from rish_core import Transform, field
from rish_render import Text
from rish_scripts import Script

from .firefly import Caught, Firefly


class Lantern(Script):
    """Moves with the arrow keys. Its fields are columns: they are saved, shown, and set in game.yaml."""

    speed: float = field(190, unit="units/s", low=0)
    reach: float = field(24, unit="units", low=0, doc="how near a firefly must come")
    count: int = field(0, low=0, doc="fireflies caught so far")

    def on_update(self, dt):
        """Move, and catch the fireflies within reach."""
        place = self.get(Transform)
        x, y = place.position
        x += self.input.axis("left", "right") * self.speed * dt
        y += self.input.axis("down", "up") * self.speed * dt
        place.position = (min(max(x, 20), 620), min(max(y, 30), 330))
        for firefly in self.find_all(Firefly):
            distance = (firefly.get(Transform).position - place.position).length
            if firefly.free and distance < self.reach:
                self.emit(Caught, firefly=firefly.entity, lantern=self.entity)

    def on_caught(self, caught):
        """Count the firefly, and show the count."""
        self.count += 1
        self.get(Text, self.named("count")).text = str(self.count)
