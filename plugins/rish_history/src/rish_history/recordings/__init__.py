"""Recordings: the inputs of a played game in a file, with hashes that prove a replay."""
