"""Replays: a recorded game played again, also after a crash."""
