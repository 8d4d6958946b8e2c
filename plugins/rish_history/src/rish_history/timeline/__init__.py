"""The timeline: where a game has been, and the way back."""
