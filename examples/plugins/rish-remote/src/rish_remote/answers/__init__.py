"""The answers to requests, which run in the game's thread."""
