"""The components of 3D scenes: models and materials, cameras, lights, sky, animation."""
