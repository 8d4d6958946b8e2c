"""Paths, and the component that moves its entity along a path."""
