"""The server's thread: HTTP, limits, and the way to the game's thread."""
