"""A tick of physics: columns are read, everything moves on, columns are written."""
