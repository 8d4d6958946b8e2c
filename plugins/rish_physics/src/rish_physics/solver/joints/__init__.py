"""The joint solvers, one module per kind."""
