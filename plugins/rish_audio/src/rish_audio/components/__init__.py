"""Components, tables, events and settings, and the block that the mixer gets."""
