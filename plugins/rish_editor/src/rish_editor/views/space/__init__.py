"""Views of three dimensions in panels: their camera, drawing over the picture, and the poses that gizmos change."""
