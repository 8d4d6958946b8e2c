"""The numbers of the joint kinds, as stored in `Joints.kind`, and the bits of `Joints.flags`."""

REVOLUTE, DISTANCE, PRISMATIC, WELD, WHEEL, MOTOR, MOUSE, GEAR, RATCHET = range(1, 10)
"""The numbers of the kinds; 0 is none."""
HAS_LIMIT, HAS_MOTOR, HAS_SPRING = 16, 32, 64
"""Bits of `Joints.flags`: the parts that are enabled."""
