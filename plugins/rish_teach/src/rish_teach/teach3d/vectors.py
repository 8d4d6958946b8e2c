"""Vectors as tuples of three numbers, and 3×3 matrices as tuples of three rows: plain Python, in float64."""

from __future__ import annotations

import math

Vec = tuple[float, float, float]
Matrix = tuple[Vec, Vec, Vec]
ZERO: Vec = (0.0, 0.0, 0.0)


def plus(u: Vec, v: Vec) -> Vec:
    """Return u + v."""
    return u[0] + v[0], u[1] + v[1], u[2] + v[2]


def minus(u: Vec, v: Vec) -> Vec:
    """Return u - v."""
    return u[0] - v[0], u[1] - v[1], u[2] - v[2]


def scaled(u: Vec, factor: float) -> Vec:
    """Return u times a number."""
    return u[0] * factor, u[1] * factor, u[2] * factor


def added(u: Vec, v: Vec, factor: float) -> Vec:
    """Return u plus a number times v."""
    return u[0] + factor * v[0], u[1] + factor * v[1], u[2] + factor * v[2]


def dot(u: Vec, v: Vec) -> float:
    """Return u · v."""
    return u[0] * v[0] + u[1] * v[1] + u[2] * v[2]


def cross(u: Vec, v: Vec) -> Vec:
    """Return u × v."""
    return u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]


def length(u: Vec) -> float:
    """Return |u|."""
    return math.sqrt(dot(u, u))


def times(matrix: Matrix, v: Vec) -> Vec:
    """Return the matrix times v."""
    return dot(matrix[0], v), dot(matrix[1], v), dot(matrix[2], v)


def tensor(rotation: Matrix, moments: Vec) -> Matrix:
    """Return R diag(moments) Rᵀ: the inertia about principal axes, which are the columns of R, in world axes."""
    i, j, k = moments
    rows = [(i * x, j * y, k * z) for x, y, z in rotation]
    return times(rotation, rows[0]), times(rotation, rows[1]), times(rotation, rows[2])


def tangents(normal: Vec) -> tuple[Vec, Vec]:
    """Return two unit vectors that are perpendicular to a unit normal and to each other."""
    x, y, z = map(abs, normal)
    # The axis along which the normal is shortest is never parallel to it.
    first = cross(normal, (1, 0, 0) if x <= min(y, z) else (0, 1, 0) if y <= z else (0, 0, 1))
    first = scaled(first, 1 / length(first))
    return first, cross(normal, first)
