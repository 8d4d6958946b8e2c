"""Save games: a game put into a file, and back."""
