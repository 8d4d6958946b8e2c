"""Arrays of meshes: lists of triangles, lines and points, normals and tangents."""
