"""The drawers for the backend `software`, with compiled kernels."""
