"""The effects that ship, each with its formula twice: in GLSL and as a kernel."""
