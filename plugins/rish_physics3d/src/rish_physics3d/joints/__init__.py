"""Joint components as arrays for the solver."""
