"""The drawers for the backend `arcade`, in GLSL."""
