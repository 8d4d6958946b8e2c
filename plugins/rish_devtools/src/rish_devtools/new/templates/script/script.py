"""NAME: say here what it does."""

from rish_core import Transform, field
from rish_scripts import Script


class NAME(Script):
    """Say here what it does. Add it to an entity in game.yaml: `NAME: {speed: 20}`."""

    speed: float = field(10, unit="units/s", low=0)

    def on_create(self):
        """Called once, after the script was added to its entity."""

    def on_update(self, dt):
        """Called once a tick."""
        self.get(Transform).position += (self.speed * dt, 0)
