"""The host: the backend that was chosen, and the drawing half of the loop."""
