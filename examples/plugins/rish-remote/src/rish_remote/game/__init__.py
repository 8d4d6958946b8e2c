"""What the server keeps of a game between requests."""
