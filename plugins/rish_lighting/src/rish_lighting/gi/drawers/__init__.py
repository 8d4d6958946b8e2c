"""The drawers of global illumination, by backend."""
