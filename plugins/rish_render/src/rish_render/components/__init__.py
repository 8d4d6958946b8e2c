"""What can be seen, and the settings of the renderer."""
