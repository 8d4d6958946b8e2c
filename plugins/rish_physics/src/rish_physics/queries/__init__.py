"""Questions to the world of shapes: rays, overlaps, what touches what."""
