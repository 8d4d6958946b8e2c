"""The plugin wing: hooks, discovery, the solver, isolated calls and the registry of what was declared."""
