"""The files of the open game: opening, saving, source texts, and changes by other programs."""
