"""Draws batches with OpenGL. There is one file for each kind of batch."""
