"""Characters: kinematic bodies that walk with their requested velocity.

A character is moved before the step, by casting its shape. It slides along the ground and along walls and climbs low
steps. Slopes that are too steep to walk on act as walls, and one-way ground lets it through from below. If it overlaps
a shape, it leaves by the shortest path. Gravity, jumps and their timing belong to the game: it writes `velocity` in
each tick, and reads `grounded`. The method is the common collide-and-slide (Fauerby 2003); ground is recognized by its
normal. Its Body is kinematic, so the step derives its velocity from the new position, and it pushes the bodies it
meets.

**What carries a character.** While it stands, it keeps its place on its ground, whatever moves that: the velocity or
the Transform of a kinematic body, the Transform of a static collider, forces and joints of a dynamic body, a parent,
another character. A rotating ground carries it round. The surface of a conveyor belt (`Collider.surface_speed`) carries
it too. `velocity` is relative to the ground while it stands, and to the world while it is in the air. Nothing carries
it over a distance for which the ground would have to exceed the maximum speed, and `teleport_bodies` carries nobody.
In the air a character with a parent moves with it, as any entity does; while it stands, only its ground moves it, and
only `teleport_bodies` places it elsewhere.

**Moving obstacles.** Obstacles are met where they are at each moment of the tick (`motions`). Those that are not
dynamic push it. A character between a moving body and a wall leaves the deeper overlap first, so it may be pushed out
on the other side; it is then `grounded` and `on_ceiling` at once, or `on_wall`, and the game decides what follows.

**After the step** the characters are corrected for bodies that ended elsewhere than predicted.
"""

from __future__ import annotations

from .component import Character
from .system import correct_characters, move_characters

__all__ = ["Character", "correct_characters", "move_characters"]
