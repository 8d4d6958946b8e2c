"""References between files of a game: finds the uses of a file, and renames it with all its uses."""
