"""Operations of a game on the entities of a yard, chosen by numbers."""

from __future__ import annotations

from typing import Any

from rish_core import Disabled, Transform
from rish_physics import Body, Collider, RevoluteJoint

FORMS = (
    {"size": (0.5, 0.5)},
    {"shape": "circle", "radius": 0.3},
    {"shape": "capsule", "size": (0.3, 0.9)},
    {"shape": "polygon", "points": [(-0.3, -0.3), (0.4, -0.2), (0, 0.5)]},
    {"shape": "outline", "points": [(0, 0), (1, 0), (1, 1), (0.5, 0.3), (0, 1)], "hit_events": True},
    {"size": (0.6, 0.2), "sensor": True},
    {"shape": "polygon", "points": [(0, 0), (0, 0), (0, 0)]},
)
KINDS = ("static", "kinematic", "dynamic", "dynamic", None)


class Hand:
    """Performs the same operations in a world, whichever way the entities are synchronized."""

    def __init__(self, yard: Any) -> None:
        self.yard, self.world = yard, yard.world
        self.live: list[int] = []
        yard.wall(0, -0.5, 20, 1)

    def spawn(self, k: int) -> None:
        """Spawn an entity of one of several kinds, sometimes with children."""
        place = Transform(position=((k * 37 % 160) / 10 - 8, 0.7 + k % 7), rotation=k % 5 / 4)
        parts: list[Any] = [Collider(**FORMS[k % len(FORMS)])]
        kind = KINDS[k % len(KINDS)]
        if kind:
            parts.append(Body(type=kind, velocity=(k % 3, 0), asleep=k % 4 == 0, fixed_rotation=k % 6 == 0))
        self.live.append(self.world.spawn(place, *parts))
        if k % 4 == 1:
            below = Transform(position=(0.3, 0.1), parent=self.live[-1])
            self.live.append(self.world.spawn(below, Collider(shape="circle", radius=0.2)))
        if k % 9 == 4:
            self.world.spawn(Transform(parent=self.live[-1]))

    def act(self, what: int, k: int) -> None:
        """Apply one of several operations to an existing entity."""
        world = self.world
        self.live = [entity for entity in self.live if world.alive(entity)]
        if what < 4 or not self.live:
            self.spawn(k)
            return
        entity = self.live[k % len(self.live)]
        bodied, formed = world.has(entity, Body), world.has(entity, Collider)
        if what in (4, 5):
            world.despawn(entity)
        elif what == 6 and bodied:
            world.remove(entity, Body)
        elif what == 6:
            world.add(entity, Body())
        elif what == 7 and formed:
            world.remove(entity, Collider)
        elif what == 7:
            world.add(entity, Collider(size=(0.4, 0.4)))
        elif what == 8 and world.has(entity, Disabled):
            world.remove(entity, Disabled)
        elif what == 8:
            world.add(entity, Disabled)
        elif what == 9 and bodied:
            world.get(entity, Body).enabled = not world.get(entity, Body).enabled
        elif what == 10:
            world.set(entity, Transform(parent=self.live[0] if entity != self.live[0] else 0))
        elif what == 11 and bodied:
            world.set(entity, Body(velocity=(0, 4)))
        elif what == 12:
            world.set(entity, Transform(position=(k % 9, 5)))
        elif what == 13 and bodied and entity != self.live[0]:
            world.spawn(RevoluteJoint(a=entity, b=self.live[0]))
