"""Paths, and components that move along them."""
