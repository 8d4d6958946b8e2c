"""Drawing a batch with OpenGL, a file for each kind."""
