"""A provider of `rigid3d` in plain Python. Read `step`, `solver`, `collide`, `bodies`, `contacts`."""

from .bodies import RigidBody, accelerate, matrix, move
from .collide import Ball, Polyhedron, clip, collide, edge_axes, near_pairs, place_hull, separation
from .solver import Mover, Point, Rules, apply, improve, jacobian, make_row, prepare, speed, warm_start
from .vectors import tensor

__all__ = [
    "Ball", "Mover", "Point", "Polyhedron", "RigidBody", "Rules", "accelerate", "apply", "clip", "collide", "edge_axes",
    "improve", "jacobian", "make_row", "matrix", "move", "near_pairs", "place_hull", "prepare", "separation", "speed",
    "tensor", "warm_start",
]  # fmt: skip
