"""Strokes: paths with a width, joints, caps and dashes, as triangles with smooth edges."""
