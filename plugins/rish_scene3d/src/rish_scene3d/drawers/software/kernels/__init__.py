"""The kernels of the software drawers."""
