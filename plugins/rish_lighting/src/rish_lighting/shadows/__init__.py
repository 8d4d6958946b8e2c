"""Shadows: how far light comes, in every direction, as flat arrays that both backends read."""
