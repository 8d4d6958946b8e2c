"""Shapes and what they do to each other: hulls, mass, distances, clipping, time of impact."""
