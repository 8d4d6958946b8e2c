"""Plugins of a game: what is installed, checked and written when one is added or removed."""
