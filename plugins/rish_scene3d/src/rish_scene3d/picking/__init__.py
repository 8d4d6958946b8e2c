"""Intersections of rays: with triangles of models, and with joints of characters."""
