"""Save games: writing a game to a file, and loading it."""
