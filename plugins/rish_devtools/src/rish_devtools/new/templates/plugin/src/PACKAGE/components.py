"""What entities have, what is announced, and what authors of games may set."""

from rish_core import Entity, component, event, field, resource


@component
class Pulse:
    """Lets an entity grow at each beat, and shrink until the next one."""

    rate: float = field(1.0, unit="1/s", low=0, high=20, doc="beats in a second")
    amount: float = field(0.25, low=0, high=10, doc="share by which the entity grows at a beat")
    phase: float = field(0.0, low=0, high=1, doc="position between two beats")


@event
class Beat:
    """A beat of an entity has begun."""

    entity: Entity = field(0, doc="the entity that has beaten")


@resource
class Settings:
    """`settings: PLUGIN:` in the manifest."""

    tempo: float = field(1.0, low=0, high=10, doc="factor of all rates")
