"""Animators: components that play clips of tracks."""
