"""The drawers of each kind of batch, on OpenGL and on the processor."""
