"""The components of visible things, and the settings of the renderer."""
