"""Views of the plane: their camera, drawing over their picture, grid and rulers, and the poses that tools change."""
