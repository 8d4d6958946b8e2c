"""What a ray meets: triangles of models, and joints of characters."""
