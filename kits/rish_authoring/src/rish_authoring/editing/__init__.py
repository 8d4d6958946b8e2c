"""Edits that need the text of the scene: the clipboard, and overrides of prefabs."""
