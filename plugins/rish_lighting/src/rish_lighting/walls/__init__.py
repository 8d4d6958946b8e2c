"""The edges that block light, and the outlines of things that cast shadows."""
