"""Calls of kernels, and how numba compiles them."""
