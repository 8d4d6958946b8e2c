"""Compiled loops over the particles of a pool."""
