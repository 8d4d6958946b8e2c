"""Collision geometry: hulls, mass, distances, clipping, time of impact."""
