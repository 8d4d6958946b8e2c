"""Lines: paths with a width, drawn as strokes."""
