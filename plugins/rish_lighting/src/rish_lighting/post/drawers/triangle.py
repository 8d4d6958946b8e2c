"""The vertex shader of drawers with OpenGL that draw over a complete target."""

VERTEX = """#version 330
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""
"""Covers the complete target with one triangle."""
