"""Solving: what plugins say about themselves, which of them are loaded, in which order, and why a set is refused."""
