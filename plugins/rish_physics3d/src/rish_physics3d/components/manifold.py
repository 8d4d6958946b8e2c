"""The numbers of a contact: its manifold of up to four points, its state and its flags.

Anchors are relative to the centers of mass, in world axes, when the manifold was computed.
"""

from __future__ import annotations

MANIFOLD = 56
"""The size of a manifold in float32."""
NORMAL = 0
"""The unit normal from A to B, 3 numbers."""
TWIST = 3
"""The angular impulse of friction about the normal in the last step."""
SLIDE = 4
"""The friction impulse of the last step in world axes, 3 numbers."""
GAP = 7
"""The separation of a pair without points."""
FIRST = 8
"""The first of four points of `POINT` numbers."""
POINT = 8
ANCHOR_A, SEPARATION, ANCHOR_B, IMPULSE = 0, 3, 4, 7
"""The numbers of a point: anchor A (3), separation, anchor B (3), normal impulse of the last step."""
ROLL = FIRST + 3 * POINT
"""The rolling impulse of the last step, 3 numbers, in place of the fourth point: a contact that has one has at most two
points."""
BETWEEN = 40
"""The position of B's center relative to A's when the manifold was computed, 3 numbers."""
TURN_A, TURN_B = 44, 48
"""The rotations of both bodies at that time, quaternions."""
BASE = 52
"""The separations of the four points at that time."""
