"""Draws maps: cells as blocks, other tiles and pictures as sprites."""
