"""Solving: the descriptions of plugins, which plugins are loaded, in which order, and why a set is refused."""
