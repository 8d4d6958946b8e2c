"""Shapes: boxes, ellipses, polygons and lines."""
