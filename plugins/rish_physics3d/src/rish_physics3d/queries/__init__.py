"""Ray casts, shape casts and overlaps: which shapes are where."""
