"""Views of the world in panels: their camera, drawing over the picture, and handles to drag."""
