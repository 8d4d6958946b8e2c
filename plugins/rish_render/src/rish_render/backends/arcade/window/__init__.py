"""The window of the arcade backend: its place on the screen, its events, keys, dropped files and gamepads."""
