"""Replays of recorded games, also of those that crashed."""
