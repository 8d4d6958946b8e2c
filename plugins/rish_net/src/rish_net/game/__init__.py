"""The session in a running game: its input, its state, and its links."""
