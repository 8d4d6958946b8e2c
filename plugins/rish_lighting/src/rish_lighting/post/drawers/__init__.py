"""The drawers of `light.effect`, which draw a run with OpenGL or on arrays."""
