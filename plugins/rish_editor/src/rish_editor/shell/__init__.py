"""The window of the editor: its frames, bars, panels and dialogues."""
