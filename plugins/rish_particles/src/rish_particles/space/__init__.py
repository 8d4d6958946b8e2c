"""Particles in space: emitters with a Transform3D. Their particles are view state, computed with numpy."""
