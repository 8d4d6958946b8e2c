"""The solver: colors, constraints, sub-steps, islands, continuous collision."""
