"""NAME: say here what it does."""

from rish_core import Transform, field
from rish_scripts import Script


class NAME(Script):
    """Say here what it does; in game.yaml: `NAME: {speed: 20}` under an entity."""

    speed: float = field(10, unit="units/s", low=0)

    def on_create(self):
        """Once, when it comes to its entity."""

    def on_update(self, dt):
        """Once a tick."""
        self.get(Transform).position += (self.speed * dt, 0)
