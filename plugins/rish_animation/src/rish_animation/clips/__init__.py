"""Clips: their files, their tracks, and the curves made of these."""
