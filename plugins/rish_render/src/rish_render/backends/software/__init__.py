"""A rasterizer in numba: draws sprites, shapes, lines, polygons and meshes onto numpy arrays."""
