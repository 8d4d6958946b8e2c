"""Drawers for the backend `software`, as kernels."""
