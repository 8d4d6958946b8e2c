"""Arrays of meshes: lists of triangles, lines and points, normals and tangents, and the triangles of a whole model."""
