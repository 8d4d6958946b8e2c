"""Contact points of two shapes: separating axes, clipping, manifolds."""
