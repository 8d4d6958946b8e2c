"""Compiled loops over the particles of a pool, and their plain reference."""
