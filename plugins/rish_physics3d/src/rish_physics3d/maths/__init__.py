"""Vectors and quaternions inside kernels."""
