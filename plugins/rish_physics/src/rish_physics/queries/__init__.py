"""Queries: rays, shape casts, overlaps, and current contacts."""
