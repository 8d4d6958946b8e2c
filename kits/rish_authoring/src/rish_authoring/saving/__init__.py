"""Saving: finds the differences between an edited World and its text, and edits the text."""
