"""Recordings: files with the inputs of a game, and hashes that verify a replay."""
