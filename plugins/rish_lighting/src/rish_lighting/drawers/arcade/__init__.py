"""Drawers for the backend `arcade`, in GLSL."""
