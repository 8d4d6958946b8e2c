"""The edges that block light, and the outlines of occluders."""
