"""A rasteriser in numba: sprites, shapes, lines, polygons and meshes onto numpy arrays."""
