"""The built-in effects, each in GLSL and as a kernel with the same formula."""
