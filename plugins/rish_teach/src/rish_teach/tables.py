"""The state that the solver keeps between ticks. Everything else is in the columns of Transform and Body.

Every step writes all rows of these tables again, so they contain exactly what the next step reads.
"""

from __future__ import annotations

from typing import Any

from rish_core import Entity, World, field, resource
from rish_ecs import Inputs, table
from rish_physics import Collider


@table
class TeachImpulses:
    """The impulses of the contact points of the last step, for warm starting.

    a, b: the entities of the colliders. piece_a, piece_b: the numbers of the convex pieces within them. feature: see
    `ManifoldPoint`.
    """

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    piece_a: int = field(hidden=True)
    piece_b: int = field(hidden=True)
    feature: int = field(hidden=True)
    push: float = field(hidden=True, unit="kg·units/s")
    rub: float = field(hidden=True, unit="kg·units/s")


@table
class TeachTouching:
    """The pairs of colliders that touched in the last step. In a pair with a sensor, `a` is the sensor."""

    a: Entity = field(hidden=True)
    b: Entity = field(hidden=True)
    body_a: Entity = field(hidden=True)
    body_b: Entity = field(hidden=True)
    sensor: bool = field(hidden=True)
    told: bool = field(hidden=True, doc="whether its end emits an event")


@table
class TeachPoses:
    """The poses of kinematic bodies after the last step. If the pose of a body differs, the game has set its
    target.
    """

    body: Entity = field(hidden=True)
    x: float = field(hidden=True, unit="units")
    y: float = field(hidden=True, unit="units")
    angle: float = field(hidden=True, unit="rad")


@resource(derived=True)
class TeachGround:
    """What the published edges were computed from."""

    def __post_init__(self) -> None:
        self.colliders = Inputs((Collider,))
        self.published: Any = None

    def rebuild(self, world: World) -> None:
        """Compare the edges again after a restore."""
        self.__post_init__()
