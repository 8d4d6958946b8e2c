"""The drawers of fog of war, one for each backend."""
