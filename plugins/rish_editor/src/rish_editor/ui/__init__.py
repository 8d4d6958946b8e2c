"""The widgets of the editor, in immediate mode."""
