"""The solver: colours, constraints, sub-steps, islands, continuous collision."""
