"""Edits that need the text of the scene: the clipboard, and what differs from prefabs."""
