"""The kinds of joints as numbers, and the memory of each joint between steps."""

from __future__ import annotations

BALL, HINGE, SLIDER, DISTANCE, WELD, WHEEL, MOUSE = range(7)
HAS_LIMIT, HAS_MOTOR, HAS_SPRING, HAS_CONE = 1, 2, 4, 8
"""The parts of a joint that can be switched on."""
LOWER, UPPER, SPEED, FORCE, HERTZ, DAMPING, REST = range(7)
"""The numbers of a joint: of the axis along or about which it is free."""
CONE = 7
"""The greatest angle between both axes of a ball joint."""
STEERING = 7
"""The angle of a wheel's axle about the axis of its suspension."""
ANGULAR_HERTZ, ANGULAR_DAMPING = 8, 9
SPIN = 10
"""The angular velocity of the motor: 3 numbers of a ball joint, one of a wheel."""
SPIN_TORQUE = 13
"""The greatest torque of that motor."""
NUMBERS = 16
SLOTS = 12
"""The impulses of a joint that are stored between steps."""
PLACE, ANGLE = 0, 3
"""The slots of locks: 3 of the anchors, 3 of the rotation."""
SPRING, MOTOR, LEAST, GREATEST = 6, 7, 8, 9
"""The slots of the free axis."""
SWING, TURN = 10, 11
"""The slots of a second free axis: the cone of a ball joint; steering and motor of a wheel."""
