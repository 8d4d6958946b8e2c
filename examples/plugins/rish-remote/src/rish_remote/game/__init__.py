"""The data that the server keeps of a game between requests."""
