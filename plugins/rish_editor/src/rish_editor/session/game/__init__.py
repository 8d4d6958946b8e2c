"""The opened game: its World, edits, selection, runs, input and pictures."""
