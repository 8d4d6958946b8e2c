"""Rigid bodies in three dimensions."""
