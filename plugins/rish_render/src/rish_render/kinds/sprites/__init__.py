"""Sprites: images, packed into sixteen bytes each."""
