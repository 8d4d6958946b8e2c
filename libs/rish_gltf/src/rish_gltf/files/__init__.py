"""Bytes: the container, the files beside it, and the arrays in them."""
