"""The memory layout of a block of eight contacts.

A block is `SIZE` float32 in vectors of eight: the vectors shared by both points, then the same nine vectors for each
point; and 16 int32 in `lanes`, the bodies A and then the bodies B. Masses are not here: they are in the row of the
body. An immovable body without velocity is body 0.

The solver works in the frame of the contact, normal n and tangent t = (ny, -nx). For an anchor r, a position relative
to the body's center, it needs only the arms r x n and r x t: they give how a rotation moves the anchor along n and t,
and since r . n = -(r x t) and r . t = r x n they also give its position.
"""

from __future__ import annotations

NORMAL_X, NORMAL_Y, FRICTION = 0, 8, 16
POINT0, POINT1 = 24, 96
"""The offsets of the vectors of each point."""
ARM_A, LEVER_A, ARM_B, LEVER_B = 0, 8, 16, 24
"""The products rA x n, rA x t, rB x n, rB x t."""
NORMAL_MASS, TANGENT_MASS = 32, 40
"""The effective masses along n and t: one divided by the inverse mass; 0 in lanes without a point."""
GAP = 48
"""The separation at the start of the step, negative if the shapes overlap."""
NORMAL, TANGENT = 56, 64
"""The accumulated impulses."""
SIZE = 168
"""The number of float32 in a block."""
