"""Tweens: one field of one entity moves to a value."""
