"""All that shines in a frame, as one table of plain numbers."""
