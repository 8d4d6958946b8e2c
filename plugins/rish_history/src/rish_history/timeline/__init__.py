"""The timeline: the past states of a game, seek and rewind."""
