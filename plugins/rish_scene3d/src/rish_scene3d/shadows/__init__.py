"""Shadow maps: where they look from, and which must be drawn again."""
