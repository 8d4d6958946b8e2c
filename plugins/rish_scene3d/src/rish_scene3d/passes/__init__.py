"""The kinds of batches and the passes of a 3D scene."""
