"""All lights of a frame as one table of numbers."""
