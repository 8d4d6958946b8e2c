"""The positions of things on the court, in world units; one unit is one pixel, y points up."""

from __future__ import annotations

WIDTH, HEIGHT = 960.0, 540.0
LEFT, RIGHT, TOP = 16.0, 944.0, 482.0
FLOOR = -24.0
"""The height below which a ball is lost."""

PADDLE_Y = 44.0
PADDLE_HALF_HEIGHT = 8.0
PADDLE_WIDTH = 120.0
WIDE_FACTOR = 1.6

BRICK_STEP = (71.0, 27.0)
FIRST_BRICK = (WIDTH / 2 - 6 * BRICK_STEP[0], TOP - 42.0)
"""The center of the brick in the first column and row."""
