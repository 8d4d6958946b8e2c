"""Characters in space: kinematic bodies that walk with their requested velocity.

A character is moved before the step, by casting its shape. It slides along walls, climbs low steps, and follows its
ground up and down; slopes do not change its horizontal speed, and those that are too steep are walls. If it overlaps a
shape, it leaves by the shortest path. Gravity, jumps and their timing belong to the game: it writes `velocity` in each
tick, and reads `grounded` and `air_time`. All characters with the same shape are moved together: each stage is a few
queries for all of them.

**Sliding.** A surface that was hit limits the rest of the path to one side of it. The path is the one closest to the
wanted one that no surface limits (`planes.within`), so corners of two and three surfaces stop a character, and do
not make it tremble.

**What carries a character.** While it stands, it keeps its place on its ground, whatever moves that. Its columns have
the pose of the ground's shape at the end of the last tick. Before it walks, and again after the step, it moves as the
ground has moved since. `velocity` is relative to the ground while it stands, and to the world while it is in the air.

**Moving obstacles** that are not dynamic push it out of their way after they have moved. Dynamic bodies stop it, unless
`push` is a force that moves them. The step does not solve the contact with the body on which it stands, since for
the solver the character's mass is infinite; its weight is a force instead (`mass`).
"""

from __future__ import annotations

from .system import correct_characters, move_characters

__all__ = ["correct_characters", "move_characters"]
