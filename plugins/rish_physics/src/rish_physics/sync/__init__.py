"""One tick of physics: read the columns, step, write the columns."""
