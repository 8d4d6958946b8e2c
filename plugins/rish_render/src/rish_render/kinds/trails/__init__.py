"""Trails: ribbons behind moving entities."""
