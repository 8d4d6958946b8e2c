"""Saving: from an edited World to edits of the text that it was spawned from."""
